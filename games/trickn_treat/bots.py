"""A player that follows rules of thumb; it sees its seat's view and the open question.

It guesses what the others may hold, plays the trick out with each card it may play, everybody
doing what is best for their side at once, and takes the card that does best on average.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from games.forms import Below
from games.trickn_treat.guesses import Hands, Place, Sight, Trick, forced, legal
from games.trickn_treat.judging import Judge, judge
from games.trickn_treat.tables import TOKENS


class Asked(NamedTuple):
    """A question, with what the seat makes of its view."""

    sight: Sight
    judged: Judge
    about: dict[str, Any]
    seats: list[int]
    ids: list[str]
    below: Below


GUESSES = 8
REPLIES = 200
"""How many replies of others are thought of for one answer, which bounds the time it takes."""


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> str:
    """The id of one of the options."""
    ids = [option["id"] for option in question["form"]["options"]]
    if len(ids) == 1:
        return str(ids[0])
    sight = Sight(view)
    asked = Asked(sight, judge(sight), question["about"], question["seats"], ids, below)
    return CHOICES[question["kind"]](asked)


def choose_token(asked: Asked) -> str:
    """The colour in which the hand is least likely to win."""

    def strength(id: str) -> int:
        colour = TOKENS[id.split(":")[1]].candy_side
        return sum(
            int(card[1:]) - 8 for card in asked.sight.hand if card[0] == colour and len(card) > 2
        )

    return min(asked.ids, key=strength)


def play_card(asked: Asked) -> str:
    place = asked.about["place"]
    later = asked.sight.later(place)
    guesses = min(GUESSES, max(4, REPLIES // (len(asked.ids) * len(later) or 1)))
    trick, deals = asked.sight.trick(), asked.sight.deals(later, guesses, asked.below)

    def worth(id: str) -> float:
        card = id.split(":")[1]
        begun = trick.plus(place, card)
        ends = [played_out(asked.sight, asked.judged, begun, later, hands) for hands in deals]
        average = sum(asked.judged.trick(end, place) for end in ends) / len(ends)
        return average - asked.judged.keep(card, place)

    return max(asked.ids, key=worth)


def played_out(
    sight: Sight, judged: Judge, trick: Trick, later: list[Place], hands: Hands
) -> Trick:
    """The trick if each of the others looks no further than to its own card."""
    for place in later:
        if place == "dummy" and sight.coop:
            trick = trick.plus(place, forced(hands[place], trick.led))
        else:
            trick = reply(judged, trick, place, hands)
    return trick


def reply(judged: Judge, trick: Trick, place: Place, hands: Hands) -> Trick:
    best, most = trick, -100.0
    for card in legal(hands[place], trick.led):
        after = trick.plus(place, card)
        worth = judged.trick(after, place) - judged.keep(card, place)
        if worth > most:
            best, most = after, worth
    return best


def score_candy(asked: Asked) -> str:
    place = asked.about["place"]
    return max(asked.ids, key=lambda id: asked.judged.candy(id.split(":")[1].split("+"), place))


def swap_or_stop(asked: Asked) -> str:
    """What does the trick good as it lies now."""
    place = asked.about["place"]
    now = asked.judged.trick(asked.sight.trick(), place)

    def worth(id: str) -> float:
        if id == "stop":
            return 0.01
        _, put, take = id.split(":")
        then = asked.judged.trick(asked.sight.trick(put, take), place)
        return then - now + 0.1 * (asked.judged.keep(take, place) - asked.judged.keep(put, place))

    return max(asked.ids, key=worth)


def search_pile(asked: Asked) -> str:
    """Always a card: it is one more to play."""
    return max(asked.ids[1:], key=lambda id: asked.judged.keep(id.split(":")[1], asked.sight.me))


def choose_target(asked: Asked) -> str:
    place = asked.about["place"]
    return max(asked.ids, key=lambda id: asked.judged.target(place, _place(id)))


def exchange(asked: Asked) -> str:
    both = {*asked.seats, *map(int, asked.about["chosen"])}
    [other] = both - {asked.sight.me}
    return max(asked.ids, key=lambda id: asked.judged.gift(id.split(":")[1], asked.sight.me, other))


def exchange_with_dummy(asked: Asked) -> str:
    return max(
        asked.ids, key=lambda id: asked.judged.gift(id.split(":")[1], asked.sight.me, "dummy")
    )


def trade_with_dummy(asked: Asked) -> str:
    def worth(id: str) -> float:
        _, give, take = id.split(":")
        return asked.judged.keep(take, asked.sight.me) - asked.judged.keep(give, asked.sight.me)

    return max(asked.ids, key=worth)


def _place(id: str) -> Place:
    place = id.split(":")[1]
    return int(place) if place.isdigit() else place


CHOICES: dict[str, Callable[[Asked], str]] = {
    "choose_token": choose_token,
    "play_card": play_card,
    "score_candy": score_candy,
    "swap_or_stop": swap_or_stop,
    "search_pile": search_pile,
    "search_dummy_pile": search_pile,
    "choose_target": choose_target,
    "exchange": exchange,
    "exchange_with_dummy": exchange_with_dummy,
    "trade_with_dummy": trade_with_dummy,
}
