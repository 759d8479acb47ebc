"""A player that follows rules of thumb; it sees its seat's view and the open question.

It guesses what the others may hold, plays the trick out with each card it may play, everybody
doing what is best for their side at once, and takes the card that does best on average.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.forms import Below
from games.trickn_treat.guesses import Hands, Place, Sight, Trick, forced, legal
from games.trickn_treat.judging import Judge, judge
from games.trickn_treat.tables import TOKENS

Question = dict[str, Any]

GUESSES = 8
REPLIES = 200
"""How many replies of others are thought of for one answer, which bounds the time it takes."""


def bot(view: dict[str, Any], question: Question, below: Below) -> str:
    """The id of one of the options."""
    ids = [option["id"] for option in question["form"]["options"]]
    if len(ids) == 1:
        return str(ids[0])
    sight = Sight(view)
    judged = judge(sight)
    return CHOICES[question["kind"]](sight, judged, question, ids, below)


def choose_token(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    """The colour in which the hand is least likely to win."""

    def strength(id: str) -> int:
        colour = TOKENS[id.split(":")[1]].candy_side
        return sum(int(card[1:]) - 8 for card in sight.hand if card[0] == colour and len(card) > 2)

    return min(ids, key=strength)


def play_card(sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below) -> str:
    place = question["about"]["place"]
    later = sight.later(place)
    guesses = min(GUESSES, max(4, REPLIES // (len(ids) * len(later) or 1)))
    trick, deals = sight.trick(), sight.deals(later, guesses, below)

    def worth(id: str) -> float:
        card = id.split(":")[1]
        begun = trick.plus(place, card)
        ends = [played_out(sight, judged, begun, later, hands) for hands in deals]
        average = sum(judged.trick(end, place) for end in ends) / len(ends)
        return average - judged.keep(card, place)

    return max(ids, key=worth)


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


def score_candy(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    place = question["about"]["place"]
    return max(ids, key=lambda id: judged.candy(id.split(":")[1].split("+"), place))


def swap_or_stop(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    """What does the trick good as it lies now."""
    place = question["about"]["place"]
    now = judged.trick(sight.trick(), place)

    def worth(id: str) -> float:
        if id == "stop":
            return 0.01
        _, put, take = id.split(":")
        then = judged.trick(sight.trick(put, take), place)
        return then - now + 0.1 * (judged.keep(take, place) - judged.keep(put, place))

    return max(ids, key=worth)


def search_pile(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    """Always a card: it is one more to play."""
    return max(ids[1:], key=lambda id: judged.keep(id.split(":")[1], sight.me))


def choose_target(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    place = question["about"]["place"]
    return max(ids, key=lambda id: judged.target(place, _place(id)))


def exchange(sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below) -> str:
    both = {*question["seats"], *map(int, question["about"]["chosen"])}
    [other] = both - {sight.me}
    return max(ids, key=lambda id: judged.gift(id.split(":")[1], sight.me, other))


def exchange_with_dummy(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    return max(ids, key=lambda id: judged.gift(id.split(":")[1], sight.me, "dummy"))


def trade_with_dummy(
    sight: Sight, judged: Judge, question: Question, ids: list[str], below: Below
) -> str:
    def worth(id: str) -> float:
        _, give, take = id.split(":")
        return judged.keep(take, sight.me) - judged.keep(give, sight.me)

    return max(ids, key=worth)


def _place(id: str) -> Place:
    place = id.split(":")[1]
    return int(place) if place.isdigit() else place


CHOICES: dict[str, Callable[[Sight, Judge, Question, list[str], Below], str]] = {
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
