"""The decisions of WARFARM, one row each: the question, and the answer to a player who tries something else first."""

from __future__ import annotations

from sutler.core.tables import Phase, PhaseTable

PHASES = PhaseTable(
    moving=Phase("1.8"),  # no decision: the rules go on by themselves
    begin=Phase(
        "2.3",
        "{seat}, choose what you begin with.",
        "Pick one extra to start with.",
        now="Choose first what you begin with.",
    ),
    raid=Phase(
        "3.2",
        "{seat}, what does your Disciple take from {other:seat}?",
        "A Farmland or a Farmer, never the last one.",
        now="Say first what your Disciple takes.",
        stage="start",
    ),
    torch=Phase(
        "12.8",
        "{seat}, take a Fire?",
        "Shoot it this turn or put it out, or it burns your own land.",
        now="Say first whether you take the Fire.",
        stage="produce",
    ),
    play=Phase(
        "4.1",
        "{seat}, play cards.",
        "As many as you like, and use those on your table.",
        now="Play cards first, or end playing.",
        stage="play",
    ),
    choose_thing=Phase(
        "4.2",
        "{seat}, choose what {card} brings.",
        "You have it at once.",
        now="Choose first what the card brings.",
        stage="play",
        midway=True,
    ),
    make_peace=Phase(
        "11.7",
        "{seat}, with whom do you make peace?",
        "That seat gets 3 Water and cannot attack you.",
        now="Choose first with whom you make peace.",
        stage="play",
        midway=True,
    ),
    seize=Phase(
        "11.10",
        "{seat}, take a Table card.",
        "Its owner gets 2 Water; who stands on it stays there.",
        now="Choose first which card you take.",
        stage="play",
        midway=True,
    ),
    choose_deck=Phase(
        "4.8",
        "{seat}, choose the deck to draw from.",
        "The card comes to your hand.",
        now="Choose first which deck you draw from.",
        stage="play",
        midway=True,
    ),
    offering=Phase(
        "13.6",
        "{seat}, choose a unit to kill.",
        "{n} more, of anybody’s.",
        now="Choose first whom the offering kills.",
        stage="play",
        midway=True,
    ),
    call=Phase(
        "13.11",
        "{seat}, choose a unit to take.",
        "{n} more, from the others’ boards.",
        now="Choose first whom you take.",
        stage="play",
        midway=True,
    ),
    lose=Phase(
        "13.9",
        "{seat}, choose a unit to lose.",
        "{n} more, because of {card}.",
        now="Choose first which unit you lose.",
        stage="play",
    ),
    build=Phase(
        "5.1",
        "{seat}, build units.",
        "As many as your tokens and Farmers allow.",
        now="Build first, or end building.",
        stage="build",
    ),
    recall=Phase(
        "6.1",
        "{seat}, call anybody in?",
        "Units on post stay there unless you call them.",
        now="Say first who stays on post.",
        stage="defend",
    ),
    post=Phase(
        "6.1",
        "{seat}, post your units.",
        "Guards protect one place; Soldiers in reserve can attack.",
        now="Post your units first, or end posting.",
        stage="defend",
    ),
    attack=Phase(
        "7.1",
        "{seat}, attack?",
        "One attack after another, until you stop.",
        now="Attack first, or end attacking.",
        stage="attack",
    ),
    target=Phase(
        "7.7",
        "{seat}, choose a target for {what}.",
        "Guards must be hit first; units and open things can be hit.",
        now="Choose a target first.",
        stage="attack",
        midway=True,
    ),
    strike_back=Phase(
        "12.10",
        "{seat}, strike back at {other:seat}.",
        "{n} more things of your choice.",
        now="Strike back first.",
        stage="attack",
        midway=True,
    ),
    explore=Phase(
        "8.1",
        "{seat}, send Explorers out.",
        "To any deck that is unlocked; they are back next turn.",
        now="Send your Explorers first, or end exploring.",
        stage="explore",
    ),
    trim_units=Phase(
        "9.1", "{seat}, give up a unit.", "You have {n} more than Farmland.", now="Give up a unit first.", stage="end"
    ),
    trim_cards=Phase(
        "9.2", "{seat}, discard a card.", "You have {n} more than Farmland.", now="Discard a card first.", stage="end"
    ),
    trap=Phase(
        "10.3",
        "{seat}, does your Trap spring?",
        "Held back it stays where it lies; sprung it works and goes to the discards.",
        now="Say first whether your Trap springs.",
    ),
    over=Phase("14.7", over=True),
)
