"""``rivalry arena`` against arenas that run in processes of their own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from e2e import program
from rivalry.arena.v1 import play_pb2
from rivalry_server.commands.arena_calls import CallError
from rivalry_server.commands.arena_course import Making, Order
from server import virtual
from server.authority import Authority

KUHN = ("--game", "kuhn", "--seat", "random", "--seat", "first")
OPEN = ("--game", "kuhn", "--seat", "open", "--seat", "first")
NOBODY = "0" * 32


@pytest.fixture(scope="module")
def address():
    """An arena for the tests of this module, which asks for no tokens."""
    with program.serving("--register", "house=cmd:rivalry bot random") as address:
        yield address


@pytest.fixture
def arena(rivalry, address, monkeypatch):
    """``rivalry arena`` at that arena, which the environment names."""
    monkeypatch.setenv("RIVALRY_ADDRESS", address)
    for name in ("RIVALRY_TOKEN", "RIVALRY_TLS_CA", "RIVALRY_TLS_CERT", "RIVALRY_TLS_KEY"):
        monkeypatch.delenv(name, raising=False)
    return lambda *arguments: rivalry("arena", *arguments)


@contextmanager
def small(*settings):
    """The address of an arena with other settings."""
    script = Path(__file__).with_name("small_arena.py")
    command = [sys.executable, script, *settings]
    with subprocess.Popen(command, env=program.environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)


def take(seat):
    """Has a bot take an open seat by the very command that its author is told; it plays to the end."""
    command = seat["command"].replace("NAME", "random")
    return subprocess.run(command, shell=True, env=program.environment(), timeout=60, check=True)


def refused(said, *words):
    """Asserts that a command was refused in one line that has ``words``."""
    assert said.status == 2, said
    assert said.out == ""
    assert said.err.startswith("rivalry") and said.err.count("\n") == 1
    for word in words:
        assert word in said.err


def lines(said):
    return [json.loads(line) for line in said.out.splitlines()]


def test_a_match_that_is_followed_ends_with_the_table_of_rivalry_match(arena):
    said = arena("create", *KUHN, "--seed", "x", "--follow")

    assert said.status == 0
    assert said.out.splitlines()[0].split() == ["rank", "seat", "bot", "score", "end"]
    assert sorted(line.split()[2] for line in said.out.splitlines()[1:]) == ["first", "random"]
    assert re.match(r"match [0-9a-f]{32}\n", said.err)


def test_followed_with_json_it_is_what_rivalry_match_plays_from_the_same_seed(arena, rivalry):
    there = arena("create", *KUHN, "--seed", "x", "--follow", "--json").json()
    here = rivalry(
        "match", "--game", "kuhn", "--bot", "inproc:random", "--bot", "inproc:first", "--seed", "x", "--json"
    )

    same = ("game", "options", "seed", "decisions", "score_unit", "game_digest", "void", "text")
    assert [there[key] for key in same] == [here.json()[key] for key in same]
    assert [seat["bot"] for seat in there["seats"]] == ["random", "first"]
    assert set(here.json()["seats"][0]) <= set(there["seats"][0])


def test_an_open_seat_is_taken_by_the_command_that_is_printed(arena):
    made = arena("create", *OPEN, "--json").json()
    waiting = arena("show", made["match_id"]).out
    take(made["seats"][0])

    ended = arena("show", made["match_id"], "--json").json()

    assert re.search(r"0 +– +waits", waiting) and re.search(r"1 +first 1 +taken", waiting)
    assert (made["phase"], ended["phase"]) == ("waiting", "ended")
    assert (made["seed"], ended["seats"][0]["name"]) == (None, "random")
    assert "token" not in made["seats"][1] and "token" not in ended["seats"][0]


def test_a_person_is_told_the_token_and_the_command(arena, address):
    said = arena("create", *OPEN)

    first, second = said.out.splitlines()
    assert re.fullmatch(r"match [0-9a-f]{32}", first)
    assert re.fullmatch(
        rf"seat 0 waits for a bot: RIVALRY_TOKEN=\S{{32}} rivalry bot NAME --address {re.escape(address)}", second
    )


def test_a_registered_bot_is_named_with_the_bot_that_played(arena):
    said = arena("create", "--game", "kuhn", "--seat", "registered:house", "--seat", "first", "--follow")

    assert said.status == 0
    assert "registered:house (random 1)" in said.out


def test_time_wait_policies_and_options_reach_the_arena(arena):
    made = arena(
        *("create", "--game", "ethnos", "--seat", "open", "--seat", "open", "--option", "fairies=false"),
        *("--option", "seats=2", "--time", "2s,bank=60s", "--wait", "10ms", "--on-crash", "retry 2 void"),
        *("--on-no-show", "void", "--grace", "5s paused", "--follow", "--json"),
    )

    match = made.json()
    assert made.status == 1
    assert match["time"] == "2s,bank=1m"
    assert match["policies"]["on_crash"] == "retry 2 void" and match["policies"]["grace"] == "5s paused"
    assert match["options"]["fairies"] is False
    assert match["void"] and {seat["end"] for seat in match["seats"]} >= {"no_show"}


def test_many_matches_have_the_seed_followed_by_their_number(arena, rivalry):
    said = arena("create", *KUHN, "--seed", "cup", "--count", 12, "--follow", "--json")

    matches = {match["number"]: match for match in lines(said)}
    assert (said.status, sorted(matches)) == (0, list(range(1, 13)))
    assert [bytes.fromhex(matches[number]["seed"][2:]) for number in (1, 12)] == [b"cup/1", b"cup/12"]


def test_many_matches_are_counted_for_a_person(arena):
    said = arena("create", *KUHN, "--count", 3, "--follow")

    header, *rows = (line.split() for line in said.out.splitlines())
    assert said.status == 0
    assert header[:3] == ["seat", "bot", "matches"] and [row[2] for row in rows] == ["3", "3"]
    assert re.search(r"match [0-9a-f]{32}, 3 of 3\n", said.err)


def test_the_same_request_id_makes_no_second_match_and_goes_on_where_it_stopped(arena):
    two = lines(arena("create", *OPEN, "--count", 2, "--request-id", "cup-7f3a", "--json"))

    three = lines(arena("create", *OPEN, "--count", 3, "--request-id", "cup-7f3a", "--json"))

    assert [match["match_id"] for match in three[:2]] == [match["match_id"] for match in two]
    assert [match["seats"][0]["token"] for match in three[:2]] == [match["seats"][0]["token"] for match in two]
    assert len({match["match_id"] for match in three}) == 3
    assert [match["request_id"] for match in three] == ["cup-7f3a/1", "cup-7f3a/2", "cup-7f3a/3"]
    refused(arena("create", *OPEN, "--seed", "y", "--count", 3, "--request-id", "cup-7f3a"), "another seed")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (("open_matches=1",), "1 matches wait or run here"),
        (("identity_calls_burst=2", "identity_calls_per_s=2", "local_times=1"), "calls of one identity"),
    ],
)
def test_an_arena_that_takes_no_more_for_now_is_asked_again(rivalry, settings, reason):
    with small(*settings) as address:
        said = rivalry(
            "arena", "create", *OPEN, "--wait", "300ms", "--count", 4, "--follow", "--json", "--address", address
        )

    assert said.status == 0
    assert sorted(match["number"] for match in lines(said)) == [1, 2, 3, 4]
    assert len({match["match_id"] for match in lines(said)}) == 4
    assert reason in said.err and "it is tried again" in said.err


def test_an_arena_that_is_being_started_again_is_asked_again_for_the_rest_of_many():
    stopping = CallError("the arena is stopping", code="UNAVAILABLE")
    answers = [play_pb2.CreateMatchResponse(), stopping, stopping, play_pb2.CreateMatchResponse()]
    asked, made = [], []

    class Restarting:
        async def create(self, request):
            asked.append(request.request_id)
            answer = answers[len(asked) - 1]
            if isinstance(answer, CallError):
                raise answer
            return answer

    order = Order(play_pb2.CreateMatchRequest(), ("first", "first"), None, "cup", 2)
    virtual.run(Making(order, Restarting(), lambda number, response: made.append(number)).all())

    assert asked == ["cup/1", "cup/2", "cup/2", "cup/2"]
    assert made == [1, 2]


def test_one_match_is_not_asked_for_again(rivalry):
    with small("open_matches=1") as address:
        rivalry("arena", "create", *OPEN, "--address", address)
        began = time.monotonic()
        said = rivalry("arena", "create", *OPEN, "--address", address)

    refused(said, "1 matches wait or run here")
    assert time.monotonic() - began < program.SOON_S


def test_a_run_that_the_arena_spoiled_is_followed_to_the_one_in_its_place(rivalry):
    with small("spoils") as address:
        said = rivalry("arena", "create", *KUHN, "--seed", "x", "--follow", "--json", "--address", address)
        ended = said.json()
        spoiled = rivalry("arena", "show", ended["earlier"][0], "--address", address)
        watched = rivalry("arena", "watch", ended["earlier"][0], "--json", "--address", address)

    assert (said.status, ended["void"], ended["attempt"]) == (0, False, 2)
    assert f"run again as {ended['match_id']}" in spoiled.out
    assert lines(watched)[-1]["match_id"] == ended["match_id"]


def test_the_matches_are_listed_newest_first_and_by_phase(arena):
    ended = arena("create", *KUHN, "--follow", "--json").json()["match_id"]
    waiting = [arena("create", *OPEN, "--json").json()["match_id"] for _ in range(2)]

    def ids(*options):
        return [match["match_id"] for match in arena("list", "--json", *options).json()["matches"]]

    assert ids("--count", 3) == [*reversed(waiting), ended]
    assert ids("--phase", "waiting", "--count", 2) == [*reversed(waiting)]
    assert ids("--phase", "ended", "--count", 1) == [ended]
    header, row = arena("list", "--phase", "ended", "--count", 1).out.splitlines()
    assert header.split() == ["match", "game", "phase", "decisions", "bots", "end"]
    assert row.startswith(ended) and "won by" in row


def test_a_list_of_more_than_a_page_has_no_gap(arena):
    made = lines(arena("create", *KUHN, "--count", 130, "--json"))

    listed = arena("list", "--count", 130, "--json").json()["matches"]

    assert [match["match_id"] for match in listed] == [match["match_id"] for match in reversed(made)]


def test_a_match_is_watched_from_its_first_event_to_its_outcome(arena, address):
    made = arena("create", *OPEN, "--json").json()
    command = ("arena", "watch", made["match_id"], "--address", address)
    with program.running(*command) as plain, program.running(*command, "--json") as machine:
        for watching in (plain, machine):
            assert watching.stderr is not None
            assert watching.stderr.readline() == f"match {made['match_id']} waits for its bots\n"
        take(made["seats"][0])
        told, _ = plain.communicate(timeout=30)
        out, _ = machine.communicate(timeout=30)

    objects = [json.loads(line) for line in out.splitlines()]
    texts = [each["text"] for each in objects[:-1]]
    assert (plain.returncode, machine.returncode) == (0, 0)
    assert texts[0] == "dealt" and [each["event"] for each in objects[:-1]] == list(range(1, len(texts) + 1))
    assert told.splitlines()[: len(texts)] == texts and "rank" in told.splitlines()[len(texts)]
    assert objects[-1]["phase"] == "ended"


def test_a_record_is_written_once_and_again_with_force(arena, rivalry, tmp_path, monkeypatch):
    match_id = arena("create", *KUHN, "--follow", "--json").json()["match_id"]
    file = tmp_path / "final.jsonl"
    monkeypatch.chdir(tmp_path)

    written, again = arena("record", match_id, file), arena("record", match_id, file)
    forced = arena("record", match_id, file, "--force", "--json")

    assert (written.status, written.out) == (0, f"record: {file}\n")
    refused(again, f"{file}: there already, the record of match {match_id}", "--force")
    assert forced.json() == {"match_id": match_id, "record": str(file)}
    assert rivalry("verify", file).status == 0
    assert arena("record", match_id, "-").out == file.read_text(encoding="utf-8")
    assert arena("record", match_id).out == f"record: {match_id}.jsonl\n"
    assert Path(f"{match_id}.jsonl").read_bytes() == file.read_bytes()
    refused(arena("record", match_id, "-", "--json"), "give a file")


def test_a_match_is_cancelled_with_a_reason_unless_it_has_ended(arena):
    open_match = arena("create", *OPEN, "--json").json()["match_id"]
    ended = arena("create", *KUHN, "--follow", "--json").json()["match_id"]

    cancelled, late = arena("cancel", open_match, "--why", "rain"), arena("cancel", ended)

    assert (cancelled.status, cancelled.out) == (0, f"cancelled: match {open_match}\n")
    assert arena("show", open_match, "--json").json()["text"] == "rain"
    assert arena("watch", open_match).status == 1
    assert (late.status, late.out, late.err.count("\n")) == (1, "", 1)


def test_the_games_are_those_that_rivalry_games_tells(arena, rivalry):
    there, here = arena("games", "--json").json()["games"], rivalry("games", "--json").json()["games"]

    assert there == [{key: game[key] for key in there[0]} for game in here]
    shown = arena("games").out
    assert shown.replace("`rivalry arena games ", "`rivalry games ").split() == rivalry("games").out.split()
    assert "`rivalry games " not in shown
    told = arena("games", "kuhn").out
    assert told.splitlines()[0] == rivalry("games", "kuhn").out.splitlines()[0]
    assert sorted(told.splitlines()) == sorted(rivalry("games", "kuhn").out.splitlines())
    whole, own = arena("games", "kuhn", "--json").json()["games"], rivalry("games", "kuhn", "--json").json()["games"]
    assert whole == [{key: own[0][key] for key in whole[0]}]
    assert {"primer", "glossary", "options", "heavy"} <= set(whole[0])
    families = rivalry("games", "--json").json()["families"]
    assert arena("games", "--json").json()["families"] == families
    for family in families:
        if not family["unavailable"]:
            assert arena("games", family["name"]).out == rivalry("games", family["name"]).out
            assert arena("games", family["name"], "--json").json() == rivalry("games", family["name"], "--json").json()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", NOBODY), ("there is no match",)),
        (("watch", NOBODY), ("there is no match",)),
        (("record", NOBODY, "x.jsonl"), ("there is no match",)),
        (("cancel", NOBODY), ("there is no match",)),
        (("record", "x"), ("expected 32 hex digits",)),
        (("create", "--game", "chess", "--seat", "open"), ("no game 'chess'",)),
        (("create", "--game", "kuhn", "--seat", "open"), ("option seats: 1",)),
        (("create", "--game", "kuhn", "--seat", "open", "--seat", "nobody"), ("no built-in bot 'nobody'",)),
        (("create", "--game", "kuhn", "--seat", "open", "--seat", "registered:x"), ("no bot 'x' is registered",)),
        (("create", "--game", "kuhn", "--seat", "cmd:./bot"), ("--seat cmd:./bot", "rivalry serve --register")),
        (("create", "--game", "kuhn", "--seat", "listen"), ("--seat listen", "`open`")),
        (("create", *KUHN, "--option", "x=1"), ("kuhn has no option 'x'",)),
        (("create", *KUHN, "--time", "3"), ("--time 3", "expected a time")),
        (("create", *KUHN, "--wait", "3"), ("--wait 3", "expected a time")),
        (("create", *KUHN, "--on-illegal", "retry 2"), ("--on-illegal",)),
        (("create", *KUHN, "--request-id", "x" * 127, "--count", 10), ("--request-id has 127 characters",)),
        (("create", *KUHN, "--seed", "0x1"), ("hex digits",)),
        (("games", "--address", "127.0.0.1:1"), ("no arena answers at 127.0.0.1:1", "rivalry serve", "--address")),
        (("games", "--address", "x"), ("--address 'x'", "host:port")),
        (("games", "--token", "a b"), ("--token", "one word")),
        (("games", "--token", "a", "--token-file", "b"), ("give one of them",)),
        (("games", "--tls-cert", "x"), ("--tls-cert without --tls-key",)),
    ],
)
def test_what_is_wrong_is_one_line_and_status_2(arena, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)

    refused(arena(*arguments), *words)


def test_a_record_before_the_end_is_refused_with_what_to_do(arena, tmp_path):
    match_id = arena("create", *OPEN, "--json").json()["match_id"]

    refused(arena("record", match_id, tmp_path / "x.jsonl"), "has ended", f"rivalry arena watch {match_id}")


def test_ctrl_c_while_following_tells_how_to_go_on(arena, address):
    with program.running("arena", "create", *OPEN, "--follow", "--address", address) as process:
        assert process.stderr is not None
        match_id = process.stderr.readline().split()[1]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    last = err.splitlines()[-1]
    request_id = last.rpartition("--request-id ")[2]
    assert (process.returncode, out) == (130, "")
    assert last.startswith("rivalry: stopped by Ctrl-C when 1 of 1 matches were made; to go on")
    assert arena("create", *OPEN, "--request-id", request_id, "--json").json()["match_id"] == match_id


def test_matches_are_followed_over_a_restart_of_the_arena(rivalry, tmp_path):
    where = f"unix:{tmp_path}/a.sock"
    serve = ("serve", "--host", where, "--data", tmp_path / "data", "--json", "--log", "none")
    with program.running(*serve) as first:
        assert first.stdout is not None
        first.stdout.readline()
        with program.running("arena", "create", *OPEN, "--follow", "--json", "--address", where) as following:
            assert following.stderr is not None
            following.stderr.readline()
            invitation = following.stderr.readline()
            first.kill()
            first.wait(30)
            away = following.stderr.readline()
            with program.running(*serve) as second:
                assert second.stdout is not None
                second.stdout.readline()
                take({"command": invitation.partition(": ")[2]})
                out, err = following.communicate(timeout=30)

    assert following.returncode == 0, err
    assert json.loads(out)["seats"][0]["name"] == "random"
    assert "it is asked again" in away


def test_where_tokens_are_asked_for_each_call_says_which_it_takes(rivalry, tmp_path, monkeypatch):
    data = tmp_path / "data"
    operator, bot = (
        rivalry("token", "new", "--data", data, "--kind", kind, "--name", "me", "--json").json()["token"]
        for kind in ("operator", "bot")
    )
    file = tmp_path / "desk.token"
    file.write_text(operator, encoding="utf-8")
    with program.serving("--data", data, "--ask-for-tokens") as address:
        monkeypatch.setenv("RIVALRY_ADDRESS", address)
        monkeypatch.delenv("RIVALRY_TOKEN", raising=False)

        refused(rivalry("arena", "create", *KUHN), "asks for an operator's token, and none was shown", "--token-file")
        refused(rivalry("arena", "list"), "asks for a token", "none was shown", "RIVALRY_TOKEN")
        refused(rivalry("arena", "list", "--token", "rvo_x_y"), "the token is unknown here")
        refused(rivalry("arena", "create", *KUHN, "--token", bot), "for operators", "that of a bot")
        by_file = rivalry("arena", "create", *KUHN, "--token-file", file, "--json")
        monkeypatch.setenv("RIVALRY_TOKEN", bot)
        by_environment = rivalry("arena", "list", "--json")

    assert by_file.status == 0
    assert by_environment.json()["matches"][0]["match_id"] == by_file.json()["match_id"]
    assert operator not in by_file.out + by_file.err


def test_over_tls_the_command_for_a_seat_names_the_ca(rivalry, tmp_path, monkeypatch):
    authority = Authority(tmp_path)
    issued, ca = authority.issued(), authority.ca
    with program.serving("--tls-cert", issued.cert, "--tls-key", issued.key) as address:
        monkeypatch.setenv("RIVALRY_ADDRESS", address)
        monkeypatch.delenv("RIVALRY_TLS_CA", raising=False)

        refused(rivalry("arena", "games"), "cannot be spoken with: it speaks TLS", "--tls-ca")
        made = rivalry("arena", "create", *OPEN, "--tls-ca", ca, "--json").json()
        take(made["seats"][0])
        monkeypatch.setenv("RIVALRY_TLS_CA", str(ca))
        ended = rivalry("arena", "show", made["match_id"], "--json").json()

    assert made["seats"][0]["command"].endswith(f"--tls-ca {ca}")
    assert ended["seats"][0]["name"] == "random"


def test_help_imports_neither_grpc_nor_protobuf():
    script = (
        "import sys; from rivalry_server.program import run; run(['arena', 'create', '--help']);"
        "sys.exit(', '.join({'grpc', 'google.protobuf', 'rich', 'structlog'} & set(sys.modules)) or 0)"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")
