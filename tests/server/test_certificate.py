"""Certificates that are not good now are warned of when an arena starts."""

from __future__ import annotations

import asyncio
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from rivalry_client.tls import Tls
from rivalry_server import certificate, logs
from rivalry_server.arena import Arena


def started(folder: Path, issued: trustme.LeafCert) -> list[dict[str, str]]:
    """What an arena warns of when it starts with a certificate."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    for number, pem in enumerate(issued.cert_chain_pems):
        pem.write_to_path(cert, append=number > 0)
    issued.private_key_pem.write_to_path(key)

    async def work() -> None:
        async with Arena() as arena:
            await arena.start("127.0.0.1:0", tls=Tls(cert=str(cert), key=str(key)))

    told = io.StringIO()
    logs.configure("warning", stream=told)
    try:
        asyncio.run(work())
    finally:
        logs.configure("warning")
    return [json.loads(line) for line in told.getvalue().splitlines()]


def test_a_certificate_that_has_expired_is_warned_of(tmp_path: Path) -> None:
    issued = trustme.CA().issue_cert("localhost", not_after=datetime(2021, 2, 3, 4, 5, 6, tzinfo=UTC))

    (warning,) = started(tmp_path, issued)

    assert warning["event"] == "certificate_not_valid" and warning["file"] == str(tmp_path / "cert.pem")
    assert warning["until"] == "2021-02-03T04:05:06+00:00"
    assert "give one that is good now" in warning["remedy"]


def test_a_certificate_that_is_good_is_not_warned_of(tmp_path: Path) -> None:
    assert started(tmp_path, trustme.CA().issue_cert("localhost")) == []


@pytest.mark.parametrize("years", [1, 40, 400])
def test_when_a_certificate_is_good_is_read_in_both_ways_in_which_it_is_written(years: int) -> None:
    until = datetime(2030, 1, 2, tzinfo=UTC) + timedelta(days=365 * years)
    issued = trustme.CA().issue_cert("localhost", not_after=until)

    found = certificate.valid(issued.cert_chain_pems[0].bytes())

    assert found is not None and found[1] == until


@pytest.mark.parametrize(
    "pem",
    [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"],
    ids=["empty", "text", "cut off"],
)
def test_what_cannot_be_read_is_not_warned_of(pem: bytes) -> None:
    assert certificate.valid(pem) is None
