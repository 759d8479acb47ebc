"""Scenarios: set-up, Place Treats, turn order, two players, variants."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.ghosts_love_candy_too.game import GAME
from games.ghosts_love_candy_too.options import First, Play, Treat
from games.ghosts_love_candy_too.order import ChooseGhosts, OrderOwnTie
from games.ghosts_love_candy_too.order_events import TieByLot
from games.ghosts_love_candy_too.setup import KeepTreats
from games.ghosts_love_candy_too.state import Ghost, Slot
from games.ghosts_love_candy_too.turns import Haunt, Round, Turn
from games.rules import Open, Refused
from tests.games.ghosts_love_candy_too.street import Street, ghost, slot, street, treats

BAG = (
    "LOLLY JUNK JUNK MINT CHOC CORN LICO GUMMY JUNK CHOC BAR MINT MINT LICO CORN LOLLY GUMMY "
    "JUNK MINT CHOC"
)


def stacked(monkeypatch: pytest.MonkeyPatch, bag: str, kids: tuple[int, ...] = ()) -> None:
    """The bag and the kid deck come up in this order, then as they are listed."""
    first: list[Any] = [*treats(bag), *kids]

    def shuffle(dice: Dice, items: Any) -> tuple[Any, ...]:
        left = list(items)
        top = [left.pop(left.index(item)) for item in first if item in left]
        return (*top, *left)

    monkeypatch.setattr(Dice, "shuffle", shuffle)


def gs1(monkeypatch: pytest.MonkeyPatch) -> Street:
    stacked(monkeypatch, BAG)
    match = Street.started(GAME, 4)
    assert isinstance(match, Street)
    return match


def keep(match: Street, seat: int, *tokens: str) -> None:
    match.answer(seat, tuple(Treat(token) for token in tokens))


def test_s01_the_first_treats_and_starting_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    match = gs1(monkeypatch)
    above = [list(each.treats) for each in match.state.row]
    assert above == [["LOLLY"], ["JUNK", "JUNK", "MINT"], ["CHOC"], ["CORN"], ["LICO"], ["GUMMY"]]
    assert [set(held) for held in match.state.held] == [
        {"JUNK", "CHOC", "BAR"},
        {"MINT", "LICO"},
        {"CORN", "LOLLY", "GUMMY"},
        {"JUNK", "MINT", "CHOC"},
    ]
    assert len(match.state.bag) == 56 and len(match.state.deck) == 94
    assert match.asked == KeepTreats((0, 1, 2, 3))
    assert match.form(0).least == match.form(0).most == 2
    assert match.state.hands == ((tuple(range(1, 10)),),) * 4
    assert len(match.state.secrets) == 4 and len(match.state.boxed) == 2
    assert match.view(0)["boxed"] == {"hidden": 2}


def test_s02_what_is_kept_is_secret_until_all_have_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    match = gs1(monkeypatch)
    keep(match, 0, "CHOC", "BAR")
    for viewer in (1, 2, 3, "spectator"):
        question = match.view(viewer)["question"]  # type: ignore[arg-type]
        assert question["seats"] == [1, 2, 3]
        assert question["about"]["chosen"] == {"0": {"hidden": True}}
    keep(match, 1, "LICO", "MINT")
    keep(match, 2, "CORN", "GUMMY")
    keep(match, 3, "CHOC", "MINT")
    assert match.stash("A") == ["CHOC", "BAR"]
    assert match.state.treat_discard == ("JUNK", "MINT", "LOLLY", "JUNK")
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


@pytest.mark.parametrize(
    ("seats", "row", "sets", "draw", "kept", "boxed", "rounds"),
    [
        pytest.param(2, 6, 2, 6, 3, 4, 9, id="s04"),
        pytest.param(3, 6, 1, 4, 2, 3, 9, id="s05"),
        (4, 6, 1, 3, 2, 2, 9),
        (5, 8, 1, 3, 2, 1, 6),
        (6, 8, 1, 3, 2, 0, 6),
    ],
)
def test_s04_s05_what_differs_with_the_count_of_players(
    seats: int, row: int, sets: int, draw: int, kept: int, boxed: int, rounds: int
) -> None:
    match = Street.started(GAME, seats)
    assert len(match.state.row) == row and match.state.rounds == rounds
    assert match.state.hands == ((tuple(range(1, 10)),) * sets,) * seats
    assert {len(held) for held in match.state.held} == {draw}
    assert match.form(match.asked.seats[0]).least == kept
    assert len(match.state.boxed) == boxed


def test_s07_kids_that_serve_more_do_nothing_at_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "CORN CHOC MINT LICO LOLLY GUMMY", (68, 61, 62))
    match = Street.started(GAME, 4)
    assert [each.kid for each in match.state.row][:3] == [68, 61, 62]
    assert [each.treats for each in match.state.row] == [
        (token,) for token in treats("CORN CHOC MINT LICO LOLLY GUMMY")
    ]
    assert match.asked == ChooseGhosts((0, 1, 2, 3)), "all alike were drawn: nothing to choose"


def test_who_drew_one_kind_alone_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "CORN CORN CORN CORN CORN CORN MINT MINT MINT")
    match = Street.started(GAME, 4)
    assert match.asked == KeepTreats((2,))
    bag = "CORN " * 6 + "MINT " * 3 + "CHOC " * 3 + "LICO " * 3 + "GUMMY " * 3
    stacked(monkeypatch, bag)
    match = Street.started(GAME, 4)
    assert match.asked == ChooseGhosts((0, 1, 2, 3))
    assert match.state.stashes[0] == ("MINT", "MINT")


def test_s08_no_treats_are_placed_in_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    match = gs1(monkeypatch)
    before = [each.treats for each in match.state.row]
    for seat in range(4):
        match.answer(seat, match.form(seat).sample(lambda n: 0))
    assert [each.treats for each in match.state.row] == before
    assert match.state.round == 1 and match.asked == ChooseGhosts((0, 1, 2, 3))


def placing(number: int, bag: str, row: dict[int, Slot] | None = None, **given: Any) -> Street:
    """The last turn of a round ends, so that Place Treats of round `number` comes."""
    match = street(row or {}, "", bag=bag, number=number - 1, **given)
    match.lay(hands=(((3, 4),),) * 4)
    empty = next(at for at in (5, 4, 3) if not (row or {}).get(at))
    match.say(f"s{empty}")
    return match


def laid(match: Street) -> list[str]:
    return [" ".join(each.treats) for each in match.state.row]


def test_s10_the_bag_runs_out_during_place_treats() -> None:
    match = placing(9, "JUNK CHOC JUNK", {5: slot(23)}, discard="MINT MINT")
    assert laid(match) == ["JUNK CHOC", "JUNK", "", "", "", ""]
    assert match.kinds().count("PlacementStopped") == 1
    assert match.state.treat_discard == ("MINT", "MINT")
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_s11_a_bar_ends_a_chain_of_junk() -> None:
    match = placing(3, "JUNK JUNK BAR MINT MINT MINT MINT CORN", {5: slot(23)})
    assert laid(match) == ["JUNK JUNK BAR", "MINT", "MINT", "MINT", "MINT", "CORN"]
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_s13_candy_cane_has_its_neighbours_served_once_more() -> None:
    match = placing(3, "CORN CHOC MINT JUNK LICO LOLLY GUMMY CORN CHOC", {1: slot(62), 5: slot(23)})
    assert laid(match) == ["CORN CHOC", "MINT", "JUNK LICO LOLLY", "GUMMY", "CORN", "CHOC"]
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_s14_vacuum_cleaner_takes_all_helpings_of_its_neighbours() -> None:
    bag = "CORN CHOC MINT LICO LOLLY GUMMY BAR CORN CHOC"
    match = placing(3, bag, {1: slot(61), 2: slot(68), 3: slot(62), 5: slot(23)})
    assert laid(match) == [
        "", "CORN CHOC MINT LICO LOLLY", "", "GUMMY", "BAR CORN", "CHOC",
    ]  # fmt: skip
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_with_bag_refill_the_discards_come_up_when_the_bag_is_empty() -> None:
    match = placing(
        9,
        "JUNK CHOC JUNK",
        {5: slot(23)},
        discard="MINT MINT",
        options={"bag_refill": "discards"},
    )
    assert laid(match) == ["JUNK CHOC", "JUNK MINT", "MINT", "", "", ""]
    assert match.kinds().count("BagRefilled") == 1
    assert match.state.treat_discard == () and match.state.bag == ()
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


# Turn order


def choosing(seats: int = 4, row: dict[int, Slot] | None = None, **given: Any) -> Street:
    """All hold ChooseGhost in round `number`."""
    match = street(row or {}, "", seats=seats, **given)
    state = match.state
    ghosts = sum(len(hand) for hand in state.hands)
    pending = [Open("90.0", Round(state.round + 1))]
    pending += [Open(f"90.{at}", Turn()) for at in range(1, ghosts + 1)]
    pending += [Open("90.99", ChooseGhosts(tuple(range(seats))))]
    match.lay(pending=tuple(pending), played=())
    return match


def commit(match: Street, *choices: Any) -> list[Any]:
    told: list[Any] = []
    for seat, values in enumerate(choices):
        given = values if isinstance(values, tuple) else (values,)
        told += match.answer(seat, Play(given))
    match.told = told
    return told


def order(match: Street) -> str:
    return " ".join(f"{'ABCDEF'[g.seat]}{g.value}{'b' * g.of}" for g in match.state.played)


def test_s16_turns_go_from_the_highest_ghost_to_the_lowest() -> None:
    match = choosing()
    commit(match, 4, 9, 1, 6)
    assert order(match) == "B9 D6 A4 C1"
    assert match.state.hands[1] == ((1, 2, 3, 4, 5, 6, 7, 8),)
    assert match.asked == Haunt(1)


def test_s17_a_committed_ghost_is_secret_and_stands() -> None:
    match = choosing()
    match.answer(0, Play((9,)))
    question = match.view(1)["question"]
    assert question["seats"] == [1, 2, 3]
    assert question["about"]["chosen"] == {"0": {"hidden": True}}
    assert match.view(1)["hands"][0] == [[1, 2, 3, 4, 5, 6, 7, 8, 9]]
    with pytest.raises(Refused) as refused:
        match.answer(0, Play((3,)))
    assert refused.value.code == "not_asked"
    assert match.asked.seats == (1, 2, 3)


def test_s19_tied_players_draw_kids_for_their_numbers() -> None:
    match = choosing(deck=[12, 40])
    commit(match, 7, 7, 9, 2)
    assert order(match) == "C9 B7 A7 D2"
    assert match.state.kid_discard == (12, 40) and match.state.tie_cards == ()
    assert match.asked == Haunt(2)


def test_s20_one_tie_after_the_other_seats_in_order() -> None:
    match = choosing(5, deck=[5, 33, 20, 61, 2])
    commit(match, 8, 8, 8, 3, 3)
    assert order(match) == "B8 C8 A8 D3 E3"
    assert match.state.kid_discard == (5, 33, 20, 61, 2)
    assert match.asked == Haunt(1)


def test_s22_too_few_kids_to_draw_chance_decides() -> None:
    match = choosing(3, deck=[17])
    told = commit(match, 5, 5, 5)
    lots = [event for event in told if type(event).__name__ == "TieByLot"]
    assert len(lots) == 1
    assert [g.seat for g in match.state.played] == list(lots[0].order)
    assert match.state.deck == (17,)
    assert match.asked == Haunt(lots[0].order[0])


def test_s23_full_moon_turns_the_order_round_but_not_the_ties() -> None:
    match = choosing(row={2: slot(69)}, deck=[8, 30])
    commit(match, 4, 4, 9, 1)
    assert order(match) == "D1 B4 A4 C9"
    assert match.asked == Haunt(3)


def test_s25_race_driver_wins_ties_in_the_next_round_alone() -> None:
    match = street({0: slot(45)}, "A3", number=3)
    match.say("s0")
    assert match.state.wins == (4, 0, 0, 0)
    assert match.asks == ("Haunt", "D")
    wins = match.state.wins
    match = choosing(number=4)
    match.lay(wins=wins)
    told = commit(match, 6, 6, 2, 1)
    assert order(match).startswith("A6 B6")
    assert not [event for event in told if type(event).__name__ == "TieCardDrawn"]
    assert match.asked == Haunt(0)
    match = choosing(number=5, deck=[10, 20])
    match.lay(wins=wins)
    commit(match, 4, 4, 2, 1)
    assert order(match).startswith("B4 A4")
    assert match.asked == Haunt(1)


def test_s26_two_who_win_ties_draw_among_themselves() -> None:
    match = choosing(number=4, deck=[10, 20, 30, 15], B_kids=[92])
    match.lay(wins=(4, 0, 0, 0))
    commit(match, 7, 7, 7, 7)
    assert order(match) == "B7 A7 C7 D7"
    assert match.asked == Haunt(1)


# Two players: J is seat 0, S seat 1


def test_s118_a_leftover_double_follows_without_drawing() -> None:
    match = choosing(2, deck=[20, 48])
    commit(match, (5, 5), (5, 1))
    assert match.asked == OrderOwnTie((0,))
    match.answer(0, First(0))
    assert order(match) == "B5 A5 A5b B1b"
    assert match.state.kid_discard == (20, 48)
    assert match.asked == Haunt(1)


def test_s119_two_doubles_draw_again_and_again() -> None:
    match = choosing(2, deck=[40, 10, 11, 22, 50, 9])
    commit(match, (5, 5), (5, 5))
    assert match.asked == OrderOwnTie((0, 1))
    match.answer(0, First(1))
    match.answer(1, First(0))
    assert order(match) == "A5b B5 A5 B5b"
    assert match.state.kid_discard == (40, 10, 11, 22, 50, 9)
    assert match.asked == Haunt(0)


def test_s121_nobody_ties_with_themselves() -> None:
    match = choosing(2, deck=[20, 48])
    commit(match, (6, 6), (9, 2))
    match.answer(0, First(1))
    assert order(match) == "B9 A6b A6 B2b"
    assert match.state.deck == (20, 48)
    assert match.asked == Haunt(1)


def test_s122_who_wins_ties_is_next_without_drawing() -> None:
    match = choosing(2, deck=[20, 48], B_kids=[92])
    commit(match, (5, 5), (5, 1))
    match.answer(0, First(0))
    assert order(match) == "B5 A5 A5b B1b"
    assert match.state.deck == (20, 48)
    assert match.asked == Haunt(1)


def test_both_win_ties_so_both_draw_as_usual() -> None:
    match = choosing(2, deck=[20, 48], A_kids=[92], number=3)
    match.lay(wins=(0, 3))
    commit(match, (5, 2), (5, 1))
    assert order(match) == "B5 A5 A2b B1b"
    assert match.asked == Haunt(1)


def test_s124_two_ghosts_of_one_set_are_refused() -> None:
    match = choosing(2)
    match.lay(hands=(((5, 7), (1, 2)), ((3, 4), (3, 4))))
    with pytest.raises(Refused) as refused:
        match.answer(0, Play((5, 7)))
    assert refused.value.code == "not_an_option"
    id = match.state.pending[-1].id
    with pytest.raises(Refused) as refused:
        match.table.picked(0, id, "play:5+7")
    assert refused.value.code == "not_an_option"
    assert match.table.picked(0, id, "play:5+1") == Play((5, 1))
    assert match.asked == ChooseGhosts((0, 1))


def test_s125_alien_takes_a_ghost_of_the_same_set_back_to_the_hand() -> None:
    match = street({0: slot(31)}, "A7 A9b", seats=2)
    match.lay(hands=(((3,), (4,)), ((1,), (1,))))
    match.say("s0")
    assert match.asks == ("UseAbility", "A")
    match.say("yes")
    assert match.under(0) == "A3"
    assert match.state.hands[0] == ((7,), (4,))
    assert match.asked == Haunt(0)


# Variants


def test_s127_the_easier_game_has_no_junk_and_thirty_kids() -> None:
    match = Street.started(GAME, 4, easier=True)
    state = match.state
    lying = [*state.bag, *(t for each in state.row for t in each.treats)]
    lying += [token for held in state.held for token in held]
    assert len(lying) == 66 and "JUNK" not in lying and lying.count("BAR") == 6
    kids = [*state.deck, *(each.kid for each in state.row)]
    assert sorted(kids) == list(range(1, 31))
    assert isinstance(match.asked, KeepTreats)


SUPER = {"super_kid": True}


def test_s128_a_scared_kid_gets_a_candy_back() -> None:
    match = street({1: slot(1, "B5")}, "A7", deck=[24], bag="MINT", A="LOLLY CHOC", options=SUPER)
    match.say("s1")
    assert match.kids("A") == [1] and match.row()[1] == 24
    assert match.asks == ("GiveBack", "A") and match.offers == ["CHOC", "LOLLY"]
    match.say("LOLLY")
    assert match.stash("A") == ["CHOC"] and match.state.treat_discard == ("LOLLY",)
    assert match.state.bag == ("MINT",)
    assert match.asks == ("Haunt", "D")


@pytest.mark.parametrize(("before", "after"), [("", []), ("MINT", []), ("MINT MINT", ["MINT"])])
def test_s128_with_one_kind_or_no_candy_nothing_is_asked(before: str, after: list[str]) -> None:
    match = street({1: slot(1, "B5")}, "A7", deck=[24], A=before, options=SUPER)
    match.say("s1")
    assert match.stash("A") == after
    assert match.asks == ("Haunt", "D")


def test_s130_no_kid_changes_courage_or_bars_ghosts() -> None:
    match = street({1: slot(59), 2: slot(6), 3: slot(72)}, "A6", options=SUPER)
    assert "s3" in match.offers
    match = street({1: slot(59), 2: slot(6, "B9")}, "A7", deck=[24], options=SUPER)
    match.say("s2")
    assert match.kids("A") == [6]
    assert match.asks == ("Haunt", "D")


def test_s131_random_ghosts_are_not_chosen() -> None:
    match = Street.started(GAME, 2, random_ghosts=True)
    assert isinstance(match, Street)
    told: list[Any] = []
    for seat in match.asked.seats:
        told += match.answer(seat, match.form(seat).sample(lambda n: 0))
    picked = [event for event in told if type(event).__name__ == "GhostsPicked"]
    assert [len(event.values) for event in picked] == [2, 2]
    assert all(len(own) == 8 for hand in match.state.hands for own in hand)
    assert isinstance(match.asked, Haunt | OrderOwnTie)


def test_ghost_notation() -> None:
    assert ghost("B5b*") == Ghost(1, 5, 1, True)


def test_s22_a_lot_alone_tells_whether_the_dice_gave_it() -> None:
    def dice() -> Dice:
        return Dice(b"seed", "match", 3, 9)

    lot = TieByLot(5, dice().shuffle((0, 2, 3)))
    state = choosing(3, deck=[17]).state
    assert lot.redrawn(dice(), state) == lot
    assert TieByLot(5, lot.order[::-1]).redrawn(dice(), state) == lot
