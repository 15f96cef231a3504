from __future__ import annotations

import pytest

from rivalry_server.commands import play


@pytest.mark.parametrize(
    ("bot", "name", "version", "shown"),
    [
        ("greedy", "greedy", "1", "greedy"),
        ("hoarder?most=8", "hoarder", "1", "hoarder?most=8"),
        ("inproc:first", "first", "1", "inproc:first"),
        ("inproc:my_bot:MyBot", "MyBot", "", "inproc:my_bot:MyBot"),
        ("listen", "MyBot", "2.1", "listen (MyBot 2.1)"),
        ("dial:localhost:7000", "MyBot", "", "dial:localhost:7000 (MyBot)"),
        ("cmd:python my_bot.py", "MyBot", "1", "cmd:python my_bot.py (MyBot 1)"),
        ("listen", "", "", "listen"),
    ],
)
def test_an_outcome_says_who_played_where_the_spec_does_not(bot, name, version, shown):
    assert play.who({"bot": bot, "name": name, "version": version}) == shown


def test_the_table_says_it(capsys):
    seat = {"rank": 1, "seat": 0, "bot": "listen", "name": "MyBot", "version": "2", "score": 3}
    match = {"void": False, "score_unit": 1, "seats": [{**seat, "end": "normal", "text": ""}]}

    play.table(match)

    assert "listen (MyBot 2)" in capsys.readouterr().out
