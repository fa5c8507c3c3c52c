"""Differences between two boxes in words that people read: on a printed page, in `box check`."""

from sutler.core.files.box import list_box_differences


def test_a_table_in_a_list_is_told_by_its_fields() -> None:
    """No row of Python's: fields that are set, without zeros; a record within a record likewise."""
    before = {"name": "Market", "rows": [{"price": 1, "gain": {"gold": 0, "food": 2}, "spy": False}]}
    after = {"name": "Market", "rows": [{"price": 3, "gain": {"gold": 1, "food": 2}, "spy": True}]}
    (line,) = list_box_differences(before, after, "[marketplace]")
    assert line == ("[marketplace].rows: [{price 1, gain {food 2}}] → [{price 3, gain {gold 1, food 2}, spy yes}]")


def test_numbers_and_names_stay_as_they_are() -> None:
    """A changed number with its entry, an entry more, one fewer; a field that is gone is nothing."""
    before = {"card": [{"name": "Wheat", "gain": {"crops": 3}, "price": 1}, {"name": "Rye"}]}
    after = {"card": [{"name": "Wheat", "gain": {"crops": 4}}, {"name": "Oats"}]}
    assert list(list_box_differences(before, after)) == [
        'card "Wheat" gain.crops: 3 → 4',
        'card "Wheat" price: 1 → nothing',
        '− card "Rye" is taken out',
        '+ card "Oats" is new',
    ]
