"""The settings of a ladder: what they may say, and how what they may not is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.error import LadderError
from rivalry_server.policies import Policy
from rivalry_server.seating import Command, Dial

WHOLE = """
[ladder]
concurrent = 4
gap = 2

[queues.kuhn]
game = "kuhn"
time = "2s"
on = { crash = "void" }

[queues.ethnos4]
game = "ethnos"
seats = 4
same_owner = true

[bots.house]
run = "built-in:greedy"
queues = ["ethnos4"]

[bots.mine]
run = "cmd:python my_bot.py"
version = "7"
owner = "me"
matches = 3

[bots.far]
run = "dial:localhost:9000"
"""


def test_all_of_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "ladder.toml").write_text(WHOLE)

    made = ladder_settings.read(tmp_path / "ladder.toml")

    assert (made.figures.concurrent, made.figures.gap) == (4, 2)
    kuhn, ethnos = made.queues.values()
    assert (kuhn.time_control.prompt_us, kuhn.same_owner) == (2_000_000, False)
    assert [str(kuhn.policies.on_crash), str(kuhn.policies.on_no_show)] == [Policy.VOID, Policy.VOID]
    assert (ethnos.game.seats, ethnos.same_owner) == (4, True)
    house, mine, far = made.bots.values()
    assert (house.built_in, house.means, house.queues) == ("greedy", "built-in", ("ethnos4",))
    assert isinstance(mine.registered, Command) and mine.registered.argv == ("python", "my_bot.py")
    assert (mine.version, mine.owner, mine.matches, mine.queues) == ("7", "me", 3, ("kuhn", "ethnos4"))
    assert isinstance(far.registered, Dial) and far.registered.target == "localhost:9000"


FIRST = '[queues.kuhn]\ngame = "kuhn"\n[bots.a]\nrun = "built-in:first"\n'


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "ladder.toml").write_text("\ufeff" + FIRST, encoding="utf-8")

    assert list(ladder_settings.read(tmp_path / "ladder.toml").bots) == ["a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "not TOML"),
        ("", "no queues; expected at least one"),
        ("[queue.kuhn]", "there is no 'queue'; expected ladder, queues, bots"),
        ("[queues.kuhn]", r"\[queues.kuhn\] game: expected it"),
        ("x = " + "[" * 5_000, "nested too deeply"),
        ('[queues."a\\nb"]\ngame = "kuhn"', "1 to 40 of A-Z"),
        ('[queues.kuhn]\ngame = "kuhn"\non = {crush = "void"}', "there is no 'crush'; expected illegal, timeout"),
        (
            '[queues.kuhn]\ngame = "kuhn"\nsame_owner = 1',
            r"toml: \[queues.kuhn\] same_owner = 1: expected true or false",
        ),
        ('[queues.kuhn]\ngame = "chess4"', "no game 'chess4'"),
        ('[queues.kuhn]\ngame = "kuhn"\nseats = 3', "seats"),
        ('[queues.kuhn]\ngame = "kuhn"\ntime = "fast"', "fast"),
        ('[queues."a b"]\ngame = "kuhn"', "the name 'a b'"),
        ('[queues.kuhn]\ngame = "kuhn"\nclock = "2s"', "there is no 'clock'; expected game, seats"),
        ('[queues.kuhn]\ngame = "kuhn"\nwait_s = -1', "wait_s = -1: expected seconds, above 0"),
        ('[queues.kuhn]\ngame = "kuhn"\n[ladder]\nconcurrent = 1.5', "concurrent = 1.5: expected a whole number"),
        ('[queues.kuhn]\ngame = "kuhn"\n[ladder]\nfaults = 11', "faults of at most window"),
        ('[queues.kuhn]\ngame = "kuhn"\n[bots.a]', r"\[bots.a\] run: expected it"),
        ('[queues.kuhn]\ngame = "kuhn"\n[bots.a]\nrun = "greedy"', "expected cmd:COMMAND LINE"),
        ('[queues.kuhn]\ngame = "kuhn"\n[bots.a]\nrun = "dial:here"', "'here' is no address"),
        (
            '[queues.kuhn]\ngame = "kuhn"\n[bots.a]\nrun = "built-in:first"\nqueues = ["x"]',
            "no queue 'x'; there are kuhn",
        ),
        (f"{FIRST}matches = 0", "matches = 0: expected 1 to"),
        (f"{FIRST}queues = []", "queues: it is empty"),
        (f'{FIRST}queues = [["kuhn"]]', r"no queue \['kuhn'\]; there are kuhn"),
        (f"{FIRST}version = [1]", r"version = \[1\]: expected"),
        (f'{FIRST}digest = "00"', r"\[bots.a\]: the digest '00': expected a SHA-256"),
        (f'{FIRST}owner = ""', r"\[bots.a\]: the owner '': expected 1 to 64"),
    ],
)
def test_what_cannot_be_is_told_in_one_line_with_the_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "ladder.toml"
    file.write_text(text)

    with pytest.raises(LadderError, match=said) as told:
        ladder_settings.read(file)

    assert str(told.value).startswith(str(file))
    assert "\n" not in str(told.value)
