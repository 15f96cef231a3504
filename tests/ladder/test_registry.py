"""Owners, bots and versions: what may be registered, and what a version begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection, select, update

from ladder.made import OPEN, QUEUE, entries, settled
from rivalry_ladder import registry
from rivalry_ladder.error import ForbiddenError, LadderError, TakenError, UnknownError
from rivalry_ladder.online import LINKED_SIGMA, MU, SIGMA
from rivalry_ladder.registry import Means, Registered, Wanted
from rivalry_ladder.store import Store
from rivalry_ladder.tables import ENTRIES

ALICE = Wanted("alice", "ann", "1")
DIGEST = "ab" * 32


def registered(store: Store, wanted: Wanted, means: Means = Means.DIALS_IN) -> Registered:
    """What registering gives."""
    return store.do(lambda connection: registry.register(connection, wanted, means, now=1.0))


def test_a_bot_is_registered_once(store: Store) -> None:
    settled(store)

    first, again = registered(store, ALICE), registered(store, ALICE)

    assert (first.new_bot, first.new_version) == (True, True)
    assert again == replace(first, new_bot=False, new_version=False)
    assert [(row.queue, row.rating.mu, row.probed) for row in entries(store, "alice")] == [(QUEUE, MU, False)]


@pytest.mark.parametrize("link", [False, True])
def test_a_new_version_does_not_inherit_unless_it_is_linked_and_is_less_sure_then(store: Store, link: bool) -> None:
    settled(store)
    registered(store, ALICE)
    store.do(lambda connection: connection.execute(update(ENTRIES).values(mu=31.0, sigma=1.0, rated=50, probed=True)))

    registered(store, replace(ALICE, version="2", link=link))

    (new,) = entries(store, "alice")
    assert (new.version, new.rated, new.probed) == ("2", 0, False)
    assert (new.rating.mu, new.rating.sigma) == ((31.0, LINKED_SIGMA) if link else (MU, SIGMA))
    assert (
        store.do(lambda connection: connection.execute(select(ENTRIES.c.mu).where(ENTRIES.c.rated == 50)).scalar())
        == 31
    )


@pytest.mark.parametrize(
    ("wanted", "error", "said"),
    [
        (replace(ALICE, owner="bob"), ForbiddenError, "the bot 'alice' is ann's; take another name"),
        (replace(ALICE, name="no/slash"), LadderError, "expected 1 to 40 of"),
        (replace(ALICE, version=""), LadderError, "the same as the bot says in its hello"),
        (replace(ALICE, digest="abc"), LadderError, "expected a SHA-256"),
        (replace(ALICE, version="3", digest=DIGEST), TakenError, "is that of its version '2'; nothing is new"),
        (replace(ALICE, version="2", digest="cd" * 32), TakenError, "another program is another version"),
        (ALICE, TakenError, "a version does not come back"),
        (replace(ALICE, version="2", queues=("chess",)), UnknownError, f"no queue 'chess'; there are: {OPEN}"),
    ],
)
def test_what_cannot_be_registered_is_told_and_changes_nothing(
    light: Store, wanted: Wanted, error: type[Exception], said: str
) -> None:
    settled(light)
    registered(light, ALICE)
    registered(light, replace(ALICE, version="2", digest=DIGEST))
    before = entries(light)

    with pytest.raises(error, match=said):
        registered(light, wanted)

    assert entries(light) == before


def test_a_bot_that_dials_in_is_none_that_the_server_runs(light: Store) -> None:
    settled(light)
    registered(light, ALICE)

    with pytest.raises(TakenError, match="dials in with a token already"):
        registered(light, ALICE, Means.COMMAND)


def test_settings_that_name_another_owner_than_a_bot_has_are_told_which_to_name(light: Store) -> None:
    settled(light, bots={"own": {"run": "built-in:random", "owner": "ann"}})

    with pytest.raises(LadderError) as failed:
        settled(light, bots={"own": {"run": "built-in:random"}})

    said = """[bots.own]: the bot 'own' is ann's; take another name, or set owner = "ann" there"""
    assert str(failed.value) == said


def test_a_pause_is_ended_once(light: Store) -> None:
    settled(light)
    registered(light, ALICE)

    def paused(connection: Connection) -> None:
        registry.paused(connection, "alice", text="tea", now=2.0)

    light.do(paused)
    assert entries(light, "alice")[0].paused == "tea"
    light.do(lambda connection: registry.resumed(connection, "alice", by="ann", now=3.0))
    assert entries(light, "alice")[0].paused is None
    with pytest.raises(LadderError, match="neither paused nor in quarantine"):
        light.do(lambda connection: registry.resumed(connection, "alice", by="ann", now=3.0))


def test_only_the_owner_may_change_a_bot(light: Store) -> None:
    settled(light)
    registered(light, ALICE)

    light.do(lambda connection: registry.check_owner(connection, "alice", "ann"))
    light.do(lambda connection: registry.check_owner(connection, "alice", None))
    with pytest.raises(ForbiddenError, match="bot 'alice' is ann's, and the token shown is bob's"):
        light.do(lambda connection: registry.check_owner(connection, "alice", "bob"))
    with pytest.raises(UnknownError, match="`rivalry ladder list`"):
        light.do(lambda connection: registry.check_owner(connection, "nobody", None))
