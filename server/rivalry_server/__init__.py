"""The arena: sessions, lobby, matches and seats; ``arena.Arena`` and ``local.play`` are its two doors."""

import os

# Programs are started by fork and exec at once, so gRPC need not get ready for a child that goes on using it; where it
# tries, it fails with a line on stderr.  Read when gRPC is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
