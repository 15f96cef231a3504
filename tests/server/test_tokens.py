"""Tokens: their text, what is kept of them, and that looking one up tells nothing."""

import hashlib
import hmac

import pytest

from rivalry_server import tokens
from rivalry_server.tokens import Kind, Token, TokenError, shown

NOW = 1_800_000_000.5


def made(kind=Kind.BOT, name="mine", **more):
    return Token.made(kind, name, now=NOW, **more)


def test_a_token_says_its_kind_and_its_public_id_before_its_secret():
    bot, text = made()
    operator, other = made(Kind.OPERATOR)

    assert text.split("_", 2)[:2] == ["rvb", bot.token_id]
    assert other.split("_", 2)[:2] == ["rvo", operator.token_id]
    assert len(text.split("_", 2)[2]) == 43


def test_only_a_digest_of_the_secret_is_kept():
    token, text = made()
    secret = text.split("_", 2)[2]

    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in repr(token) + repr(token.row())


def test_a_token_is_found_by_its_text():
    token, text = made()

    assert shown(text, {token.token_id: token}) is token


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1] + ("A" if text[-1] != "A" else "B"),
        lambda text: text.replace("rvb_", "rvo_"),
        lambda text: text.upper(),
        lambda text: text + "\n",
        lambda text: f" {text}",
        lambda text: text + "A",
        lambda text: text.rpartition("_")[0],
        lambda text: "",
        lambda text: "rvb_" + "é" * 54,
        lambda text: text[:4] + "aaaaaaaaaa" + text[14:],
    ],
)
def test_a_text_that_differs_in_anything_is_no_token(change):
    token, text = made()

    assert shown(change(text), {token.token_id: token}) is None


def test_secrets_are_compared_in_constant_time_whether_or_not_the_id_is_known(monkeypatch):
    compared = []
    compare = hmac.compare_digest

    def watched(one, other):
        compared.append((one, other))
        return compare(one, other)

    monkeypatch.setattr(tokens.hmac, "compare_digest", watched)
    token, text = made()
    _, strange = made()

    shown(text, {token.token_id: token})
    shown(strange, {token.token_id: token})

    assert [other == token.digest for _, other in compared] == [True, False]
    assert {len(word) for pair in compared for word in pair} == {64}


def test_a_token_is_good_until_it_expires_or_is_revoked():
    token, _ = made(lasts_s=60)

    assert token.ended(NOW + 59) == ""
    assert token.ended(NOW + 60) == "expired"
    assert token.revoke(NOW).ended(NOW) == "revoked"
    with pytest.raises(TokenError, match="revoked before"):
        token.revoke(NOW).revoke(NOW)


@pytest.mark.parametrize("name", ["", "x" * 65, "two\nlines", "\x1b[31m"])
def test_a_name_is_one_to_64_printable_characters(name):
    with pytest.raises(TokenError, match="1 to 64 printable characters"):
        made(name=name)


def test_a_row_gives_the_token_again():
    token, _ = made(Kind.OPERATOR, lasts_s=60)

    assert Token.of(token.row()) == token
    assert Token.of(token.revoke(NOW).row()) == token.revoke(NOW)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "king"},
        {"created": "now"},
        {"created": True},
        {"expires": 1.5},
        {"revoked": "yes"},
        {"id": 3},
        {"name": None},
        {"digest": "ab"},
        {"more": 1},
    ],
)
def test_a_row_that_is_no_token_is_refused(change):
    token, _ = made()

    with pytest.raises(TokenError):
        Token.of({**token.row(), **change})
