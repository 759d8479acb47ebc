"""The printed data of Trick'n Treat: cards, tokens and what each set-up takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from games.game import Card

Mode = Literal["coop", "competitive"]


class Colour(msgspec.Struct, frozen=True):
    id: str
    name: str


class Suited(msgspec.Struct, frozen=True):
    """A friend or a candy card."""

    id: str
    kind: Literal["candy", "friend"]
    colour: str
    number: int
    source: str


class Ghost(msgspec.Struct, frozen=True):
    id: str
    number: int
    when: Literal["played", "resolve"]
    text: str
    source: str


class Token(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    candy_side: str
    friend_side: Literal["dark", "light"]
    source: str


class TokenCount(msgspec.Struct, frozen=True):
    count: int
    dark: int = 0


class Layout(msgspec.Struct, frozen=True, rename="camel"):
    """One line of the set-up table."""

    players: int
    mode: Mode
    advanced: bool
    hand_cards: int
    dummy_cards: int
    dummy_ghosts: int
    tokens: TokenCount


class Printed(msgspec.Struct, frozen=True):
    colours: tuple[Colour, ...]
    cards: tuple[Suited, ...]
    ghosts: tuple[Ghost, ...]
    tokens: tuple[Token, ...]
    setup: tuple[Layout, ...]


DATA = Path(__file__).with_name("data").joinpath("trickn_treat.json").read_bytes()
PRINTED = msgspec.json.decode(DATA, type=Printed)

COLOURS = {colour.id: colour.name for colour in PRINTED.colours}
GHOST_TEXTS = {ghost.id: ghost for ghost in PRINTED.ghosts}
TOKENS = {token.id: token for token in PRINTED.tokens}
LAYOUTS = {(line.players, line.mode, line.advanced): line for line in PRINTED.setup}


def card_name(card: str) -> str:
    """`B3` is Blue 3, `*9` is Ghost 9."""
    return f"{COLOURS.get(card[0], 'Ghost')} {card[1:]}"


def card_names(cards: Sequence[str]) -> str:
    """Blue 3, Red 12 and Ghost 9."""
    *most, last = map(card_name, cards)
    return f"{', '.join(most)} and {last}" if most else last


def token_name(token: str) -> str:
    """Both sides count for one mode each: the candy's colour, and dark or light."""
    printed = TOKENS[token]
    return f"the {COLOURS[printed.candy_side]} token ({printed.friend_side})"


def catalogue() -> tuple[Card, ...]:
    """Every printed thing, as `card:B3` or `token:tB`."""
    suited = [
        Card(c.id, "card", card_name(c.id), f"A {c.kind} card.", source=c.source)
        for c in PRINTED.cards
    ]
    ghosts = [Card(g.id, "card", card_name(g.id), g.text, source=g.source) for g in PRINTED.ghosts]
    tokens = [
        Card(
            t.id,
            "token",
            f"{COLOURS[t.candy_side]} token",
            f"Candy on one side; on the other a friend before a {t.friend_side} background.",
            source=t.source,
        )
        for t in PRINTED.tokens
    ]
    return (*suited, *ghosts, *tokens)
