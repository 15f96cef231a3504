"""A session as a row of the journal."""

from __future__ import annotations

import json

from rivalry_engine.error import RivalryError
from rivalry_server.greeting import Greeting
from rivalry_server.identity import Identity, Kind
from rivalry_server.journal import KeptSession


def payload(session: KeptSession) -> bytes:
    """The session as JSON."""
    greeting = session.greeting
    facts = {
        "session_id": session.session_id,
        "keys": [key.hex() for key in session.keys],
        "name": greeting.name,
        "version": greeting.version,
        "library": greeting.library,
        "games": sorted(greeting.games),
        "matches": greeting.matches,
        "prompts": greeting.prompts,
        "features": sorted(greeting.features),
        "who": [str(greeting.who.kind), greeting.who.key, greeting.who.name],
        "handles": session.handles,
        "seats": [[handle, *seat] for handle, seat in session.seats.items()],
    }
    return json.dumps(facts, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def read(data: bytes) -> KeptSession:
    """The session in a row's payload; raises RivalryError where it is none."""
    try:
        facts = json.loads(data.decode("utf-8", "surrogatepass"))
        kind, key, name = facts["who"]
        greeting = Greeting(
            name=facts["name"],
            version=facts["version"],
            library=facts["library"],
            games=frozenset(facts["games"]),
            matches=facts["matches"],
            prompts=facts["prompts"],
            features=frozenset(facts["features"]),
            who=Identity(Kind(kind), key, name),
        )
        return KeptSession(
            facts["session_id"],
            tuple(bytes.fromhex(key) for key in facts["keys"]),
            greeting,
            facts["handles"],
            {handle: (match_id, seat) for handle, match_id, seat in facts["seats"]},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise RivalryError(f"this is no session of a journal: {type(error).__name__}: {error}") from error
