"""The printed things are all there, and what options and labels call them."""

from __future__ import annotations

from collections import Counter

import pytest

from games.forms import Option, choice
from games.trickn_treat.game import GAME
from games.trickn_treat.options import (
    Give,
    Leave,
    Play,
    Score,
    Stop,
    Swap,
    Take,
    TakeToken,
    Target,
    Trade,
)
from games.trickn_treat.state import DUMMY
from games.trickn_treat.tables import LAYOUTS, PRINTED, TOKENS
from tests.play import Match

OPTIONS: list[tuple[Option, str, str, tuple[str, ...]]] = [
    (TakeToken("tB"), "take_token:tB", "Take the Blue token (dark)", ("token:tB",)),
    (Play("B3"), "play:B3", "Play Blue 3", ("card:B3",)),
    (
        Swap("B3", "B11"),
        "swap:B3:B11",
        "Put Blue 3 on the table and take Blue 11",
        ("card:B3", "card:B11"),
    ),
    (Stop(), "stop", "Swap no more", ()),
    (Take("R14"), "take:R14", "Take Red 14 from the pile", ("card:R14",)),
    (Leave(), "leave", "Take no card", ()),
    (Target(2), "target:2", "Exchange a card with seat 2", ("seat:2",)),
    (Target(DUMMY), "target:dummy", "Exchange a card with the Dummy", ("seat:dummy",)),
    (Give("*7"), "give:*7", "Give Ghost 7", ("card:*7",)),
    (
        Trade("R4", "B5"),
        "trade:R4:B5",
        "Give Red 4 for Blue 5 of the Dummy",
        ("card:R4", "card:B5"),
    ),
    (Score(("B2", "G4")), "score:B2+G4", "Score Blue 2 and Green 4", ("card:B2", "card:G4")),
]


@pytest.mark.parametrize(("option", "id", "label", "refs"), OPTIONS, ids=[o[1] for o in OPTIONS])
def test_an_option_as_a_client_sees_it(
    option: Option, id: str, label: str, refs: tuple[str, ...]
) -> None:
    shown = choice(option)
    assert (shown.id, shown.label, shown.refs) == (id, label, refs)


def test_everything_printed_is_in_the_catalogue() -> None:
    assert Counter(card.kind for card in PRINTED.cards) == {"candy": 30, "friend": 25}
    assert len(PRINTED.ghosts) == 5
    assert Counter(token.friend_side for token in TOKENS.values()) == {"dark": 3, "light": 2}
    assert Counter(card.kind for card in GAME.cards) == {"card": 60, "token": 5}
    assert all(card.name and card.text and card.source for card in GAME.cards)


@pytest.mark.parametrize("line", LAYOUTS.values(), ids=lambda line: f"{line.players}-{line.mode}")
def test_every_set_up_deals_what_it_says_and_counts_65_things(line: object) -> None:
    players, mode, advanced = next(key for key, value in LAYOUTS.items() if value is line)
    match = Match.started(GAME, players, mode=mode, advanced=advanced)
    census = GAME.census(match.state)
    assert len(census) == 65 and set(census.values()) == {1}
    layout = LAYOUTS[players, mode, advanced]
    assert all(len(hand) == layout.hand_cards + 1 for hand in match.state.hands)
    assert len(match.state.row) == layout.dummy_cards + layout.dummy_ghosts
