"""Rulings that no scenario shows: what runs out, what is combined, what is odd in an edition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.ghosts_love_candy_too.game import GAME, from_data
from games.ghosts_love_candy_too.options import First
from games.ghosts_love_candy_too.sheet import SHEETS
from games.ghosts_love_candy_too.standing import total
from games.rules import Refused
from tests.games.ghosts_love_candy_too.cases import NEXT
from tests.games.ghosts_love_candy_too.street import Street, slot, street
from tests.games.ghosts_love_candy_too.test_scenarios_setup import choosing, commit, order


def test_gr14_an_empty_deck_is_made_anew_from_the_discarded_kids() -> None:
    match = street({2: slot(23, "B9")}, "A9", kid_discard=[1, 2, 3])
    match.say("s2")
    assert "DeckShuffled" in match.kinds()
    assert match.row()[2] in (1, 2, 3) and len(match.state.deck) == 2
    assert match.state.kid_discard == () and match.asks == NEXT


def test_gr14_in_the_middle_of_a_tie_and_kids_under_the_deck_come_last() -> None:
    match = choosing(deck=[5], kid_discard=[30])
    match.lay(under=(9,))
    commit(match, 7, 7, 7, 1)
    assert order(match) == "C7 B7 A7 D1"
    assert match.state.kid_discard == (5, 9, 30) and match.state.deck == ()


def test_gr20_a_kid_about_to_be_scared_still_acts() -> None:
    match = street({2: slot(1, "B9")}, "A9", bag="MINT", deck=[24])
    match.say("s2")
    assert match.stash("A") == ["MINT"] and match.kids("A") == [1] and match.asks == NEXT


def test_gr22_a_kid_without_ghosts_is_never_scared() -> None:
    row = {1: slot(60), 2: slot(67), 3: slot(60)}
    match = street(row, "A1")
    match.say("s5")
    assert match.row()[2] == 67 and match.asks == NEXT


def test_gr40_two_ghosts_of_one_player_on_one_kid_are_two_turns() -> None:
    match = street({2: slot(1)}, "A3 A2b", seats=2, bag="MINT CHOC")
    match.say("s2")
    assert match.asks == ("Haunt", "A")
    match.say("s2")
    assert match.under(2) == "A3 A2b" and match.stash("A") == ["CHOC", "MINT"]


def test_gr47_the_last_ghosts_of_all_are_played_without_a_question() -> None:
    match = street({}, "", bag="MINT " * 6)
    match.lay(hands=(((3,),), ((4,),), ((5,),), ((6,),)))
    match.say("s0")
    assert order(match) == "D6 C5 B4 A3" and match.asks == NEXT


def test_gr66_the_ends_of_a_row_are_its_first_and_last_kids() -> None:
    row = {1: slot(6, "", "MINT"), 2: slot(21), 4: slot(8, "", "CHOC")}
    match = street(row, "A3", fill=False)
    match.say("s2")
    assert match.offers == ["s1", "s4"]
    match.say("s4")
    assert match.stash("A") == ["CHOC"] and match.asks == NEXT


def test_gr64_kid_57_may_bring_back_the_kid_it_discards() -> None:
    match = street({2: slot(57), 3: slot(8)}, "A3")
    match.say("s2", "yes", "s3")
    assert match.row()[3] == 8 and match.above(3) == []
    assert match.asks == NEXT


def test_kids_in_empty_slots_close_no_gap_but_slide_with_them() -> None:
    match = street({0: slot(38), 1: slot(1), 4: slot(2)}, "A3", fill=False)
    match.say("s0", "yes")
    assert match.row() == [1, 0, 0, 2, 0, 38] and match.asks == NEXT


REFILL: dict[str, Any] = {"options": {"bag_refill": "discards"}, "discard": "CHOC CHOC"}


@pytest.mark.parametrize(
    ("kid", "bag", "say", "stash"),
    [
        (1, "", [], ["CHOC"]),
        (54, "MINT", [], ["MINT"]),
        (44, "JUNK", ["CHOC"], ["CHOC"]),
        (22, "JUNK", [], []),
    ],
)
def test_gr3_with_bag_refill_a_draw_or_search_goes_on(
    kid: int, bag: str, say: list[str], stash: list[str]
) -> None:
    match = street({2: slot(kid)}, "A3", bag=bag, **REFILL)
    match.say("s2", *say)
    assert match.kinds().count("BagRefilled") == 1
    assert set(stash) <= set(match.stash("A")) and match.asks == NEXT


def test_gr3_without_it_the_discards_stay_where_they_are() -> None:
    match = street({2: slot(1)}, "A3", discard="CHOC CHOC")
    match.say("s2")
    assert match.stash("A") == [] and match.state.treat_discard == ("CHOC", "CHOC")


@pytest.mark.parametrize("options", [
    {"easier": True, "super_kid": True},
    {"easier": True, "random_ghosts": True},
    {"super_kid": True, "random_ghosts": True},
    {"easier": True, "super_kid": True, "random_ghosts": True, "bag_refill": "discards"},
])  # fmt: skip
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_variants_are_combined(options: dict[str, Any], seats: int) -> None:
    match = Street.started(GAME, seats, **options).play(lambda n: 0)
    told = {type(event).__name__ for commit in match.commits for event in commit.events}
    assert match.table.result is not None
    assert ("AbilityUsed" in told) is not bool(options.get("super_kid"))
    assert ("GhostsShown" in told) is not bool(options.get("random_ghosts"))
    lying = [match.state.bag, match.state.treat_discard, *match.state.stashes]
    assert not any("JUNK" in zone for zone in lying)
    if options.get("super_kid"):
        assert all(score.kids == score.junk == score.bonus == 0 for score in match.state.scores)
    if options.get("easier"):
        assert {slot.kid for slot in match.state.row} <= set(range(31))


def test_random_ghosts_of_two_players_may_still_be_equal_and_are_ordered() -> None:
    match = choosing(2)
    commit(match, (4, 4), (9, 8))
    assert match.form(0).options == (First(0), First(1))
    labels = [option.label() for option in match.form(0).options]
    assert labels == ["The ghost of the first set", "The ghost of the second set"]


# The same words in an edition


def edition(effect: dict[str, Any], *icons: str, **changes: Any) -> Any:
    """Our kids, but kid 1 does this."""
    kids = json.loads((GAME.data[GAME.data.index(b'{\n "edition"') :]).decode())["kids"]
    kids[0].update(effect=effect, icons=list(icons), **changes)
    return from_data(json.dumps({"edition": "odd", "kids": kids}).encode())


@pytest.fixture(autouse=True)
def _left_as_found() -> Iterator[None]:
    yield
    SHEETS.pop("odd", None)


def odd(effect: dict[str, Any], **given: Any) -> Street:
    """A haunts that kid in s2 with a 3."""
    row = {2: slot(1, given.pop("ghosts", "")), **given.pop("row", {})}
    match = street(row, given.pop("turns", "A3"), game=edition({"now": [effect]}), **given)
    match.say("s2")
    return match


def test_two_kids_that_copy_do_not_copy_each_other() -> None:
    match = odd({"op": "copy", "of": "ADJ1"}, row={1: slot(43), 3: slot(9)})
    assert "AbilityUsed" not in match.kinds() and match.asks == NEXT


@pytest.mark.parametrize(
    ("effect", "given"),
    [
        ({"op": "transfer", "from": "LEFT", "to": "LEFT", "n": 1, "pick": "you"}, {"B": "MINT"}),
        ({"op": "ghostExchange"}, {}),
        ({"op": "ghostSink"}, {}),
        ({"op": "kidToEnd"}, {}),
        ({"op": "kidSwap", "a": "SELF", "b": "ADJ1"}, {}),
        ({"op": "take", "from": "ADJ", "n": 1}, {}),
    ],
)
def test_what_the_kid_does_to_itself_first_leaves_later_steps_nothing(
    effect: dict[str, Any], given: dict[str, Any]
) -> None:
    """The kid discards its own ghost and then itself; the step after finds nobody."""
    gone = [
        {"op": "ghostDiscard", "of": "SELF", "which": "own"},
        {"op": "kidReplace", "of": "ANY_KID"},
        effect,
    ]
    others = {0: 6, 1: 8, 4: 18, 5: 27}
    row = {at: slot(kid, "B1") for at, kid in others.items()}
    row |= {2: slot(1), 3: slot(56, "B1", "MINT")}
    match = street(row, "A3", game=edition({"now": gone}), deck=[24], **given)
    match.say("s2")
    assert match.row()[2] == 24 and match.state.kid_discard == (1,)
    assert match.asks == NEXT


def test_words_of_owners_and_several_kids() -> None:
    match = odd({"op": "take", "from": "EVERY_KID", "n": "all", "who": "BOTTOM"},
                ghosts="B1", row={0: slot(8, "", "MINT"), 5: slot(6, "", "JUNK CHOC")})  # fmt: skip
    assert match.stash("B") == ["CHOC", "MINT", "JUNK"] and match.asks == NEXT


def test_a_shift_within_reach_of_its_source() -> None:
    effect = {"op": "shift", "from": "SELF", "to": "NEXT_TO_SOURCE", "n": 1}
    put = {"op": "put", "on": "SELF", "n": 1}
    match = street({2: slot(1)}, "A3", game=edition({"now": [put, effect]}), bag="MINT")
    match.say("s2", "s1")
    assert match.above(1) == ["MINT"] and match.asks == NEXT


def test_a_may_of_the_owner_is_asked_of_the_owner() -> None:
    effect = {"end": [{"op": "take", "who": "TOP", "from": "ADJ1", "n": 1, "may": True}]}
    match = street({2: slot(1, "C3"), 1: slot(8, "", "MINT CHOC")}, "", number=9,
                   game=edition(effect, "EGN"))  # fmt: skip
    match.say("s5")
    assert match.asks == ("UseAbility", "C")
    match.say("yes")
    assert match.asks == ("PickTreat", "C")
    match.say("CHOC")
    assert match.stash("C") == ["CHOC"] and match.asked is None


def test_a_draw_at_the_end_or_in_a_scare_may_be_declined() -> None:
    effect = {"scared": [{"op": "draw", "who": "EACH", "n": 1, "may": True}]}
    match = street({2: slot(1, "C9")}, "A9", bag="MINT CHOC", deck=[24],
                   game=edition(effect, "WS"))  # fmt: skip
    match.say("s2", "no", "yes", "no", "yes")
    assert [match.stash(s) for s in "ABCD"] == [[], ["MINT"], [], ["CHOC"]]
    assert match.asks == NEXT


def test_treats_for_a_kid_of_an_empty_row_are_discarded() -> None:
    effect = {"scared": [{"op": "draw", "who": "RECEIVER", "n": 2, "keep": 1, "rest": "kid"}]}
    game = edition(effect, "WS")
    match = street({2: slot(1, "C9")}, "A9", bag="MINT CHOC", fill=False, game=game, number=9)
    match.say("s2", "MINT")
    assert match.stash("A") == ["MINT"] and match.state.treat_discard == ("CHOC",)
    assert match.asked is None


def test_nobody_takes_where_nobody_received_the_kid() -> None:
    effect = {
        "scare": [{"mod": "toDiscard"}],
        "scared": [{"op": "take", "who": "RECEIVER", "from": "ADJ", "n": 1}],
    }
    row = {2: slot(1, "C9"), 3: slot(8, "", "MINT")}
    match = street(row, "A9", deck=[24], game=edition(effect, "WS", "AAK"))
    match.say("s2")
    assert match.above(3) == ["MINT"] and match.state.kid_discard == (1,)
    assert match.asks == NEXT


def test_nothing_is_served_on_a_kid_that_did_not_come() -> None:
    steps = [
        {"op": "kidReplace", "of": "OTHER_KID", "may": True},
        {"op": "serve", "on": "NEW"},
    ]
    match = street({2: slot(1)}, "A3", bag="MINT", deck=[9], game=edition({"now": steps}))
    match.say("s2", "no")
    assert match.state.bag == ("MINT",) and match.asks == NEXT


@pytest.mark.parametrize(
    "given", [{"colour": 1}, {"easier": "yes"}, {"bag_refill": "always"}, {"super_kid": 1}]
)
def test_other_options_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        GAME.checked_options(given)
    assert refused.value.code == "bad_option"


def test_there_is_no_result_before_the_end() -> None:
    assert GAME.result(street({}, "").state) is None


def test_a_lucky_number_of_weak_ghosts_counts_nothing_below_zero() -> None:
    match = street({2: slot(70, "A3*")}, "A3", A_kids=[93])
    assert total(match.state, 2) == 0
