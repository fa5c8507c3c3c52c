"""Made by `python tools/stubs.py` from the records of Medieval Manor; edit those."""

from sutler.core.typing import Bits, Grid, Row, Word

class Options:
    victory: int
    hardships: int
    hardship_deck: int
    no_map: int
    common_hand: int
    hand_limit: int
    start_peasants: int
    start_crops: int
    start_animals: int
    start_gold: int
    start_resources: int
    start_cards: int
    offers: int
    buys: int
    swaps: int
    first_lord: int
    start_victory: int
    start_upgrades: int

class Parameters:
    upgrade_cost: int
    buy_price: int
    buy_draw: int
    hunger_victory: int
    grow_price: int
    most_conversions: int
    big_map_seats: int
    dice_trouble: int
    free_slips: int

class Steal:
    there: int
    what: int
    count: int

class Convert:
    there: int
    give: Row[int]
    get: Row[int]

class End:
    victory: int
    per_upgrade: int

class Harm:
    there: int
    who: int
    lose: Row[int]
    lose_all: Word
    hand: int
    upgrade: int
    ban: int

class Card:
    type: int
    on: Word
    gain: Row[int]
    helps: Word
    draw_next: int
    draw_now: int
    steal: Steal
    lose: Row[int]
    convert: Convert
    cost_change: int
    discount: int
    hand_size: int
    end: End
    harm: Harm
    count: int
    lands: Word
    worth: float
    worth_turn: float

class Land:
    kind: int
    extra: int
    edge: int
    bonus: Row[int]

class Box:
    options: Options
    rules: Parameters
    card: Row[Card]
    land: Row[Land]
    n_lands: int
    layout: Row[int]
    deck: Bits
    start_tokens: Row[int]
    extra_tokens: Grid[int]
    extra_cards: Row[int]
    extra_upgrades: Row[int]
    bounties: Bits
    upgrades: Bits
    hardships: Bits
    mills: Bits
    discounters: Bits
    kind_lands: Row[Word]
    fits: Grid[Word]
    up_to: Grid[Word]

class Seat:
    tokens: Row[int]
    hand: Bits
    upgrades: Bits
    extra_draw: int
    extra_next: int
    worked: int
    has_passed: int
    n_offers: int

class Offer:
    partner: int
    is_answer: int
    give: Row[int]
    want: Row[int]
    give_cards: Bits
    want_cards: Bits

class State:
    phase: int
    to_act: int
    n_seats: int
    rng: Row[int]
    stage: int
    turn: int
    lord: int
    first: int
    kth: int
    step: int
    used: int
    ban: int
    due: int
    card: int
    other: int
    victim: int
    seats: Row[Seat]
    offer: Offer
    deck: Bits
    discards: Bits
    removed: Bits
    aside: Bits
    hardships: Bits
    boxed: Bits
    unseen: Bits
    table: Bits
    free: Word
    open_kinds: int
    place: Row[int]
    near: Row[Word]
    lies: Row[int]
    owner: Row[int]
    crop_helps: Word
    animal_helps: Word
