"""Identity as strangers meet it: TLS, mutual TLS, tokens of each kind, and that no token is ever written anywhere."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import time
from pathlib import Path

import grpc
import pytest

from e2e.program import RIVALRY, SOON_S, environment, rivalry
from e2e.strangers import FIRST, OPEN, arena, bot, code, create, ended, new_token, shown, started_bot
from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc, session_pb2
from server.authority import Authority


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def test_each_call_takes_the_token_that_it_is_for(data):
    operator, _ = new_token(data, "operator")
    bots, _ = new_token(data, "bot")
    with arena("--data", data, "--ask-for-tokens") as (_, address), grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.ArenaServiceStub(channel)
        made = create(stub, operator)
        match_id, seat = made.match.match_id, made.seat_tokens[0]
        over = ended(stub, create(stub, operator, [FIRST, FIRST]).match.match_id, operator).match_id
        calls = {
            "ListGames": lambda token: stub.ListGames(play_pb2.ListGamesRequest(), metadata=token, timeout=30),
            "DescribeGame": lambda token: stub.DescribeGame(
                play_pb2.DescribeGameRequest(game="kuhn"), metadata=token, timeout=30
            ),
            "CreateMatch": lambda token: stub.CreateMatch(
                play_pb2.CreateMatchRequest(game="kuhn", seats=[OPEN, FIRST]), metadata=token, timeout=30
            ),
            "GetMatch": lambda token: stub.GetMatch(
                play_pb2.GetMatchRequest(match_id=match_id), metadata=token, timeout=30
            ),
            "ListMatches": lambda token: stub.ListMatches(play_pb2.ListMatchesRequest(), metadata=token, timeout=30),
            "GetRecord": lambda token: stub.GetRecord(
                play_pb2.GetRecordRequest(match_id=match_id), metadata=token, timeout=30
            ),
            "WatchMatch": lambda token: next(
                stub.WatchMatch(play_pb2.WatchMatchRequest(match_id=over), metadata=token, timeout=30)
            ),
            "CancelMatch": lambda token: stub.CancelMatch(
                play_pb2.CancelMatchRequest(match_id=match_id), metadata=token, timeout=30
            ),
        }

        def outcome(call, token):
            try:
                call(shown(token) if token else None)
            except grpc.RpcError as error:
                return error.code().name
            return "OK"

        seen = {
            name: [outcome(call, token) for token in (None, "rvo_nonsense", bots, seat, operator)]
            for name, call in calls.items()
        }

    stranger = ["UNAUTHENTICATED", "UNAUTHENTICATED"]
    anybody = [*stranger, "OK", "OK", "OK"]
    operators = [*stranger, "PERMISSION_DENIED", "PERMISSION_DENIED", "OK"]
    early = [*stranger, "FAILED_PRECONDITION", "FAILED_PRECONDITION", "FAILED_PRECONDITION"]
    assert seen == {
        **dict.fromkeys(calls, anybody),
        "CreateMatch": operators,
        "CancelMatch": operators,
        "GetRecord": early,
    }


def test_what_is_wrong_with_a_token_is_told_without_it(data):
    bots, _ = new_token(data, "bot")
    with arena("--data", data, "--ask-for-tokens") as (_, address), grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.ArenaServiceStub(channel)
        told = [code(lambda token=token: create(stub, token)) for token in (None, "rvo_nonsense", bots)]
        refused = [
            bot("first", "--address", address),
            bot("first", "--address", address, RIVALRY_TOKEN="rvb_nonsense"),
        ]

    assert told == [
        ("UNAUTHENTICATED", "no token was shown; show one as authorization: Bearer TOKEN"),
        ("UNAUTHENTICATED", "the token is unknown here; ask whoever runs the arena or made the match for one"),
        (
            "PERMISSION_DENIED",
            "CreateMatch is for operators, and the token shown is that of a bot; "
            "`rivalry token new --kind operator` makes another",
        ),
    ]
    assert [each.returncode for each in refused] == [2, 2]
    assert all("refused this bot" in each.stderr and each.stderr.count("\n") == 1 for each in refused)
    assert "nonsense" not in refused[1].stderr


def test_a_bot_plays_over_tls_with_its_token_in_a_file(data, authority, tmp_path):
    own = authority.issued("localhost", "127.0.0.1")
    operator, _ = new_token(data, "operator")
    file = tmp_path / "token"
    file.write_text(new_token(data, "bot")[0] + "\n")
    with arena("--data", data, "--ask-for-tokens", "--tls-cert", own.cert, "--tls-key", own.key) as (_, address):
        credentials = grpc.ssl_channel_credentials(authority.ca.read_bytes())
        with grpc.secure_channel(address, credentials) as channel:
            stub = play_pb2_grpc.ArenaServiceStub(channel)
            player = started_bot("random", "--address", address, "--token-file", file, "--tls-ca", authority.ca)
            match = ended(stub, create(stub, operator).match.match_id, operator)
            player.send_signal(signal.SIGINT)
            player.communicate(timeout=30)

    assert [seat.name for seat in match.seats] == ["random", "first"]
    assert not match.outcome.void


def test_whom_to_trust_and_what_to_show_may_stand_in_the_environment(authority):
    own, caller = authority.issued("127.0.0.1"), authority.issued("caller")
    files = ("--tls-cert", own.cert, "--tls-key", own.key, "--tls-client-ca", authority.ca)
    with arena(*files) as (_, address):
        credentials = grpc.ssl_channel_credentials(
            authority.ca.read_bytes(), caller.key.read_bytes(), caller.cert.read_bytes()
        )
        with grpc.secure_channel(address, credentials) as channel:
            made = create(play_pb2_grpc.ArenaServiceStub(channel))
        played = bot(
            "random",
            RIVALRY_ADDRESS=address,
            RIVALRY_TOKEN=made.seat_tokens[0],
            RIVALRY_TLS_CA=str(authority.ca),
            RIVALRY_TLS_CERT=str(caller.cert),
            RIVALRY_TLS_KEY=str(caller.key),
        )

    assert played.returncode == 0, played.stderr


def test_what_keeps_tls_from_coming_about_is_one_line(authority, tmp_path):
    own, other = authority.issued("127.0.0.1"), Authority(tmp_path, "other")
    stranger = other.issued("stranger")
    with arena() as (_, plain):
        to_plain = bot("first", "--address", plain, "--tls-ca", authority.ca)
    with arena("--tls-cert", own.cert, "--tls-key", own.key, "--tls-client-ca", authority.ca) as (_, address):
        told = [
            bot("first", "--address", address),
            bot("first", "--address", address, "--tls-ca", other.ca),
            bot("first", "--address", address, "--tls-ca", authority.ca),
            bot(
                "first",
                "--address",
                address,
                "--tls-ca",
                authority.ca,
                "--tls-cert",
                stranger.cert,
                "--tls-key",
                stranger.key,
            ),
        ]

    assert [done.returncode for done in (to_plain, *told)] == [2] * 5
    assert [done.stderr.count("\n") for done in (to_plain, *told)] == [1] * 5
    assert "it speaks plain text, not TLS" in to_plain.stderr
    assert "it speaks TLS: give the CA" in told[0].stderr
    assert "its certificate is not by the CA that was given" in told[1].stderr
    assert "it may ask for a certificate" in told[2].stderr
    assert "it may ask for a certificate" in told[3].stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key"),
            "--tls-cert /nowhere.pem: No such file or directory",
        ),
        (("--tls-cert", "/etc/hostname"), "--tls-cert without --tls-key: they go together"),
        (("--tls-client-ca", "/etc/hostname"), "--tls-client-ca without --tls-cert"),
        (("--host", "0.0.0.0"), "which takes TLS (--tls-cert FILE --tls-key FILE) and tokens (--data DIR"),
        (("--host", "::"), "which takes TLS (--tls-cert FILE --tls-key FILE) and tokens (--data DIR"),
        (("--host", "0.0.0.0", "--data", "."), "which takes TLS (--tls-cert FILE --tls-key FILE); or insist"),
        (("--ask-for-tokens",), "--ask-for-tokens: give --data DIR"),
    ],
)
def test_an_arena_that_would_not_be_safe_is_not_begun(arguments, told, tmp_path):
    done = rivalry("serve", "--port", 0, *arguments, cwd=tmp_path)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr


def test_tls_without_tokens_is_not_begun_beyond_this_machine_either(authority):
    own = authority.issued("127.0.0.1")

    done = rivalry("serve", "--port", 0, "--host", "0.0.0.0", "--tls-cert", own.cert, "--tls-key", own.key)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (
        "which takes tokens (--data DIR, and `rivalry token new --data DIR`); or insist with --insecure" in done.stderr
    )


def test_whoever_insists_gets_plain_text_without_tokens():
    with arena("--host", "0.0.0.0", "--insecure") as (_, address), grpc.insecure_channel(address) as channel:
        made = create(play_pb2_grpc.ArenaServiceStub(channel))

    assert made.match.match_id


def test_beyond_this_machine_tokens_are_asked_for_unasked(data, authority):
    own = authority.issued("127.0.0.1")
    operator, _ = new_token(data, "operator")
    files = ("--tls-cert", own.cert, "--tls-key", own.key)
    with arena("--host", "0.0.0.0", "--data", data, *files) as (_, address):
        credentials = grpc.ssl_channel_credentials(authority.ca.read_bytes())
        with grpc.secure_channel(f"127.0.0.1:{address.rpartition(':')[2]}", credentials) as channel:
            stub = play_pb2_grpc.ArenaServiceStub(channel)
            refused = code(lambda: create(stub))
            made = create(stub, operator)

    assert refused[0] == "UNAUTHENTICATED"
    assert made.match.match_id


def test_programs_of_an_arena_that_asks_for_certificates_and_tokens_reach_it(data, authority):
    own, caller = authority.issued("127.0.0.1"), authority.issued("caller")
    operator, _ = new_token(data, "operator")
    files = ("--tls-cert", own.cert, "--tls-key", own.key, "--tls-client-ca", authority.ca)
    more = ("--data", data, "--ask-for-tokens", "--register", "house=cmd:rivalry bot random")
    with arena(*files, *more) as (process, address):
        credentials = grpc.ssl_channel_credentials(
            authority.ca.read_bytes(), caller.key.read_bytes(), caller.cert.read_bytes()
        )
        with grpc.secure_channel(address, credentials) as channel:
            stub = play_pb2_grpc.ArenaServiceStub(channel)
            house = match_pb2.SeatSpec(registered="house")
            match = ended(stub, create(stub, operator, [house, house]).match.match_id, operator)
        folders = sockets_of(process.pid)
        modes = [folder.stat().st_mode & 0o777 for folder in folders]

    assert [seat.end for seat in match.outcome.seats] == [1, 1]
    assert modes == [0o700]
    assert not any(folder.exists() for folder in folders)


def sockets_of(pid):
    """The folders of private sockets on which a process listens."""
    links = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            links.append(str(link.readlink()))
    inodes = {link.removeprefix("socket:[").rstrip("]") for link in links if link.startswith("socket:")}
    lines = Path("/proc/net/unix").read_text().splitlines()[1:]
    found = {line.split()[7] for line in lines if len(line.split()) == 8 and line.split()[6] in inodes}
    return [Path(path).parent for path in found if Path(path).parent.name.startswith("rivalry-")]


def test_a_hosted_bot_is_dialled_over_mutual_tls_and_takes_only_the_token_it_knows(authority, tmp_path):
    own, caller = authority.issued("localhost"), authority.issued("caller")
    token, wrong = tmp_path / "token", tmp_path / "wrong"
    token.write_text("a-token-of-the-bot\n")
    wrong.write_text("another\n")
    host = started_bot(
        "random", "--host-bot", "localhost:0", "--token-file", token,
        "--tls-cert", own.cert, "--tls-key", own.key, "--tls-ca", authority.ca, "-v",
    )  # fmt: skip
    assert host.stderr is not None
    target = host.stderr.readline().rsplit(" ", 1)[1].strip()
    base = f"dial:{target},ca={authority.ca}"
    own_files = f"cert={caller.cert},key={caller.key}"
    registered = [
        f"good={base},{own_files},token-file={token}",
        f"wrong={base},{own_files},token-file={wrong}",
        f"bare={base},token-file={token}",
        f"plain=dial:{target}",
    ]
    more = [word for text in registered for word in ("--register", text)]
    with arena(*more) as (_, address), grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.ArenaServiceStub(channel)
        made = {}
        for name in ("good", "wrong", "bare", "plain"):
            request = play_pb2.CreateMatchRequest(
                game="kuhn",
                seats=[match_pb2.SeatSpec(registered=name), FIRST],
                wait_us=60_000_000 if name == "good" else 15_000_000,
            )
            made[name] = stub.CreateMatch(request, timeout=30).match.match_id
        seats = {name: ended(stub, match_id).outcome.seats[0] for name, match_id in made.items()}
        results = {name: (seat.end, seat.text) for name, seat in seats.items()}
    host.send_signal(signal.SIGTERM)
    said = host.communicate(timeout=30)[1]

    assert results["good"] == (1, "")
    assert "UNAUTHENTICATED: this bot takes only callers that show its token" in results["wrong"][1]
    assert "it may ask for a certificate" in results["bare"][1]
    assert "it speaks TLS" in results["plain"][1]
    assert [results[name][0] for name in ("wrong", "bare", "plain")] == [6, 6, 6]
    assert "a-token-of-the-bot" not in said


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("dial:127.0.0.1:1,token-file=/nowhere", "token-file /nowhere: No such file or directory"),
        ("dial:127.0.0.1:1,ca=/nowhere", "ca /nowhere: No such file or directory"),
        ("dial:127.0.0.1:1,ca=", "expected ca=FILE, once"),
        ("dial:127.0.0.1:1,ca=/a,ca=/b", "expected ca=FILE, once"),
        ("dial:127.0.0.1:1,cert=/etc/hostname", "cert without"),
        ("cmd:/no/such/program --fast", "there is no program '/no/such/program'"),
    ],
)
def test_a_registration_that_cannot_work_is_one_line(spec, told):
    done = rivalry("serve", "--port", 0, "--register", f"house={spec}")

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr


def test_a_revoked_token_ends_its_open_session_and_its_watch_soon(data):
    text, token_id = new_token(data, "bot")
    with arena("--data", data, "--ask-for-tokens") as (_, address), grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.ArenaServiceStub(channel)
        operator, _ = new_token(data, "operator")
        match_id = create(stub, operator, [OPEN, OPEN]).match.match_id
        watch = stub.WatchMatch(play_pb2.WatchMatchRequest(match_id=match_id), metadata=shown(text), timeout=60)
        watch.initial_metadata()  # it has begun
        player = started_bot("first", "--address", address, "-v", RIVALRY_TOKEN=text)
        assert player.stderr is not None
        player.stderr.readline()
        assert rivalry("token", "revoke", "--data", data, token_id).returncode == 0
        began = time.monotonic()
        said = player.communicate(timeout=30)[1]
        took_s = time.monotonic() - began
        watched = code(lambda: list(watch))
        again = bot("first", "--address", address, RIVALRY_TOKEN=text)

    assert player.returncode == 1
    assert "revoked" in said
    assert took_s < SOON_S
    assert watched == ("UNAUTHENTICATED", "the token was revoked")
    assert again.returncode == 2
    assert f"the token {token_id} is revoked" in again.stderr


def test_no_token_is_written_anywhere(data, tmp_path, authority):
    own = authority.issued("127.0.0.1")
    operator, _ = new_token(data, "operator")
    bots, bot_id = new_token(data, "bot", "mine")
    dialled = "the-token-of-a-bot-that-is-dialled"
    (tmp_path / "dialled").write_text(dialled)
    unknown = "rvb_aaaaaaaaaa_" + "u" * 43
    more = ("--register", f"away=dial:127.0.0.1:1,token-file={tmp_path / 'dialled'}")
    files = ("--tls-cert", own.cert, "--tls-key", own.key)
    written = []
    with arena("--data", data, "--ask-for-tokens", *files, *more, log="debug") as (process, address):
        credentials = grpc.ssl_channel_credentials(authority.ca.read_bytes())
        with grpc.secure_channel(address, credentials) as channel:
            stub = play_pb2_grpc.ArenaServiceStub(channel)
            written += [code(lambda: create(stub, unknown))[1], code(lambda: create(stub, bots))[1]]
            made = create(stub, operator, [OPEN, OPEN])
            match_id, seats = made.match.match_id, made.seat_tokens
            variables = {"RIVALRY_ADDRESS": address, "RIVALRY_TLS_CA": str(authority.ca)}
            players = [started_bot("random", "-v", **variables, RIVALRY_TOKEN=token) for token in seats]
            lines = [Path(f"/proc/{pid}/cmdline").read_text() for pid in (process.pid, *(each.pid for each in players))]
            written += [text for player in players for text in player.communicate(timeout=30)]
            written += [repr(bot("random", "-v", **variables, RIVALRY_TOKEN=token)) for token in (unknown, operator)]
            match = ended(stub, match_id, operator)
            record = play_pb2.GetRecordRequest(match_id=match_id)
            written += [str(match), stub.GetRecord(record, metadata=shown(bots), timeout=30).record]
            away = create(stub, operator, [match_pb2.SeatSpec(registered="away"), FIRST]).match.match_id
            cancel = play_pb2.CancelMatchRequest(match_id=away)
            written += [str(stub.CancelMatch(cancel, metadata=shown(operator), timeout=30)), *lines]
        process.send_signal(signal.SIGTERM)
        log = process.communicate(timeout=30)[1]

    stored = [path.read_bytes().decode(errors="replace") for path in data.rglob("*") if path.is_file()]
    everything = "\n".join([log, *stored, *written])
    assert "session_opened" in log
    assert [seat.end for seat in match.outcome.seats] == [1, 1]
    secrets = [operator, bots, *seats, dialled, unknown]
    # Of a bot's or operator's token, KIND_ID_SECRET, the last part alone is secret; it may hold underscores itself.
    parts = [re.sub("^rv[bo]_[a-z0-9]{10}_", "", secret) for secret in secrets]
    assert min(map(len, parts)) > 10
    assert [part for part in parts if part in everything] == []
    assert bot_id in everything


def test_a_frame_above_the_limit_is_refused_before_it_is_kept_packed_or_not():
    with arena() as (_, address), grpc.insecure_channel(address) as channel:
        play = channel.stream_stream("/rivalry.arena.v1.ArenaService/Play")
        create_match = channel.unary_unary("/rivalry.arena.v1.ArenaService/CreateMatch")
        zeros = bytes(8 << 20)
        told = [
            code(lambda: list(play(iter([zeros]), timeout=30))),
            code(lambda: list(play(iter([zeros]), timeout=30, compression=grpc.Compression.Gzip))),
            code(lambda: create_match(zeros, timeout=30)),
            code(lambda: create_match(zeros, timeout=30, compression=grpc.Compression.Gzip)),
        ]

        over = session_pb2.Answer(text="x" * ((1 << 20) + 1_000))
        frame = play_pb2.PlayRequest(messages=[session_pb2.FromBot(answer=over)]).SerializeToString()
        heard = [play_pb2.PlayResponse.FromString(each) for each in play(iter([frame]), timeout=30)]

    assert [status for status, _ in told] == ["RESOURCE_EXHAUSTED"] * 4
    assert all("larger than max" in words for _, words in told)
    assert heard[-1].messages[-1].WhichOneof("message") == "session_ended"


def test_limits_of_an_identity_are_given_on_the_command_line_and_told_in_one_line(data):
    text, token_id = new_token(data, "bot")
    limits = ("--each-sessions", 1, "--each-matches", 8, "--each-new", 9, "--each-unasked", 7)
    with arena("--data", data, "--ask-for-tokens", *limits) as (_, address):
        first = started_bot("first", "--address", address, "-v", RIVALRY_TOKEN=text)
        assert first.stderr is not None
        first.stderr.readline()
        second = bot("first", "--address", address, RIVALRY_TOKEN=text)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)

    assert (second.returncode, second.stderr.count("\n")) == (2, 1)
    assert "open sessions of one identity: at most 1" in second.stderr
    assert f"bot {token_id} (mine) has 1" in second.stderr
    assert "try again when one of them has ended" in second.stderr


def test_a_program_that_is_started_gets_nothing_that_the_arena_was_told_for_itself():
    show = "cmd:python -c 'import os; print(sorted(key for key in os.environ if key.startswith(\"RIVALRY_\")))'"
    done = subprocess.run(
        [RIVALRY, "match", "--game", "kuhn", "--bot", show, "--bot", "first", "--wait", "1m"],
        env={**environment(), "RIVALRY_TLS_CA": "/nowhere", "RIVALRY_TLS_KEY": "/nowhere", "RIVALRY_TOKEN": "mine"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "['RIVALRY_ADDRESS', 'RIVALRY_TOKEN']" in done.stderr
