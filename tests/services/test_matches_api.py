"""Matches and seats over HTTP: made, joined, started, left, ended."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.services.api import ADMIN, TOY, Client, etag


async def new_player(api: Client, player: str = "") -> str:
    body = {"scope": "player", **({"player": player} if player else {})}
    reply = await api.post("/v1/tokens", ADMIN, json=body)
    assert reply.status_code == 201, reply.text
    return str(reply.json()["token"])


class TestCreating:
    async def test_gives_a_match_with_tokens(self, api: Client) -> None:
        reply = await api.post("/v1/matches", json={"game": TOY, "seats": 3})
        made = reply.json()
        assert reply.status_code == 201
        assert reply.headers["location"] == f"/v1/matches/{made['match']}"
        assert reply.headers["etag"] == etag(reply.json())
        assert made["host_token"].startswith("hs_host_")
        assert made["watch_token"].startswith("hs_view_")
        assert made["view"]["status"] == "lobby" and len(made["view"]["match"]["seats"]) == 3

    async def test_sent_again_it_is_the_same_match(self, api: Client) -> None:
        key, body = str(uuid4()), {"game": TOY, "seats": 2}
        first = await api.post("/v1/matches", key=key, json=body)
        again = await api.post("/v1/matches", key=f'"{key}"', json=body)
        assert again.headers["idempotent-replayed"] == "true"
        assert first.json() == {**again.json(), "again": False}
        other = await api.post("/v1/matches", key=key, json={"game": TOY, "seats": 3})
        assert (other.status_code, other.json()["code"]) == (422, "key_reused")

    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"game": "chess", "seats": 2}, 404, "unknown_game"),
            ({"game": TOY, "seats": 2, "edition": "x"}, 404, "unknown_edition"),
            ({"game": TOY, "seats": 9}, 422, "bad_seats"),
            ({"game": TOY, "seats": 2, "options": {"x": 1}}, 422, "bad_option"),
            ({"game": TOY}, 422, "bad_body"),
            ({"game": TOY, "seats": "2"}, 422, "bad_body"),
            ({"game": TOY, "seats": 2, "surplus": 1}, 422, "bad_body"),
        ],
    )
    async def test_refusals(self, api: Client, body: object, status: int, code: str) -> None:
        reply = await api.post("/v1/matches", json=body)
        assert (reply.status_code, reply.json()["code"]) == (status, code)
        assert not [match async for match in api.desk.store.matches()]

    async def test_a_rematch_is_of_the_same_kind(self, api: Client) -> None:
        match = await api.playing(3, listed=False)
        early = await api.post(f"{match.path}/rematch", match.host)
        assert early.json()["code"] == "not_over"
        await api.post(f"{match.path}/abort", match.host)
        made = (await api.post(f"{match.path}/rematch", match.host)).json()
        assert made["match"] != match.id
        assert made["view"]["match"]["listed"] is False
        assert len(made["view"]["match"]["seats"]) == 3


class TestJoining:
    async def test_takes_the_first_free_seat(self, api: Client) -> None:
        match = await api.made()
        joined = await match.join(entropy="my luck")
        assert joined["seat"] == 0 and joined["token"].startswith("hs_seat_")
        assert joined["player"].startswith("anon_")
        assert joined["view"]["viewer"] == 0
        assert joined["commit"]["events"][0]["entropy"] == "my luck"
        assert (await match.join(seat=1))["seat"] == 1

    async def test_sent_again_it_is_the_same_seat_and_token(self, api: Client) -> None:
        match, key = await api.made(), str(uuid4())
        first = (await api.post(f"{match.path}/seats", key=key, json={})).json()
        await match.join()
        again = (await api.post(f"{match.path}/seats", key=key, json={})).json()
        assert again["again"] and again["token"] == first["token"]
        assert again["version"] == first["version"] == 2
        other = await api.post(f"{match.path}/seats", key=key, json={"seat": 1})
        assert other.json()["code"] == "key_reused"

    async def test_a_players_token_gives_its_id(self, api: Client) -> None:
        match, player = await api.made(), await new_player(api, "anna")
        assert (await match.join(player))["player"] == "anna"
        twice = await api.post(f"{match.path}/seats", player, json={})
        assert (twice.status_code, twice.json()["code"]) == (409, "already_seated")

    async def test_the_same_key_of_another_player_gives_no_token(self, api: Client) -> None:
        match, key = await api.made(), str(uuid4())
        anna = await new_player(api, "anna")
        await api.post(f"{match.path}/seats", anna, key=key, json={})
        stolen = await api.post(f"{match.path}/seats", key=key, json={})
        assert stolen.json()["code"] == "key_reused" and "token" not in stolen.json()

    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"seat": 0}, 409, "seat_taken"),
            ({"seat": 7}, 404, "no_such_seat"),
            ({"seat": -1}, 422, "bad_body"),
            ({"entropy": "x" * 65}, 422, "bad_entropy"),
        ],
    )
    async def test_refusals(self, api: Client, body: object, status: int, code: str) -> None:
        match = await api.made()
        await match.join()
        reply = await api.post(f"{match.path}/seats", json=body)
        assert (reply.status_code, reply.json()["code"]) == (status, code)
        assert (await match.view())["version"] == 2

    async def test_a_full_match(self, api: Client) -> None:
        match = await api.playing()
        reply = await api.post(f"{match.path}/seats", json={})
        assert (reply.status_code, reply.json()["code"]) == (409, "no_open_seat")

    async def test_only_at_the_version_expected(self, api: Client) -> None:
        match = await api.made()
        stale = await api.post(f"{match.path}/seats", json={}, headers={"if-match": '"9"'})
        assert (stale.status_code, stale.json()["code"]) == (412, "version_mismatch")
        assert stale.json()["current_version"] == 1 and stale.headers["etag"] == '"1"'
        bad = await api.post(f"{match.path}/seats", json={}, headers={"if-match": "nine"})
        assert (bad.status_code, bad.json()["code"]) == (422, "bad_parameter")
        weak = await api.post(f"{match.path}/seats", json={}, headers={"if-match": 'W/"1"'})
        any_ = await api.post(f"{match.path}/seats", json={}, headers={"if-match": "*"})
        assert (weak.status_code, any_.status_code) == (201, 201)

    async def test_only_in_the_history_expected(self, api: Client) -> None:
        """The version is right, but what the caller saw there is not what is there."""
        match = await api.made()
        own = (await api.get(match.path)).headers["etag"]
        other = own.replace(own[3:6], "000") if own[3:6] != "000" else own.replace("000", "111")
        path = f"{match.path}/seats"
        gone = await api.post(path, json={}, headers={"if-match": other})
        assert (gone.status_code, gone.json()["code"]) == (412, "version_mismatch")
        assert gone.json()["current_version"] == 1 and "read it anew" in gone.json()["detail"]
        assert (await api.post(path, json={}, headers={"if-match": own})).status_code == 201
        late = await api.post(path, json={}, headers={"if-match": own})
        assert (late.status_code, late.json()["current_version"]) == (412, 2)


class TestSeats:
    async def test_leaving_frees_the_seat_and_ends_the_token(self, api: Client) -> None:
        match = await api.made()
        await match.join()
        key = str(uuid4())
        left = await api.send("DELETE", f"{match.path}/seats/me", match.seats[0], key=key)
        assert left.json()["view"]["match"]["seats"][0]["kind"] == "open"
        again = await api.send("DELETE", f"{match.path}/seats/me", match.seats[0], key=key)
        assert again.json()["again"]
        gone = await api.get(match.path, match.seats[0])
        assert (gone.status_code, gone.json()["code"]) == (403, "not_seated")
        late = await api.send("DELETE", f"{match.path}/seats/me", match.seats[0])
        assert late.json()["code"] == "not_seated"

    async def test_the_host_kicks_and_fills_with_bots(self, api: Client) -> None:
        match = await api.made()
        await match.join()
        kicked = await api.send("DELETE", f"{match.path}/seats/0", match.host)
        assert kicked.json()["commit"]["events"] == [{"type": "kicked", "seat": 0}]
        for seat in (0, 1):
            reply = await api.post(f"{match.path}/seats/{seat}/bot", match.host)
            assert reply.json()["view"]["match"]["seats"][seat]["kind"] == "bot"
        taken = await api.post(f"{match.path}/seats/1/bot", match.host)
        assert taken.json()["code"] == "seat_taken"
        assert (await api.post(f"{match.path}/start", match.host)).status_code == 200

    async def test_a_player_cannot_host(self, api: Client) -> None:
        match = await api.made()
        await match.join()
        for method, path in [
            ("POST", "/start"),
            ("POST", "/abort"),
            ("POST", "/seats/1/bot"),
            ("DELETE", "/seats/0"),
            ("POST", "/rematch"),
            ("POST", "/tokens/host"),
        ]:
            reply = await api.send(method, match.path + path, match.seats[0])
            assert (reply.status_code, reply.json()["code"]) == (403, "wrong_scope"), path
            nobody = await api.send(method, match.path + path)
            assert (nobody.status_code, nobody.json()["code"]) == (401, "token_required"), path
        other = await api.made()
        foreign = await api.post(f"{match.path}/start", other.host)
        assert (foreign.status_code, foreign.json()["code"]) == (403, "wrong_match")

    async def test_a_resigned_seat_is_taken_over(self, api: Client) -> None:
        match = await api.playing(3)
        early = await api.post(f"{(await api.made()).path}/resign", match.seats[0])
        assert early.json()["code"] == "wrong_match"
        resigned = await api.post(f"{match.path}/resign", match.seats[0])
        assert resigned.json()["commit"]["events"] == [{"type": "resigned", "seat": 0}]
        assert (await api.post(f"{match.path}/resign", match.seats[0])).status_code == 409
        old = match.seats[0]
        joined = await match.join()
        assert joined["commit"]["events"][0]["type"] == "replaced" and joined["seat"] == 0
        assert (await api.get(match.path, old)).json()["code"] == "not_seated"
        await match.finished()

    async def test_the_last_one_left_wins(self, api: Client) -> None:
        match = await api.playing()
        reply = await api.post(f"{match.path}/resign", match.seats[0])
        assert reply.json()["view"]["result"]["winners"] == [1]
        assert reply.json()["view"]["status"] == "over"


class TestStarting:
    async def test_refusals(self, api: Client) -> None:
        match = await api.made()
        early = await api.post(f"{match.path}/start", match.host)
        assert (early.json()["code"], early.json()["seats"]) == ("seats_open", [0, 1])
        await match.join()
        await match.join()
        wrong = await api.post(f"{match.path}/start", match.host, headers={"if-match": '"1"'})
        assert wrong.status_code == 412
        assert (await api.post(f"{match.path}/start", match.host)).status_code == 200
        twice = await api.post(f"{match.path}/start", match.host)
        assert twice.json()["code"] == "already_started"

    async def test_an_admin_may_abort_but_sees_no_secret(self, api: Client) -> None:
        match = await api.playing()
        assert (await match.view(ADMIN))["viewer"] == "spectator"
        reply = (await api.post(f"{match.path}/abort", ADMIN)).json()
        assert reply["commit"]["by"] == "admin" and reply["view"]["result"]["why"] == "aborted"
        over = await api.post(f"{match.path}/abort", match.host)
        assert over.json()["code"] == "match_over"
