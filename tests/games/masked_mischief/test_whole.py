"""The match as a whole: what is in the box, what can be dealt otherwise, what random play meets."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import count

import msgspec
import pytest

from games import rules
from games.dice import Dice
from games.forms import choice
from games.masked_mischief import options
from games.masked_mischief.edition import Options
from games.masked_mischief.effects import POWERS
from games.masked_mischief.events import CandyMoved, RaceStarted
from games.masked_mischief.game import GAME, Option
from games.masked_mischief.moves import Direction, Land, SwapMasks, Walk
from games.masked_mischief.options import Face, Go, Swap, TileFace
from games.masked_mischief.printed import MASKS, TREATS, TRICKS
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatPlayed, TrickFlipped
from games.masked_mischief.turns import EndTurn
from games.rules import Answer, Open, begin, decide, fold, view
from games.sight import Viewer
from tests.games.masked_mischief.given import A, B, C, D, mischief
from tests.play import random_options

MATCHES = max(40, int(os.environ.get("HALLOWSTREAM_MATCHES", "0")))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))


def test_what_is_in_the_box() -> None:
    counts = GAME.census(mischief().state)
    assert counts["K07"] == 8 and counts["K10"] == 4 and counts["T22"] == 2
    assert sum(n for code, n in counts.items() if code in TRICKS) == 4 * 36
    assert sum(n for code, n in counts.items() if code in TREATS) == 44
    assert [counts[mask] for mask in list(MASKS)[:5]] == [1] * 5 and "plain" not in counts
    six = GAME.census(mischief(seats=6).state)
    assert six["T22"] == 3 and six["plain"] == 1
    kinds = Counter(card.kind for card in GAME.cards)
    assert kinds == {"trick": 19, "treat": 22, "mask": 6, "board": 2}
    assert all(card.text and card.source for card in GAME.cards)


def test_what_options_refer_to_is_in_the_catalogue() -> None:
    cards = {f"{card.kind}:{card.id}" for card in GAME.cards}
    for made in (TileFace("K07"), TileFace("T10"), options.Mask("clyde"), options.Play(0, "T05")):
        assert set(made.refs()) <= cards
    every = {member.__struct_config__.tag for member in Option.__args__}
    assert len(every) == len(Option.__args__)
    assert choice(options.Back()).label == "Not laid"


def test_the_result_tells_of_a_tie() -> None:
    assert GAME.result(mischief().state) is None
    for candy, why in (
        ({}, "most candy, and the younger of those who tie"),
        ({A: 9}, "most candy in the bowl"),
    ):
        match = mischief(at={A: "o17 cw"}, visits={"chuckles@H2": 2}, candy=candy)
        match.roll(5)
        result = match.table.result
        assert result and result.winners == (A,) and result.why == why


def crowded() -> State:
    """Something hidden in every place where something can be hidden."""
    match = mischief(
        at={A: "o10 cw"},
        hands={A: "T09 T01", B: "T10 T11", C: "T13"},
        tiles={"o20": "K07/A", "o22": "K08/B", "o24": "K09/B", "o26": "T02/B", "o28": "T03/C"},
    )
    match.play_treat("T09")
    state: State = match.state
    lifted = ("T20", "T21")
    treats = list(state.treats)
    for code in lifted:
        treats.remove(code)
    return state.but(treats=tuple(treats), placing=(state.placing[A], lifted, *state.placing[2:]))


@pytest.mark.parametrize("viewer", [A, B, C, D, "spectator"])
def test_everything_hidden_can_be_dealt_otherwise(viewer: Viewer) -> None:
    state = crowded()
    rng = random.Random(1)
    others = [GAME.redealt(state, viewer, rng.randrange) for _ in range(60)]
    for other in others:
        assert GAME.census(other) == GAME.census(state)
        assert view(other, viewer) == view(state, viewer)
    faces = {space: {other.tiles[space].code for other in others} for space in state.tiles}
    for space, tile in state.tiles.items():
        assert (len(faces[space]) > 1) is (tile.by != viewer)
    for seat in (A, B, C):
        hands = {tuple(held.code for held in other.hands[seat]) for other in others}
        assert (len(hands) > 1) is (seat != viewer)
    for seat in (A, B):
        placing = {other.placing[seat] for other in others}
        assert (len(placing) > 1) is (seat != viewer)
        bags = {other.bags[seat] for other in others}
        assert (len(bags) > 1) is (seat != viewer)
    assert len({other.treats for other in others}) > 1


def test_walking_back_from_a_skull_while_facing_in_leaves_the_arm() -> None:
    """Q73: no printed tile does it, but the ruling stands."""
    match = mischief(at={A: "o14 in", B: "o30 cw"})
    items = [EndTurn(A), Land(B, A, "other"), Walk(B, A, 2, back=True), SwapMasks(B, B, C)]
    match.lay(pending=tuple(Open(f"0.{i}", item) for i, item in enumerate(items)))
    match.say(Swap(False))
    assert match.asked == Direction(A, B, 2, False)
    assert match.asked.prompt(match.state) == "Which way does seat 0 walk 2 steps?"
    match.say(Face("cw"))
    assert match.where(A) == "o16 cw"


def test_prompts_tell_what_is_asked() -> None:
    state = mischief().state
    assert "backwards" in Direction(A, B, 1, True).prompt(state)
    match = mischief(at={A: "o10 cw"}, hands={A: "T09"}, options={"trick_draw": "choose"})
    match.play_treat("T09")
    assert match.asked.prompt(match.state) == "Choose 2 of the Tricks in your bag."
    howl = mischief(
        active=D,
        at={A: "o10 cw", D: "o45 cw"},
        hands={D: "T22"},
        bags=((),) * 4,
        tiles={"o8": "K08/D", "o12": "K08/D"},
    )
    howl.play_treat("T22")
    assert howl.asked.prompt(howl.state) == "To which Trick does seat 0 go?"
    howl.say(Go("o12"))
    assert howl.state.skips == (1, 0, 0, 0)


class Met:
    """What random play has met: Tricks flipped, Treats played, powers used, options set."""

    def __init__(self) -> None:
        self.tiles: Counter[str] = Counter()
        self.powers: Counter[str] = Counter()
        self.variants: set[tuple[str, str]] = set()

    def see(self, state: State, event: rules.Event[State]) -> None:
        if isinstance(event, TrickFlipped | TreatPlayed):
            self.tiles[event.code] += 1
            if event.code in ("K19", "T22"):
                user = event.owner if isinstance(event, TrickFlipped) else event.seat
                self.powers[state.masks[user]] += 1


def play(number: int, met: Met) -> None:
    """A match of random answers, looked at after every event and every answer."""
    rng = random.Random(number)
    seats = rng.randint(GAME.least, GAME.most)
    given = random_options(GAME, seats, rng)
    state, setup = GAME.start(seats, GAME.checked_options(given))
    counts = GAME.census(state)
    met.variants.update(state.variants.items())
    events = begin(state, setup, Dice(b"", str(number), 0, 1))
    for place in count(1):
        for event in events:
            met.see(state, event)
            state = lawful(state, event)
        assert GAME.census(state) == counts
        if not state.pending:
            assert state.winner is not None
            return
        assert state.haunted < state.constants.race_at
        top = state.pending[-1]
        option = top.item.form(state, top.item.seat).sample(rng.randrange)
        dice = Dice(b"", str(number), place, place + 1)
        events = decide(state, top.item.seat, Answer(top.id, option), dice)


def test_random_play_meets_every_tile_power_and_option() -> None:
    """And candy comes from the Big Bowl alone; every tile is in one place, a mask on one face."""
    met = Met()
    for number in range(FIRST, FIRST + MATCHES):
        play(number, met)
    assert set(met.tiles) == {*TRICKS, *TREATS}
    assert set(POWERS) <= set(met.powers)
    schema = next(iter(msgspec.json.schema(Options)["$defs"].values()))["properties"]
    names = {name for name in schema if name not in ("board", "youth_order")}
    assert {name for name, _ in met.variants} == names and len(names) == 18


def lawful(state: State, event: rules.Event[State]) -> State:
    """The state after the event, which took nothing from nowhere."""
    after = fold(state, [event])
    had, has = (sum(s.candy) + sum(s.cauldrons) for s in (state, after))
    assert has - had == after.given - state.given >= 0
    assert has == had or isinstance(event, CandyMoved | RaceStarted)
    assert min(after.candy) >= 0 and min(after.cauldrons) >= 0
    worn = [mask for mask in after.masks if mask]
    assert len({*worn, *after.spares}) == len(worn) + len(after.spares)
    assert all(visits <= 3 for visits in after.visits.values())
    return after
