"""``rivalry token``: a token is printed once, and lists show none."""

import re

import pytest

from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import shown


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def new(rivalry, data, *more, name="mine", kind="bot"):
    return rivalry("token", "new", "--data", data, "--kind", kind, "--name", name, *more)


def test_a_new_token_is_all_of_stdout_and_good(rivalry, data):
    said = new(rivalry, data)

    text = said.out.rstrip("\n")
    assert re.fullmatch(r"rvb_[a-z0-9]{10}_[A-Za-z0-9_-]{43}", text)
    assert shown(text, TokenFile(data).tokens()).name == "mine"
    assert text not in said.err
    assert "shown this once" in said.err


def test_json_has_the_token_and_what_a_list_shows(rivalry, data):
    made = new(rivalry, data, "--expires", "30d", "--json", kind="operator", name="desk").json()

    listed = rivalry("token", "list", "--data", data, "--json").json()["tokens"]
    assert made["token"].startswith(f"rvo_{made['id']}_")
    assert listed == [{key: value for key, value in made.items() if key != "token"}]
    assert made["expires"] > made["created"]


def test_neither_a_list_nor_the_file_holds_a_token(rivalry, data):
    secret = new(rivalry, data).out.strip().split("_", 2)[2]

    said = rivalry("token", "list", "--data", data)
    as_json = rivalry("token", "list", "--data", data, "--json")

    assert secret not in said.out + as_json.out + (data / "tokens").read_text()
    assert said.out.splitlines()[1].split()[1:3] == ["bot", "mine"]


def test_a_revoked_token_is_listed_as_such(rivalry, data):
    token_id = new(rivalry, data, "--json").json()["id"]

    said = rivalry("token", "revoke", "--data", data, token_id)

    assert said.status == 0
    assert said.out == f"revoked the token of bot mine, id {token_id}\n"
    assert rivalry("token", "list", "--data", data).out.splitlines()[1].endswith("revoked")
    again = rivalry("token", "revoke", "--data", data, token_id)
    assert (again.status, again.err) == (2, f"rivalry: token {token_id} was revoked before\n")


def test_an_id_that_no_token_has_is_told(rivalry, data):
    new(rivalry, data)

    said = rivalry("token", "revoke", "--data", data, "nobody")

    assert (said.status, said.err) == (
        2,
        "rivalry: no token has the id 'nobody'; `rivalry token list` shows the ids\n",
    )


def test_a_whole_token_given_for_its_id_is_not_repeated(rivalry, data):
    text = new(rivalry, data).out.strip()

    said = rivalry("token", "revoke", "--data", data, text)

    assert said.status == 2
    assert text not in said.err
    assert "expected the id of a token" in said.err


@pytest.mark.parametrize("given", ["3w", "0d", "-1d", "1.5h", "", "999999999d", "d"])
def test_an_expiry_that_is_none_is_told(rivalry, data, given):
    said = new(rivalry, data, "--expires", given)

    assert said.status == 2
    assert "such as 90m, 12h or 30d" in said.err
    assert not data.exists()


def test_a_folder_that_is_not_there_is_told(rivalry, data):
    said = rivalry("token", "list", "--data", data)

    assert (said.status, said.err.count("\n")) == (2, 1)
    assert "no such folder" in said.err
