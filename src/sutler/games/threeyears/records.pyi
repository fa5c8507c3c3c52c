"""Made by `python tools/stubs.py` from the records of Three Years of War; edit those."""

from sutler.core.typing import Bits, Grid, Row

class Options:
    recycle_claims: int
    strict_fewest: int
    marker_spaces: int
    years: int
    own_targets: int
    exchange_once: int
    compare_at_once: int
    one_despair: int
    scouts_together: int

class Parameters:
    track_start: int
    track_max: int
    starting_hand: int
    tax_spring: int
    tax_other: int
    hand_limit: int
    first_pass_despair: int
    doom_value: int

class Claim:
    green: Row[int]
    grey: Row[int]
    red: Row[int]
    season: int
    icons: Row[int]

class Sections:
    green: Row[int]
    grey: Row[int]
    red: Row[int]

class Influence:
    season: int
    icons: int
    copies: int
    stakes: Sections
    kind: int
    is_stake: int
    symbols: Row[int]

class Kind:
    season: int
    pips: int
    is_stake: int
    cards: Bits

class Writ:
    count: int
    gain: Row[int]
    icons: Row[int]

class Marker:
    seats: int
    space: int
    gain: Row[int]
    icons: Row[int]

class Merchant:
    price: int
    gain: Row[int]

class Market:
    rows: Row[Merchant]

class Battle:
    compare: int
    first: Row[int]
    second: Row[int]
    last: Row[int]

class Reaping:
    compare: int
    pay_food: int
    n_offers: int
    offers: Grid[int]

class Bitter:
    compare: int
    more: Row[int]
    equal: Row[int]
    fewer: Row[int]

class Box:
    options: Options
    rules: Parameters
    n_claims: int
    n_kinds: int
    n_influence: int
    claim: Row[Claim]
    season_claims: Row[Bits]
    card: Row[Influence]
    kind: Row[Kind]
    first_kind: Row[int]
    deck: Bits
    of_shape: Grid[Bits]
    symbols: Row[Bits]
    despairs: Bits
    despair_value: Row[int]
    mean_despair: float
    writs: Bits
    writ_kind: Row[int]
    writ: Row[Writ]
    n_writ_kinds: int
    hopes: int
    scouts: int
    space: Grid[Marker]
    n_cards: Row[int]
    market: Row[Market]
    battle: Row[Battle]
    reaping: Row[Reaping]
    bitter: Row[Bitter]

class Seat:
    tracks: Row[int]
    renown: int
    hope: int
    doom: int
    scouts: int
    despair: Bits
    writs: Bits
    hand: Bits
    shown: Bits
    spent: Bits
    marker: int
    claim: int
    standing: int
    seen_despair: Bits
    seen_writs: Bits
    seen_cards: Row[int]

class State:
    phase: int
    to_act: int
    n_seats: int
    rng: Row[int]
    stage: int
    year: int
    season: int
    lead: int
    bidder: int
    total: int
    kth: int
    step: int
    used: int
    suit: int
    ones: int
    twos: int
    kind: int
    picked: Bits
    offer: Row[int]
    taker: Row[int]
    tied: Row[Bits]
    loose: Bits
    actor: int
    icon: int
    theft: int
    shy: Row[int]
    looks: int
    depth: Row[int]
    due: Row[int]
    owed: Grid[int]
    hopes: int
    scouts: int
    despairs: Bits
    dispelled: Bits
    writs: Bits
    despair_face: Row[int]
    writ_face: Row[int]
    deck: Bits
    discards: Bits
    claims: Bits
    interludes: Grid[int]
    card: int
    seats: Row[Seat]
