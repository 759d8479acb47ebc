"""What happened, in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from games import sight
from games.catalog import GAMES
from games.game import Card, Game
from games.referee import AnyTableEvent
from replay import changes, words
from replay.board import board
from replay.words import MATCH, brief, parted, seat_by_seat, sentence, sentences
from tests.play import random_match
from tests.replay.recordings import story, whole
from tests.toy.pumpkin_patch.game import GAME

CREATED = {"type": "created", "game": "pumpkin-patch", "edition": "", "options": {}, "seats": 2}


def test_every_commit_of_a_match_is_told() -> None:
    told = [sentences(GAME, each.events, each.named["by"]) for each in story(whole()).tellings]
    assert all(told)
    assert told[0] == ["A match of pumpkin-patch is opened for 2."]
    assert "Everybody has two pumpkins in hand." in told[3]
    assert told[4] == ["Seat 0 answers: show 4."] or told[4][0].startswith("Seat 0 answers: show")


def test_a_secret_answer_is_told_without_what_it_was() -> None:
    told = [sentences(GAME, telling.events, 0) for telling in story(whole(), 1).tellings]
    assert told[4] == ["Seat 0 has chosen; what, stays hidden."]


def test_every_event_of_a_match_has_its_sentence() -> None:
    kinds = {kind.__struct_config__.tag for kind in AnyTableEvent.__args__}
    assert set(MATCH) == kinds


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({**CREATED, "edition": "x", "options": {"a": True}}, "edition x is opened for 2 with a="),
        ({"type": "forfeited", "winners": [1]}, "Seat 1 is the last one left and wins."),
        ({"type": "forfeited", "winners": []}, "Nobody is left: the match ends."),
        ({"type": "aborted", "cause": "abandoned"}, "The match is abandoned"),
        ({"type": "reverted", "to": 7}, "where it stood after version 7"),
        ({"type": "undo_asked", "seat": 1, "to": 7}, "Seat 1 asks to go back to version 7."),
        ({"type": "undo_agreed", "seat": 2}, "Seat 2 agrees"),
        ({"type": "undo_declined", "seat": 2}, "Seat 2 is not for"),
        ({"type": "undo_expired"}, "the time to agree is over"),
        (
            {"type": "dispute_opened", "seat": 1, "steps": ["5"]},
            "disputes what happened at step 5.",
        ),
        ({"type": "dispute_noted", "dispute": 1}, "A referee notes something on dispute 1."),
        ({"type": "appealed", "seat": 1, "dispute": 1}, "Seat 1 appeals against the ruling"),
        ({"type": "ruled", "dispute": 1, "upheld": False, "correction": None}, "1 is rejected."),
        (
            {"type": "ruled", "dispute": 2, "upheld": True, "correction": {"winners": [0, 2]}},
            "Dispute 2 is upheld: the result is corrected, and seat 0 and seat 2 win.",
        ),
        (
            {"type": "words_removed", "dispute": 1, "version": 9, "author": "ref_1"},
            "The words said on dispute 1 in version 9 are removed.",
        ),
        ({"type": "closed_sealed", "seed": {"hidden": True}}, "stays with the auditor"),
        ({"hidden": True}, "Something happens that stays hidden."),
        (["later", 1], "only a newer version can tell (later)"),
        ([], "stays hidden"),
    ],
)
def test_a_sentence(event: Any, said: str) -> None:
    assert said in sentence(GAME, event)


@pytest.mark.parametrize(
    ("event", "host", "referee"),
    [
        (
            {"type": "kicked", "seat": 1},
            "Seat 1 is emptied by the host.",
            "Seat 1 is emptied by a referee.",
        ),
        (
            {"type": "forfeited", "winners": [1]},
            "Seat 1 is the last one left and wins.",
            "A referee ends the match: seat 1 wins.",
        ),
        (
            {"type": "forfeited", "winners": [0, 2]},
            "Seat 0, 2 is the last one left and wins.",
            "A referee ends the match: seat 0 and seat 2 win.",
        ),
        (
            {"type": "aborted", "cause": "aborted"},
            "The match is aborted: it ends without a result.",
            "A referee ends the match without a result.",
        ),
        (
            {"type": "reverted", "to": 7},
            "The game goes back to where it stood after version 7.",
            "A referee takes the game back to where it stood after version 7.",
        ),
        (
            {"type": "reverted", "to": 7, "author": "ref_1", "reason": "a wrong [card]"},
            "The game goes back to where it stood after version 7.",
            "A referee (ref_1) takes the game back to where it stood after version 7: "
            "a wrong [card]",
        ),
        ({"type": "left", "seat": 1}, "Seat 1 is left.", "Seat 1 is left."),
    ],
)
def test_who_did_it_is_told(event: Any, host: str, referee: str) -> None:
    assert sentences(GAME, [event], "host") == [host]
    assert sentences(GAME, [event], "admin") == [referee]


def test_data_in_a_few_words() -> None:
    assert brief({"type": "put_down", "card": "X1", "at": [1, 2]}) == "put down X1 1, 2"
    assert brief({"hidden": 3}) == "3 hidden" and brief({"hidden": 1}) == "1 hidden"
    assert brief({"hidden": True}) == "hidden"
    assert brief({"a": None, "b": ""}) == "a: –; b: –"
    assert brief({"card": "X1", "doubled": False}) == "X1"
    assert brief({"card": "X1", "face_up": True, "doubled": True}) == "X1 (face up, doubled)"
    assert brief({"card": "X1", "at": 2, "doubled": True}) == "card: X1; at: 2 (doubled)"
    assert brief({"0": True, "1": False}) == "0: yes; 1: no"
    assert [brief(v) for v in ([], {}, True, False, 0)] == ["–", "–", "yes", "no", "0"]
    assert brief(["X1", "X2"], {"X1": "Gum"}) == "Gum, X2"


def test_names_are_given_where_an_id_means_one_thing() -> None:
    import msgspec

    cards = (Card("A", "card", "Apple"), Card("A", "basket", "Basket A"), Card("B", "card", "Bun"))
    assert words.names(msgspec.structs.replace(GAME, cards=cards)) == {"A": "A", "B": "Bun"}


def test_headings() -> None:
    assert words.actor(2) == "Seat 2" and words.actor("host") == "The host"
    assert words.moment(1_761_937_203_000) == "2025-10-31 19:00:03"
    assert words.name(0) == "seat 0" and words.name("auditor") == "the auditor"
    assert sight.snake("ClosedSealed") in MATCH


def test_what_has_parts_is_told_part_by_part() -> None:
    assert parted([["X1"], []]) == [("0", ["X1"]), ("1", [])]
    assert parted({"face_up": ["X1"], "n": 2}) == [("face up", ["X1"]), ("n", 2)]
    assert parted(["X1"]) == parted({"hidden": 2}) == parted(7) == []


def test_what_a_game_says_is_seat_by_seat() -> None:
    """Three houses are those of no seat, though three may sit there."""
    game = GAMES["trick-or-treat"]
    assert seat_by_seat(game, "hands", [["X1"], {"hidden": 2}], 2)
    assert seat_by_seat(game, "kids", ["ninja", "witch", "elf"], 3)
    for key, value in [("houses", ["X1", "X2"]), ("sets", ["X1", "X2"]), ("kids", [])]:
        assert not seat_by_seat(game, key, value, 2)
    assert not seat_by_seat(game, "hands", {"hidden": 2}, 1)


@pytest.mark.parametrize("game", [*GAMES.values(), GAME], ids=lambda game: game.id)
def test_every_list_that_is_seat_by_seat_has_as_many_parts(game: Game) -> None:
    assert set(game.by_seat) <= set(game.state.__struct_fields__)
    for seed in range(4):
        match = random_match(game, seed)
        for key in game.seated:
            assert len(getattr(match.state, key)) in (0, match.seats), key


def test_of_a_record_what_is_other_is_told() -> None:
    def told(was: object, now: object) -> list[str]:
        def view(tiles: object) -> dict[str, Any]:
            return {"match": {"seats": [0, 1]}, "game": {"tiles": tiles}}

        return list(changes.words(GAME, view(was), view(now)))

    tile = {"kind": "trick", "by": 0}
    assert told({"d2": tile}, {"o9": tile}) == ["tiles: - d2; + o9: kind: trick; by: 0"]
    assert told({"a_b": 1, "c": 2}, {"a_b": 1, "c": 3}) == ["tiles: c: 2 → 3"]
    assert told({"hidden": 2}, {"hidden": 3}) == ["tiles: 2 hidden → 3 hidden"]
    assert told([[1, 2], [3]], [[1], [3, 4]]) == ["tiles: 0: - 2; 1: + 4"]
    assert told([[1, 2]], [[2]]) == ["tiles: - 1"]
    assert told([[1, 2]], [[2], [1]]) == ["tiles: + 2, 1; - 1, 2"]
    (long,) = told({"hidden": 40}, [f"Chocolate {n}" for n in range(40)])
    assert long.endswith("Chocolate 9, …") and len(long) <= changes.LONGEST
    (longer,) = told("", "x" * 200)
    assert longer.endswith("x…") and len(longer) == changes.LONGEST


def test_what_is_hidden_as_a_whole_is_no_one_seats() -> None:
    """However many things there are: two letters that nobody got are not those of two seats."""
    game = GAMES["tricks-and-treats"]
    match = random_match(game, 1, limit=2)
    view = match.table.view("auditor")
    assert match.seats == len(match.state.undealt) == 2
    shown = {
        **{"match": "M", "step": "5", "steps": 6, "viewer": "auditor", "at": 0, "by": 0},
        **{"says": [], "view": view, "unknown": None, "asked": None, "answer": None},
    }
    told = board(game, shown)
    assert f"undealt: {', '.join(match.state.undealt)}\n" in told
    assert "hands:\n  seat 0: " in told
