"""The file of tokens: its mode, its replacement, what is told when it cannot be used, changes while it is read."""

import io
import json
import os
import threading

import pytest

from rivalry_server import logs, token_file
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token, TokenError


def added(folder, name="mine", kind=Kind.BOT):
    """Puts a new token into the file of ``folder``; returns it."""
    token, _ = Token.made(kind, name, now=1_800_000_000)
    TokenFile(folder).changed(lambda tokens: {**tokens, token.token_id: token})
    return token


@pytest.fixture
def log():
    written = io.StringIO()
    logs.configure("error", stream=written)
    yield written
    logs.configure("warning")


def test_no_file_is_as_good_as_an_empty_one(tmp_path):
    assert dict(TokenFile(tmp_path / "nowhere").tokens()) == {}
    assert not (tmp_path / "nowhere").exists()


def test_the_folder_and_the_files_are_for_their_owner_alone_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        added(tmp_path / "data")
    finally:
        os.umask(before)

    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()} == {
        "tokens": 0o600,
        "tokens.lock": 0o600,
    }


def test_a_file_that_is_open_sees_what_others_add_and_revoke(tmp_path):
    file = TokenFile(tmp_path)
    token = added(tmp_path)

    assert dict(file.tokens()) == {token.token_id: token}

    TokenFile(tmp_path).changed(lambda tokens: {name: each.revoke(1) for name, each in tokens.items()})

    assert file.tokens()[token.token_id].ended(0) == "revoked"


def test_a_file_that_has_not_changed_is_not_read_again(tmp_path, monkeypatch):
    token = added(tmp_path)
    file = TokenFile(tmp_path)
    monkeypatch.setattr(token_file, "_read", lambda path: pytest.fail("was read again"))

    assert token.token_id in file.tokens()


def test_a_file_that_was_removed_holds_no_tokens(tmp_path):
    added(tmp_path)
    file = TokenFile(tmp_path)

    (tmp_path / "tokens").unlink()

    assert dict(file.tokens()) == {}


def test_a_file_that_breaks_while_it_is_used_is_logged_once_and_what_it_held_stays_true(tmp_path, log):
    token = added(tmp_path)
    file = TokenFile(tmp_path)

    (tmp_path / "tokens").write_text("{")

    assert list(file.tokens()) == list(file.tokens()) == [token.token_id]
    assert [json.loads(line)["event"] for line in log.getvalue().splitlines()] == ["tokens_unreadable"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cannot be read as a file of tokens"),
        ("[]", "cannot be read as a file of tokens"),
        ("[" * 100_000, "cannot be read as a file of tokens"),
        ('{"tokens": []}', "cannot be read as a file of tokens"),
        ('{"format": 2, "tokens": []}', "has format 2, this rivalry reads 1"),
        ('{"format": 1, "tokens": {}}', "its tokens are no list"),
        ('{"format": 1, "tokens": [{}]}', "a token has other fields"),
    ],
)
def test_a_file_that_is_none_of_tokens_is_told_in_one_line_and_left_alone(tmp_path, text, told):
    (tmp_path / "tokens").write_text(text)
    (tmp_path / "tokens").chmod(0o600)

    with pytest.raises(TokenError, match=told) as raised:
        TokenFile(tmp_path)

    assert str(tmp_path / "tokens") in str(raised.value)
    assert "\n" not in str(raised.value)
    assert (tmp_path / "tokens").read_text() == text


def test_a_file_that_others_may_write_is_refused(tmp_path):
    added(tmp_path)
    (tmp_path / "tokens").chmod(0o620)

    with pytest.raises(TokenError, match="chmod 600"):
        TokenFile(tmp_path)


def test_a_fifo_in_its_place_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "tokens", 0o600)

    with pytest.raises(TokenError, match="no file of tokens"):
        TokenFile(tmp_path)


def test_of_many_who_add_at_once_each_token_stays(tmp_path):
    threads = [threading.Thread(target=added, args=(tmp_path, f"bot {each}")) for each in range(12)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {token.name for token in TokenFile(tmp_path).tokens().values()} == {f"bot {each}" for each in range(12)}


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    token = added(tmp_path)

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(token_file.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        added(tmp_path)

    monkeypatch.undo()
    assert list(TokenFile(tmp_path).tokens()) == [token.token_id]
    assert {path.name for path in tmp_path.iterdir()} == {"tokens", "tokens.lock"}
