"""Certificates for one test: an authority, and files in PEM by it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import trustme


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate with its chain, and its key."""

    cert: Path
    key: Path


class Authority:
    """Signs certificates; ``ca`` is the file that trusts it.  Files lie in ``folder``."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self._ca = trustme.CA()
        self._folder = folder
        self.ca = folder / f"{name}.pem"
        self._ca.cert_pem.write_to_path(self.ca)

    def issued(self, *names: str) -> Issued:
        """A certificate for host names and addresses, or for a caller."""
        names = names or ("127.0.0.1", "localhost")
        made = self._ca.issue_cert(*names)
        stem = f"{self.ca.stem}-{names[0]}"
        issued = Issued(self._folder / f"{stem}.crt", self._folder / f"{stem}.key")
        for number, pem in enumerate(made.cert_chain_pems):
            pem.write_to_path(issued.cert, append=number > 0)
        made.private_key_pem.write_to_path(issued.key)
        return issued
