"""Studies of speed: how cost grows (studies/scaling.py), which rules take the time (studies/profile_rules.py)."""

import struct

import programs

scaling, profile_rules = programs.study("scaling"), programs.study("profile_rules")


def test_the_page_has_a_place_for_the_curves() -> None:
    """Between two marks, which stand in the page once each, in order."""
    page = scaling.PAGE.read_text(encoding="utf-8")
    first, last = (page.index(mark) for mark in scaling.PAGE_MARKERS)
    assert first < last
    assert all(page.count(mark) == 1 for mark in scaling.PAGE_MARKERS)


def test_a_line_for_each_game_that_begins_with_the_fewest_seats() -> None:
    """Beside what a game makes at its fewest seats; where it takes no more, its line stays level."""
    drawn = scaling.seats_picture(
        {"manor": {2: 4.0, 3: 2.0, 4: 1.0}, "threeyears": {2: 3.0, 3: 3.0}, "warfarm": {3: 1.0, 4: 2.0}}
    )
    assert drawn.count("<polyline") == 2
    assert ">manor<" in drawn
    assert ">warfarm<" not in drawn
    assert drawn.startswith("<svg")


def test_a_function_of_machine_code_goes_by_its_rule() -> None:
    """What the compiler makes of a name, read back."""
    mangled = "_ZN6sutler5games5manor8_2erules5apply"
    assert profile_rules.plain_name(mangled) == "sutler.games.manor..rules.apply"
    assert profile_rules.plain_name("memcpy") == "memcpy"


def test_an_object_file_names_its_functions() -> None:
    """One section of symbols: a function that can be called from outside, and what is no function."""
    names = b"\0apply\0box\0"
    symbols = struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 32, 8) + struct.pack("<IBBHQQ", 7, 0x11, 0, 1, 40, 8)
    start = 64
    head = bytearray(64)
    struct.pack_into("<Q", head, 40, start + len(symbols) + len(names))
    struct.pack_into("<HH", head, 58, 64, 2)
    table = struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, start, len(symbols), 1, 0, 8, 24)
    strings = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, start + len(symbols), len(names), 0, 0, 1, 0)
    code = bytes(head) + symbols + names + table + strings
    assert list(profile_rules.elf_functions(code)) == [("apply", 1, 32, 8, True)]
