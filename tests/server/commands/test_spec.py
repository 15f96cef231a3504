from __future__ import annotations

import sys

import pytest

from rivalry_bots import catalog
from rivalry_server.commands import spec
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Listen
from server.commands import broken


def test_a_name_is_a_built_in_bot_in_a_process_of_its_own():
    occupant = spec.occupant("random", "kuhn")

    assert isinstance(occupant, Command)
    assert occupant.argv[:3] == (sys.executable, "-m", "rivalry_bots")
    assert occupant.bot == "random"


def test_inproc_is_a_built_in_bot_in_this_process():
    occupant = spec.occupant("inproc:first", "kuhn")

    assert isinstance(occupant, InProcess)
    assert (occupant.name, occupant.bot) == ("first", "inproc:first")


def test_inproc_takes_a_class_from_a_module_in_the_folder(tmp_path, monkeypatch):
    (tmp_path / "folder_bot.py").write_text(
        "from rivalry_client import Bot\nclass Mine(Bot):\n    def choose(self, prompt):\n        return 0\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)

    occupant = spec.occupant("inproc:folder_bot:Mine", "kuhn")

    assert isinstance(occupant, InProcess)
    assert occupant.name == "Mine"


def test_a_command_line_is_split_as_by_a_shell_and_run_without_one():
    occupant = spec.occupant("cmd:python 'my bot.py' --name $HOME", "kuhn")

    assert occupant == Command(("python", "my bot.py", "--name", "$HOME"), "cmd:python 'my bot.py' --name $HOME")


@pytest.mark.parametrize("target", ["localhost:7000", "[::1]:7000", "unix:/tmp/bot.sock"])
def test_a_target_is_what_grpc_takes(target):
    assert spec.occupant(f"dial:{target}", "kuhn") == Dial(target, f"dial:{target}")


def test_listen_waits_for_whoever_dials_in():
    assert spec.occupant("listen", "kuhn") == Listen("listen")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nobody", "there is no bot 'nobody'"),
        ("", "there is no bot ''"),
        ("inproc:nobody", "there is no bot 'nobody'"),
        ("inproc:no_such_module:Bot", "No module named 'no_such_module'"),
        ("inproc:json:JSONDecoder", "expected a subclass of rivalry_client.Bot"),
        ("random?x", "are no settings; expected random?key=value"),
        ("random?x=1", "no setting 'x'"),
        ("first:random", "expected NAME, inproc:NAME"),
        ("cmd:", "no command"),
        ("cmd:python 'my_bot.py", "No closing quotation"),
        ("dial:", "is no address"),
        ("dial:7000", "is no address"),
        ("dial:localhost:x", "is no address"),
        ("dial:::1:7000", "is no address"),
        ("dial:localhost:70000", "is no address"),
        ("listen:here", "expected NAME, inproc:NAME"),
    ],
)
def test_a_spec_that_names_nobody_is_refused_with_what_was_given_and_what_is_expected(text, complaint):
    with pytest.raises(spec.SpecError) as refused:
        spec.occupant(text, "kuhn")

    assert str(refused.value).startswith(f"--bot {text}: ")
    assert complaint in str(refused.value)


def test_a_bot_that_needs_the_wire_is_refused_in_process():
    with pytest.raises(spec.SpecError, match="--bot inproc:bad-late: "):
        spec.occupant("inproc:bad-late", "kuhn")


@pytest.mark.parametrize("source", list(broken.SOURCES))
@pytest.mark.parametrize("kind", ["inproc:", ""])
def test_a_module_that_cannot_be_imported_is_told_by_file_line_and_error(tmp_path, monkeypatch, source, kind):
    broken.entry(catalog, source, tmp_path, monkeypatch)

    with pytest.raises(spec.SpecError) as refused:
        spec.occupant(f"{kind}broken", "kuhn")

    assert broken.SOURCES[source] in str(refused.value)
    assert "\n" not in str(refused.value)
