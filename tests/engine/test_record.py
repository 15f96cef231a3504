"""Records: chain, digest, replay, and the refusal of every change."""

import hashlib
import json

import pytest

from rivalry_engine import catalog, playout, record
from rivalry_engine.error import DamagedRecordError, RecordError
from rivalry_engine.kuhn import Kuhn


def kuhn_record(*, shares=None, **changes):
    """A record of one game of Kuhn poker; ``shares`` of the second action's time were not the bot's."""
    game = Kuhn()
    played = playout.play(game, [playout.uniform, playout.uniform], b"x")
    recorder = record.Recorder(
        game,
        b"x",
        "0" * 32,
        seats=[{"name": "a", "version": "1"}, {"name": "b", "version": ""}],
        time="30s",
        policies={"on_crash": "void"},
        package="0.1.0",
        protocol=1,
    )
    for number, (seat, action) in enumerate(played.moves):
        recorder.act(seat, game.text(action), 12, **(shares or {} if number == 1 else {}))
    outcome = {
        "scores": played.state.scores(),
        "ranks": played.state.ranks(),
        "ends": ["normal", "normal"],
        "fell": [None, None],
        **changes,
    }
    recorder.end(**outcome)
    return recorder


def rewritten(text, change):
    """The record after ``change`` of its lines, with chains that hold."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["chain"]
    change(lines)
    chain, out = bytes(32), []
    for line in lines:
        chain = hashlib.sha256(chain + record.canonical(line)).digest()
        out.append(record.canonical({**line, "chain": chain.hex()}).decode() + "\n")
    return "".join(out)


def test_a_record_is_read_back_and_plays_to_its_outcome():
    recorder = kuhn_record()

    read = record.read(recorder.text())
    state = record.verified(read)

    assert state.scores() == tuple(read.tail["outcome"]["scores"])
    assert [(line["seat"], line["action"]) for line in read.actions] == recorder.moves
    assert read.seed == b"x"


def test_the_vectors_of_the_readme_hold():
    lines = kuhn_record().lines

    assert [json.loads(line)["chain"] for line in lines] == [
        "9644024ef07b64f74bc9818b380388f577cf6182b5cd379cbe83a4ff32505402",
        "e9b909791fd46da8034f5b8008361b97b9a1b0260d76f848e1106abb037312e5",
        "a9c02348a5917eec02020ff1b9543dee8240df1289ac1757ed49669231278914",
        "763680b632b82c66e0ec1ef93151e728782a73b3a0f14e416648d1c94b1689b0",
    ]
    assert json.loads(lines[-1])["game_digest"] == "71e082c4a1d77252114df75f6e07600761addb30849d0368c9205e92e90b05cc"


def test_the_vector_of_the_readme_with_shares_of_the_time_holds():
    recorder = kuhn_record(shares={"network": 3, "arena": 4})

    assert recorder.lines[2] == (
        '{"action":"bet","arena":4,"chain":"bb69a4648b7a36abf592349133a15d0b7a8cc4920a0d8bde665cde1638146228","n":2,"network":3,"seat":1,"us":12}'
    )
    assert record.read(recorder.text()).actions[1]["network"] == 3


def test_shares_of_nothing_are_left_out():
    assert kuhn_record(shares={"network": 0, "arena": 0}).lines == kuhn_record().lines


def test_the_game_digest_is_sha256_over_the_canonical_facts():
    recorder = kuhn_record()

    facts = (
        b'{"actions":[[0,"bet"],[1,"bet"]],"game":"kuhn","options":{"seats":2},'
        b'"rules_version":1,"scores":[-2,2],"seed":"0x78"}'
    )

    assert json.loads(recorder.lines[-1])["game_digest"] == hashlib.sha256(facts).hexdigest()


def test_the_game_digest_does_not_depend_on_names_times_or_who_acted():
    recorder = kuhn_record()
    other = record.Recorder(
        Kuhn(),
        b"x",
        "f" * 32,
        seats=[{"name": "c", "version": "2"}] * 2,
        time="1s",
        policies={},
        package="9",
        protocol=9,
    )
    for seat, text in recorder.moves:
        other.act(seat, text, 999, by="stand-in", note="hm")

    digest = other.end(scores=(-2, 2), ranks=(2, 1), ends=["normal", "crash"], fell=[None, 0])

    assert digest == json.loads(recorder.lines[-1])["game_digest"]


def test_a_line_written_by_hand_is_canonical():
    shares = [None, {"network": 3}, {"arena": 4}, {"network": 3, "arena": 4}, {"arena": 4, "note": "well"}]
    for line in (line for given in shares for line in kuhn_record(shares=given).lines):
        assert record.canonical(json.loads(line)).decode() == line


def test_a_change_of_any_byte_is_refused():
    data = kuhn_record().text().encode()

    for at in range(len(data)):
        for flip in (1, 32, 128):
            with pytest.raises(RecordError):
                record.verified(record.read(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]))


def test_a_record_cut_anywhere_is_refused():
    data = kuhn_record().text()

    for at in range(len(data)):
        with pytest.raises(RecordError):
            record.read(data[:at])


def test_a_record_cut_at_a_line_is_read_when_that_is_asked_for():
    lines = kuhn_record().text().splitlines(keepends=True)

    part = record.read("".join(lines[:2]), whole=False)

    assert part.tail is None
    assert record.replayed(part).movers() == (1,)


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", "7", '{"a":1}', "\x00\xff", "[" * 100_000])
def test_what_is_no_record_is_told_apart_from_a_damaged_one(text):
    with pytest.raises(RecordError, match="this is no record") as refusal:
        record.read(text)

    assert not isinstance(refusal.value, DamagedRecordError)


def edit(path, value):
    """A change of the lines: sets one value, deletes it where ``value`` is ..."""

    def change(lines):
        at = lines
        for key in path[:-1]:
            at = at[key]
        if value is ...:
            del at[path[-1]]
        else:
            at[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit((1, "action"), "raise"), "action 1: 'raise' is no action"),
        (edit((1, "action"), " bet"), "action 1: ' bet' is not canonical; expected 'bet'"),
        (edit((1, "seat"), 1), "action 1: seat 1 acted; seat 0 was asked"),
        (edit((2, "n"), 7), "line 3: a value has another type"),
        (edit((2, "us"), "fast"), "line 3: a value has another type"),
        (edit((2, "network"), "1"), "line 3: a value has another type"),
        (edit((2, "arena"), None), "line 3: a value has another type"),
        (edit((2, "by"), "me"), "line 3: a value has another type"),
        (edit((2, "why"), "x"), r"line 3: keys \['why'\] are missing or unknown"),
        (edit((2, "us"), ...), r"line 3: keys \['us'\] are missing or unknown"),
        (edit((0, "time"), ...), r"line 1: keys \['time'\] are missing or unknown"),
        (edit((3, "outcome", "scores"), [2, -2]), r"the record says scores \[2, -2\]; played again it is \[-2, 2\]"),
        (edit((3, "outcome", "ranks"), [1, 2]), r"the record says ranks \[1, 2\]; played again it is \[2, 1\]"),
        (edit((3, "game_digest"), "00"), "the record says game_digest 00"),
        (edit((3, "outcome", "scores"), None), "a void match has neither"),
        (edit((3, "seats", 0, "end"), "crash"), "seat 0 ended 'crash' after None actions"),
        (edit((3, "seats", 0, "end"), "tired"), "seat 0 ended 'tired'"),
        (edit((3, "seats"), []), "the outcome has 0 seats"),
        (edit((2,), ...), "an outcome after 1 action; the game is not over"),
        (edit((3,), ...), "breaks off without an outcome"),
    ],
)
def test_a_record_rewritten_with_chains_that_hold_is_refused_by_its_first_difference(change, message):
    text = rewritten(kuhn_record().text(), change)

    with pytest.raises(DamagedRecordError, match=message):
        record.verified(record.read(text))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit((0, "format"), 2), "the record has format 2; this package reads format 1"),
        (edit((0, "rules_version"), 9), "under rules version 9 of kuhn; this package has version 1"),
        (edit((0, "game"), "chess"), "there is no game 'chess'"),
        (edit((0, "options"), {"seats": 3}), "option seats: 3 is not allowed"),
    ],
)
def test_a_record_that_is_not_played_here_is_said_to_be_so(change, message):
    text = rewritten(kuhn_record().text(), change)

    with pytest.raises(RecordError, match=message) as refusal:
        record.verified(record.read(text))

    assert not isinstance(refusal.value, DamagedRecordError)


def test_a_seat_that_fell_ranks_last_and_verifies():
    recorder = kuhn_record(ranks=(1, 2), ends=["normal", "crash"], fell=[None, 1])

    record.verified(record.read(recorder.text()))


def test_a_match_that_stopped_early_is_ranked_by_the_scores_of_that_moment():
    game = catalog.game("kuhn")
    recorder = record.Recorder(
        game, b"y", "1" * 32, seats=[{"name": "a", "version": ""}] * 2, time="1s", policies={}, package="", protocol=1
    )
    recorder.act(0, "pass", 3)

    recorder.end(scores=(0, 0), ranks=(1, 2), ends=["normal", "timeout"], fell=[None, 1])

    record.verified(record.read(recorder.text()))


def test_a_bot_that_was_started_again_is_marked_and_changes_no_digest():
    plain, marked = kuhn_record(), kuhn_record(retries=[0, 2])

    read = record.read(marked.text())
    record.verified(read)

    assert read.tail["seats"] == [{"end": "normal", "fell": None}, {"end": "normal", "fell": None, "retries": 2}]
    assert read.tail["game_digest"] == record.read(plain.text()).tail["game_digest"]


def test_runs_that_were_spoiled_are_named():
    recorder = record.Recorder(
        Kuhn(),
        b"x",
        "1" * 32,
        seats=[{"name": "a", "version": ""}] * 2,
        time="30s",
        policies={},
        package="0.1.0",
        protocol=1,
        earlier=["0" * 32],
    )
    recorder.end(scores=None, ranks=None, ends=["cancelled"] * 2, fell=[0, 0])

    assert record.read(recorder.text()).head["earlier"] == ["0" * 32]


def test_a_void_match_verifies_without_scores():
    recorder = kuhn_record(scores=None, ranks=None, ends=["normal", "crash"], fell=[None, 2], text="seat 1 crashed")

    assert json.loads(recorder.lines[-1])["game_digest"] == ""
    record.verified(record.read(recorder.text()))


def test_a_float_never_enters_a_record():
    with pytest.raises(RecordError, match="integers only"):
        record.canonical({"a": [{"b": 0.5}]})


def test_a_record_from_a_position_starts_there():
    game = Kuhn()
    position = {"game": "kuhn", "options": {"seats": 2}, "seed": "0x", "cards": ["king", "jack"], "moves": ["pass"]}
    recorder = record.Recorder(
        game,
        b"",
        "0" * 32,
        seats=[{"name": "a", "version": ""}] * 2,
        time="1s",
        policies={},
        package="",
        protocol=1,
        position=position,
    )
    recorder.act(1, "pass", 0)

    with_position = recorder.end(scores=(1, -1), ranks=(1, 2), ends=["normal"] * 2, fell=[None] * 2)

    record.verified(record.read(recorder.text()))
    assert with_position != record.game_digest(game, b"", recorder.moves, (1, -1))


def test_a_last_line_that_is_cut_is_left_out_where_a_record_need_not_be_whole():
    text = kuhn_record().text()
    head, first, second, tail = text.splitlines(keepends=True)

    for cut in (head + first + second[:30], head + first + second.rstrip("\n"), head + first + second[:30] + "\n"):
        read = record.read(cut, whole=False)

        assert read.cut
        assert (len(read.actions), read.tail) == (1, None)
        with pytest.raises(DamagedRecordError):
            record.read(cut)
    assert not record.read(head + first + second, whole=False).cut
    assert not record.read(text, whole=False).cut
    with pytest.raises(DamagedRecordError, match="line 2"):
        record.read(head + first[:30] + "\n" + second + tail, whole=False)
