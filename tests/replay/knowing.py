"""What a seat cannot but know of hidden places: an account of its own, by what is counted there.

Only what is certain: a face that was seen going to a place counts as long as nothing has left that
place unseen. One that was seen leaving it, in whatever branch of the match, lay there as far back
along the tree of versions as nothing had come to the place; so did one that was shown there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from games.history import Commit, led_here, reverted_to
from games.match import MatchEvent
from games.rules import Answered, Together
from games.sight import Viewer, cut
from games.tricks_and_treats.cards import TIMES_UP
from tests.play import Match

Zone = Any
Zones = Mapping[Zone, tuple[str, ...]]


def _by_seat(name: str, zones: tuple[tuple[str, ...], ...]) -> dict[Any, tuple[str, ...]]:
    return {(name, seat): cards for seat, cards in enumerate(zones)}


def _sweet(state: Any) -> dict[Any, tuple[str, ...]]:
    letters = _by_seat("letter", tuple([(letter,) for letter in state.letters]))
    guesses = {("guess", g.guesser, g.target): (g.letter,) for g in state.guesses}
    return {**_by_seat("hand", state.hands), **letters, **guesses}


def _masked(state: Any) -> dict[Any, tuple[str, ...]]:
    hands = tuple([tuple([held.code for held in hand]) for hand in state.hands])
    spaces = {("space", tile.by, space): (tile.code,) for space, tile in state.tiles.items()}
    return {**_by_seat("hand", hands), **spaces}


ZONES: dict[str, Callable[[Any], Zones]] = {
    "tricks-and-treats": _sweet,
    "trick-or-treat": lambda s: _by_seat("hand", s.hands),
    "trickn-treat": lambda s: {**_by_seat("hand", s.hands), **_by_seat("pile", s.piles)},
    "ghosts-love-candy-too": lambda s: _by_seat("secret", tuple([(x.card,) for x in s.secrets])),
    "masked-mischief": _masked,
}
DECKS: dict[str, Callable[[Any], dict[str, tuple[Any, ...]]]] = {
    "tricks-and-treats": lambda s: {"deck": s.deck},
    "trick-or-treat": lambda s: {"deck": s.deck[::-1], "sets": s.set_deck[::-1]},
    "ghosts-love-candy-too": lambda s: {"deck": s.deck, "bag": s.bag},
}
"""From the top on; those whose order is fixed before they are drawn from."""


def shown(event: dict[str, Any]) -> Iterator[tuple[Zone, str]]:
    """What a viewer sees lying somewhere where it stays."""
    match event:
        case {"type": "secret_letter_shown", "letter": str(letter), "owner": owner}:
            yield ("letter", owner), letter
        case {"type": "secret_letter_handed_over", "letter": letter, "owner": owner}:
            yield ("letter", owner), letter
        case {"type": "secret_letters_revealed", "letters": letters}:
            yield from ((("letter", seat), letter) for seat, letter in enumerate(letters))
        case {"type": "guesses_revealed", "guesses": guesses}:
            yield from ((("guess", g["guesser"], g["target"]), g["letter"]) for g in guesses)
        case {"type": "craving_peeked", "card": str(card), "whose": whose}:
            yield ("secret", whose), card
        case {"type": "cravings_shown", "cards": cards}:
            yield from ((("secret", seat), card) for seat, card in enumerate(cards))
        case {"type": "hands_shown", "to": _, "hands": list(hands)}:
            for seat, codes in enumerate(hands):
                if not isinstance(codes, dict):  # hidden from this viewer
                    yield from ((("hand", seat), code) for code in codes)


class Change(NamedTuple):
    """What one event did to hidden places, and which faces the viewer saw in it."""

    zones: tuple[Zones, Zones]
    decks: tuple[dict[str, tuple[Any, ...]], dict[str, tuple[Any, ...]]]
    told: dict[str, Any]
    seen: frozenset[Any]

    def moves(self) -> Iterator[tuple[Zone, Counter[str], Counter[str]]]:
        """By place, what left it and what came."""
        before, after = self.zones
        for zone in {*before, *after}:
            was, now = (Counter(side.get(zone, ())) for side in (before, after))
            if was != now:
                yield zone, was - now, now - was

    def draws(self) -> Iterator[tuple[str, tuple[Any, ...] | None]]:
        """By deck, what was drawn off it; None where it was mixed."""
        before, after = self.decks
        for deck in {*before, *after}:
            was, now = before.get(deck, ()), after.get(deck, ())
            count = len(was) - len(now)
            if was != now:
                yield deck, was[:count] if count > 0 and was[count:] == now else None

    def turned_up(self) -> tuple[Any, bool] | None:
        """What all see to lie on top of the deck now, or not to."""
        if self.told["type"] != "candy_drawn":
            return None
        return TIMES_UP, self.told["times_up"]


class Since:
    """What a branch has shown so far of what lay where it begins."""

    def __init__(self) -> None:
        self.came: set[Zone] = set()
        self.left: Counter[tuple[Zone, str]] = Counter()
        self.there: Counter[tuple[Zone, str]] = Counter()
        self.drawn: Counter[str] = Counter()
        self.deep: dict[tuple[str, int], Any] = {}
        self.not_deep: set[tuple[str, int, Any]] = set()
        self.mixed: set[str] = set()

    def copy(self) -> Since:
        made = Since()
        made.came, made.left, made.there = set(self.came), Counter(self.left), Counter(self.there)
        made.drawn, made.deep, made.mixed = Counter(self.drawn), dict(self.deep), set(self.mixed)
        made.not_deep = set(self.not_deep)
        return made

    def add(self, change: Change) -> None:
        lying = Counter([each for each in shown(change.told) if each[0] not in self.came])
        self.there |= self.left + lying
        for zone, left, came in change.moves():
            if zone not in self.came:
                self.left.update({(zone, f): n for f, n in left.items() if f in change.seen})
            if came:
                self.came.add(zone)
        self.there |= self.left
        for deck, faces in change.draws():
            if faces is None:
                self.mixed.add(deck)
            for face in faces or ():
                if deck not in self.mixed and face in change.seen:
                    self.deep[deck, self.drawn[deck]] = face
                self.drawn[deck] += 1
        if (top := change.turned_up()) and "deck" not in self.mixed:
            if top[1]:
                self.deep["deck", self.drawn["deck"]] = top[0]
            else:
                self.not_deep.add(("deck", self.drawn["deck"], top[0]))


class Account:
    """What is certain at one version on the way to the step."""

    def __init__(self) -> None:
        self.must: Counter[tuple[Zone, str]] = Counter()
        self.deep: dict[tuple[str, int], Any] = {}
        self.not_deep: set[tuple[str, int, Any]] = set()

    def add(self, change: Change) -> None:
        self.must |= Counter(shown(change.told))
        for zone, left, came in change.moves():
            if any(face not in change.seen for face in left):
                self.must = Counter({k: n for k, n in self.must.items() if k[0] != zone})
            self.must -= Counter({(zone, face): n for face, n in left.items()})
            self.must += Counter({(zone, f): n for f, n in came.items() if f in change.seen})
        for deck, faces in change.draws():
            by = None if faces is None else len(faces)
            self.deep = dict(self._moved(self.deep, deck, by))
            self.not_deep = {(*k, f) for k, f in self._moved(self._nots(), deck, by)}

    def _nots(self) -> dict[tuple[str, int], Any]:
        return {(deck, at): face for deck, at, face in self.not_deep}

    def _moved(
        self, known: dict[tuple[str, int], Any], deck: str, by: int | None
    ) -> Iterator[tuple[tuple[str, int], Any]]:
        for (name, at), face in known.items():
            if name != deck:
                yield (name, at), face
            elif by is not None and at >= by:
                yield (name, at - by), face

    def learn(self, since: Since) -> None:
        self.must |= since.there
        self.deep |= since.deep
        self.not_deep |= since.not_deep


class Watched:
    """A match as one viewer has seen it up to now."""

    def __init__(self, match: Match, viewer: Viewer) -> None:
        self.match, self.viewer = match, viewer
        self.changes = [[]] + [list(self._changes(n)) for n in range(1, len(match.commits) + 1)]
        self.after: list[list[int]] = [[] for _ in match.past]
        for commit in match.commits:
            to = reverted_to(commit)
            self.after[commit.version - 1 if to is None else to].append(commit.version)

    def _changes(self, version: int) -> Iterator[Change]:
        zones = ZONES[self.match.game.id]
        decks = DECKS.get(self.match.game.id, lambda _: {})
        state = self.match.past[version - 1].state
        for event in self.match.commits[version - 1].events:
            if isinstance(event, MatchEvent) or state is None:
                continue
            after, told = event.apply(state), cut(event, self.viewer)
            sides = (zones(state), zones(after)), (decks(state), decks(after))
            # A hand dealt anew by another shows no more than itself: there are two alike of some.
            blind = told["type"] == "hands_rearranged" and told["by"] != self.viewer
            yield Change(*sides, told, frozenset(() if blind else _values(told)))
            state = after

    def account(self, step: int) -> Account:
        """What is certain of that step."""
        led = [commit.version for commit in led_here(self.match.commits, step)][::-1]
        now = Account()
        for at, following in zip([0, *led], [*led, None], strict=True):
            for change in self.changes[at]:
                now.add(change)
            for aside in self.after[at]:
                if aside != following:
                    self._branch(now, aside)
        return now

    def _branch(self, now: Account, first: int) -> None:
        ahead = [(first, Since())]
        while ahead:
            version, since = ahead.pop()
            for change in self.changes[version]:
                since.add(change)
            now.learn(since)
            ahead += [(following, since.copy()) for following in self.after[version]]

    def choices(self, step: int) -> dict[int, Any]:
        """What others have chosen in secret in the question open at the step, as far as it was
        shown in whatever went on from there."""
        pending = self.match.past[step].state.pending
        if not pending or not isinstance(pending[-1].item, Together):
            return {}
        top = pending[-1]
        made = [c for c in led_here(self.match.commits, step) if _answers(c, top.id)]
        return {c.by: top.item.chosen[c.by] for c in made if self._came_out(c.version, top.id)}

    def _came_out(self, version: int, question: str) -> bool:
        """Whether the viewer was shown in some branch what was chosen in that version."""
        ahead = list(self.after[version])
        while ahead:
            version = ahead.pop()
            ahead += self.after[version]
            if _answers(self.match.commits[version - 1], question):
                item = self.match.past[version - 1].state.pending[-1].item
                private = type(item).__name__ == "Exchange"
                if len(item.seats) == 1 and not (
                    private and self.viewer not in (*item.seats, *item.chosen)
                ):
                    return True
        return False


def _answers(commit: Commit[Any], question: str) -> bool:
    event = commit.events[0]
    return isinstance(event, Answered) and event.question == question


def _values(shown: Any) -> Iterator[Any]:
    if isinstance(shown, dict):
        shown = list(shown.values())
    if isinstance(shown, list | tuple):
        for item in shown:
            yield from _values(item)
    else:
        yield shown


def contradictions(seen: Watched, step: int, state: Any) -> list[Any]:
    """What the state says otherwise than the viewer knows of that step."""
    known, game = seen.account(step), seen.match.game.id
    there = Counter([(z, f) for z, faces in ZONES[game](state).items() for f in faces])
    found: list[Any] = list((known.must - there).items())
    for deck, cards in DECKS.get(game, lambda _: {})(state).items():
        found += [
            (deck, at, f) for (d, at), f in known.deep.items() if d == deck and cards[at] != f
        ]
        found += [(deck, at, f) for d, at, f in known.not_deep if d == deck and cards[at] == f]
    for version in range(1, len(seen.changes)):
        for change in seen.changes[version]:
            if change.told["type"] == "tattle_made" and not change.told["correct"]:
                letter = change.told["letter"]
                found += [change.told] if state.letters[change.told["target"]] == letter else []
    for seat, option in seen.choices(step).items():
        if state.pending[-1].item.chosen[seat] != option:
            found.append((seat, option))
    return found
