"""The gate over queue links in virtual time: who gets a session, and how much one identity may."""

import asyncio

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server.arena import Arena
from rivalry_server.gate import REMEMBERED, Gate, StrangerError
from rivalry_server.greeting import RefusedError
from rivalry_server.identity import LOCAL, Identity, Kind
from rivalry_server.limits import TooMuchError
from rivalry_server.link import MISSHOWN, bearer
from rivalry_server.seating import Listen
from rivalry_server.settings import Settings
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind as TokenKind
from rivalry_server.tokens import Token
from server import virtual
from server.peer import FromBot, Peer, kuhn, opened, spec

NOW = 1_800_000_000.0
ASKING = Settings(ask_for_tokens=True)


def added(folder, kind=TokenKind.BOT, name="mine", lasts_s=None):
    """A token in the file of ``folder``, and its text."""
    token, text = Token.made(kind, name, now=NOW, lasts_s=lasts_s)
    TokenFile(folder).changed(lambda tokens: {**tokens, token.token_id: token})
    return token, text


def revoke(folder, token):
    TokenFile(folder).changed(lambda tokens: {**tokens, token.token_id: tokens[token.token_id].revoke(NOW)})


def gate(folder, settings=ASKING, now=NOW):
    return Gate(settings, TokenFile(folder), wall=lambda: now)


def refusal(refused):
    return errors_pb2.RefusalReason.Name(refused.reason).removeprefix("REFUSAL_REASON_").lower()


async def welcomed(arena, token=None, **fields):
    """A peer that said hello, and the first thing it heard."""
    peer = Peer(arena, token=token)
    await peer.hello(**fields)
    return peer, await peer.hear()


def test_a_token_says_who_its_bearer_is(tmp_path):
    token, text = added(tmp_path)

    assert gate(tmp_path).caller(text, "ipv4:10.0.0.7:1") == Identity(Kind.BOT, token.token_id, "mine")


def test_a_rule_says_who_may_begin_a_session_and_leaves_calls_and_seats_alone():
    async def work():
        async with Arena(Settings()) as arena:
            arena.gate.may_begin = nobody_without_a_seat
            playing = opened(arena, spec(), [Listen(token="one"), Listen(token="two")])
            _, said = await welcomed(arena)
            assert arena.lobby.caller(None, "unix:") == LOCAL
            await asyncio.gather(*(Peer(arena, token=token).sit_and_play() for token in ("one", "two")))
            return said, await playing

    def nobody_without_a_seat(who):
        if who.kind is not Kind.SEAT:
            raise RefusedError(errors_pb2.REFUSAL_REASON_TOKEN, ours="seats", yours="none", remedy="take one")

    said, result = virtual.run(work())

    assert (refusal(said.refused), said.refused.remedy) == ("token", "take one")
    assert sorted(seat.rank for seat in result.seats) == [1, 2]


def test_without_a_token_the_address_is_the_identity_where_none_is_asked_for(tmp_path):
    assert gate(tmp_path, Settings()).caller(None, "ipv4:10.0.0.7:1") == Identity(Kind.ADDRESS, "10.0.0.7")


def test_no_token_an_unknown_one_an_expired_one_and_a_revoked_one_are_told_apart(tmp_path):
    revoked, revoked_text = added(tmp_path)
    revoke(tmp_path, revoked)
    _, expired_text = added(tmp_path, lasts_s=10)
    _, unknown = Token.made(TokenKind.BOT, "other", now=NOW)

    for shown, told in (
        (None, "no token was shown"),
        (unknown, "the token is unknown here"),
        ("", "the token is unknown here"),
        (revoked_text, f"the token {revoked.token_id} is revoked"),
        (expired_text, "is expired"),
    ):
        with pytest.raises(StrangerError, match=told) as raised:
            gate(tmp_path, now=NOW + 10).caller(shown, "ipv4:10.0.0.7:1")
        assert not shown or shown not in str(raised.value)


def test_a_token_that_is_shown_has_to_be_good_even_where_none_is_asked_for(tmp_path):
    with pytest.raises(StrangerError, match="unknown"):
        gate(tmp_path, Settings()).caller("nonsense", "unix:")


def test_a_bots_token_gets_a_session_and_an_open_seat(tmp_path):
    _, text = added(tmp_path)

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            playing = opened(arena, spec())
            peers = [Peer(arena, token=text) for _ in range(2)]
            await asyncio.gather(*(peer.sit_and_play() for peer in peers))
            return await playing

    assert [seat.end.value for seat in virtual.run(work()).seats] == ["normal", "normal"]


def test_no_token_and_an_operators_get_no_session_where_tokens_are_asked_for(tmp_path):
    _, text = added(tmp_path, TokenKind.OPERATOR)

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            return [(await welcomed(arena, shown))[1].refused for shown in (None, text)]

    nothing, operator = virtual.run(work())
    assert (refusal(nothing), nothing.yours) == ("token", "no token was shown")
    assert (refusal(operator), operator.yours) == ("token", "the token is an operator's")
    assert operator.remedy == "show the token of a bot or of a seat"


def test_a_token_that_was_added_while_the_arena_runs_is_good_at_once(tmp_path):
    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            _, text = added(tmp_path)
            return (await welcomed(arena, text))[1].WhichOneof("message")

    assert virtual.run(work()) == "welcome"


def test_a_token_that_is_revoked_ends_its_sessions_and_no_others(tmp_path):
    mine, text = added(tmp_path)
    _, other = added(tmp_path, name="other")

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            watching = asyncio.ensure_future(arena.gate.watch())
            peers = [(await welcomed(arena, shown))[0] for shown in (text, text, other)]
            revoke(tmp_path, mine)
            await asyncio.sleep(2)
            watching.cancel()
            ended = [await peer.until("session_ended") for peer in peers[:2]]
            return ended, [peer.session.done() for peer in peers], len(arena.lobby.sessions)

    ended, over, left = virtual.run(work())
    assert [each.reason for each in ended] == [errors_pb2.SESSION_END_REASON_REVOKED] * 2
    assert ended[0].remedy
    assert (over, left) == ([True, True, False], 1)


def test_a_revoked_token_that_plays_loses_its_seat_and_the_other_bot_is_told(tmp_path):
    mine, text = added(tmp_path)
    _, other = added(tmp_path, name="other")

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            playing = opened(arena, spec(time="60s"))
            peer, honest = Peer(arena, token=text), Peer(arena, token=other)
            seated = asyncio.gather(peer.sit("mine"), honest.sit("other"))
            await seated
            revoke(tmp_path, mine)
            arena.gate.look()
            await honest.play()
            return await playing

    result = virtual.run(work())
    assert {seat.name: seat.end.value for seat in result.seats} == {"mine": "disconnect", "other": "normal"}


BEARERS = {
    "Bearer secret": "secret",
    "bearer secret": "secret",
    "BEARER   secret ": "secret",
    "secret": MISSHOWN,
    "Basic secret": MISSHOWN,
    "Bearer": MISSHOWN,
    "Bearer ": MISSHOWN,
    "": MISSHOWN,
}


@pytest.mark.parametrize(("shown", "token"), BEARERS.items())
def test_a_token_is_shown_in_one_form_whatever_the_case_of_its_scheme(shown, token):
    assert bearer((("accept", "x"), ("authorization", shown))) == token
    several = [("authorization", "other"), ("authorization", shown), ("authorization", "Bearer last")]
    assert bearer(several) == ("last" if token == MISSHOWN else token)
    assert bearer((("accept", "x"),)) is None


@pytest.mark.parametrize("ask_for_tokens", [True, False])
def test_a_token_that_is_shown_in_another_form_is_refused_with_the_form_that_is_expected(ask_for_tokens):
    async def work():
        async with Arena(Settings(ask_for_tokens=ask_for_tokens)) as arena:
            peer = Peer(arena, token=MISSHOWN)
            await peer.hello()
            return await peer.until("refused")

    refused = virtual.run(work())

    assert refused.reason == errors_pb2.REFUSAL_REASON_TOKEN
    assert "another form" in refused.yours and refused.remedy == "show authorization: Bearer TOKEN"


def test_a_session_whose_stream_was_lost_cannot_be_resumed_once_its_token_is_revoked(tmp_path):
    mine, text = added(tmp_path)
    _, other = added(tmp_path, name="other")

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            playing = opened(arena, spec(time="60s"))
            peer, honest = Peer(arena, token=text), Peer(arena, token=other)
            await asyncio.gather(peer.sit("mine", features=["resume"]), honest.sit("other"))
            resume = session_pb2.Resume(
                protocol=session_pb2.VersionRange(least=1, most=1), token=peer.all("welcome")[0].resume_token
            )
            peer.link.cut()
            await peer.session
            revoke(tmp_path, mine)
            arena.gate.look()
            back = Peer(arena, token=text)
            await back.say(FromBot(resume=resume))
            heard = await back.hear()
            await honest.play()
            return heard, {seat.name: seat.end.value for seat in (await playing).seats}

    heard, ends = virtual.run(work())
    assert refusal(heard.refused) == "resume"
    assert ends == {"mine": "disconnect", "other": "normal"}


def test_a_token_whose_time_is_over_opens_nothing_and_what_is_open_goes_on(tmp_path):
    now = [NOW]
    _, text = added(tmp_path, lasts_s=10)

    async def work():
        async with Arena(ASKING, tokens=TokenFile(tmp_path)) as arena:
            arena.gate._wall = lambda: now[0]
            peer, first = await welcomed(arena, text)
            now[0] += 10
            arena.gate.look()
            _, second = await welcomed(arena, text)
            await asyncio.sleep(0)
            return first, second, peer.session.done()

    first, second, over = virtual.run(work())
    assert first.WhichOneof("message") == "welcome"
    assert refusal(second.refused) == "token"
    assert not over


def limited(tmp_path, check, token=None, **fields):
    """What ``check(arena)`` returns with an arena whose settings are ``fields``."""

    async def work():
        settings = Settings(local_times=1, **fields)
        async with Arena(settings, tokens=TokenFile(tmp_path)) as arena:
            return await check(arena)

    return virtual.run(work())


def test_one_identity_has_so_many_sessions_and_another_is_not_touched(tmp_path):
    mine, text = added(tmp_path)

    async def check(arena):
        firsts = [await welcomed(arena, text) for _ in range(3)]
        other = (await welcomed(arena))[1]
        await firsts[0][0].say(FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE)))
        await asyncio.sleep(1)
        again = (await welcomed(arena, text))[1]
        return [first.WhichOneof("message") for _, first in firsts], firsts[2][1].refused, other, again

    kinds, refused, other, again = limited(tmp_path, check, identity_sessions=2)
    assert kinds == ["welcome", "welcome", "refused"]
    assert refusal(refused) == "limit"
    assert refused.ours == "open sessions of one identity: at most 2"
    assert refused.yours == f"bot {mine.token_id} (mine) has 2"
    assert refused.remedy == "try again when one of them has ended"
    assert other.WhichOneof("message") == again.WhichOneof("message") == "welcome"


def test_one_identity_opens_so_many_sessions_a_minute_and_is_told_when_to_try_again(tmp_path):
    async def check(arena):
        kinds = []
        for _ in range(5):
            peer, first = await welcomed(arena)
            kinds.append(first.WhichOneof("message"))
            await peer.say(FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE)))
            await asyncio.sleep(0.01)
        await asyncio.sleep(15)
        return kinds, first.refused, (await welcomed(arena))[1].WhichOneof("message")

    kinds, refused, later = limited(tmp_path, check, identity_new_per_minute=4)
    assert kinds == ["welcome"] * 4 + ["refused"]
    assert refusal(refused) == "limit"
    assert refused.ours == "new sessions of one identity in a minute: 4"
    assert refused.yours == "address of this machine opened more"
    assert refused.remedy == "try again in 15 s"
    assert later == "welcome"


def test_the_matches_of_an_identity_are_shared_out_among_its_sessions(tmp_path):
    async def check(arena):
        firsts = [await welcomed(arena, matches=3) for _ in range(3)]
        await firsts[0][0].say(FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE)))
        await asyncio.sleep(1)
        return [first for _, first in firsts], (await welcomed(arena, matches=9))[1]

    firsts, later = limited(tmp_path, check, identity_matches=4)
    assert [first.welcome.limits.matches for first in firsts] == [3, 1, 0]
    assert refusal(firsts[2].refused) == "limit"
    assert firsts[2].refused.yours == "address of this machine has sessions for 4"
    assert later.welcome.limits.matches == 3


def test_unasked_messages_of_all_sessions_of_an_identity_are_counted_together(tmp_path):
    _, text = added(tmp_path)
    stray = FromBot(ack=session_pb2.Ack(match=9, events=1))

    async def check(arena):
        one, other, third = [(await welcomed(arena, shown))[0] for shown in (text, text, None)]
        await one.say(*[stray] * 6)
        await other.say(*[stray] * 5)
        await third.say(*[stray] * 6)
        await asyncio.sleep(1)
        return (await other.until("session_ended")).reason, [peer.session.done() for peer in (one, other, third)]

    reason, over = limited(tmp_path, check, identity_unasked_burst=10, identity_unasked_per_s=0.01)
    assert reason == errors_pb2.SESSION_END_REASON_FLOOD
    assert over == [False, True, False]


def test_answers_that_a_prompt_asked_for_count_as_nothing(tmp_path):
    async def check(arena):
        playing = opened(arena, spec())
        await asyncio.gather(*(Peer(arena).sit_and_play() for _ in range(2)))
        return await playing

    result = limited(tmp_path, check, identity_unasked_burst=1, identity_unasked_per_s=0.001)
    assert [seat.end.value for seat in result.seats] == ["normal", "normal"]


def test_programs_of_this_machine_may_more_than_an_address_elsewhere():
    async def work():
        gate = Gate(Settings(identity_sessions=2, local_times=3))
        local, remote = gate.use(LOCAL), gate.use(Identity(Kind.ADDRESS, "10.0.0.7"))
        for use in (local, remote):
            with pytest.raises(RefusedError, match="open sessions of one identity"):
                while True:
                    use.session(1, asyncio.get_running_loop().time())
        return len(local.stays), len(remote.stays)

    assert virtual.run(work()) == (6, 2)


def test_silent_streams_of_one_address_are_bounded_and_a_hello_makes_room(tmp_path):
    async def check(arena):
        silent = [Peer(arena) for _ in range(2)]
        await asyncio.sleep(0.1)
        above = Peer(arena)
        await asyncio.sleep(0.1)
        failure = above.session.exception()
        await silent[0].hello()
        await silent[0].hear()
        _, first = await welcomed(arena)
        return failure, first.WhichOneof("message")

    failure, first = limited(tmp_path, check, identity_silent=2)
    assert isinstance(failure, TooMuchError)
    assert "2 streams of one address may be silent at once" in str(failure)
    assert first == "welcome"


def test_a_stream_that_is_over_is_not_silent_any_more(tmp_path):
    async def check(arena):
        for _ in range(5):
            peer = Peer(arena)
            await asyncio.sleep(0.1)
            peer.link.cut()
            await peer.session
        return dict(arena.gate._silent_of)

    assert limited(tmp_path, check, identity_silent=1) == {}


def test_identities_that_are_idle_are_forgotten():
    async def work():
        gate = Gate(Settings())
        kept = gate.use(Identity(Kind.ADDRESS, "kept"))
        kept.again(1)
        for number in range(REMEMBERED + 10):
            gate.use(Identity(Kind.ADDRESS, f"address {number}"))
        return len(gate._uses), gate.use(Identity(Kind.ADDRESS, "kept")) is kept

    count, same = virtual.run(work())
    assert count < REMEMBERED
    assert same


def test_the_seats_token_is_an_identity_of_its_own(tmp_path):
    async def check(arena):
        playing = asyncio.ensure_future(arena.run_match(spec(kuhn()), [Listen(token="one"), Listen(token="two")]))
        await asyncio.sleep(0.1)
        peers = [Peer(arena, token=token) for token in ("one", "two")]
        await asyncio.gather(*(peer.sit_and_play() for peer in peers))
        await playing
        return sorted(str(use.identity).partition(" ")[0] for use in arena.gate._uses.values())

    assert limited(tmp_path, check, ask_for_tokens=True) == ["seat", "seat"]


def test_a_hello_without_a_name_costs_nothing_of_an_identity(tmp_path):
    async def check(arena):
        refused = (await welcomed(arena, name=""))[1]
        return refused.WhichOneof("message"), len(arena.gate._uses)

    assert limited(tmp_path, check) == ("refused", 0)
