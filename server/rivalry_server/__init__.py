"""The arena: sessions, lobby, matches and seats; ``arena.Arena`` and ``local.play`` are its two doors."""
