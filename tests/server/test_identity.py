"""Who somebody without a token is: their address, as gRPC writes it."""

import re

import pytest

from rivalry_server import identity
from rivalry_server.identity import LOCAL, Identity, Kind, of_address, of_seat


@pytest.mark.parametrize(
    "peer",
    [
        "unix:",
        "unix:/run/arena.sock",
        "queue",
        "",
        "ipv4:127.0.0.1:4242",
        "ipv4:127.9.9.9:1",
        "ipv6:[::1]:4242",
        "ipv6:%5B::1%5D:4242",
        "ipv6:[::ffff:127.0.0.1]:4242",
    ],
)
def test_programs_of_this_machine_are_one_identity(peer):
    assert of_address(peer) == LOCAL
    assert of_address(peer).local


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        ("ipv4:10.0.0.7:4242", "10.0.0.7"),
        ("ipv6:[::ffff:10.0.0.7]:4242", "10.0.0.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4242", "2001:db8:1:2::/64"),
        ("ipv6:[fe80::1%25eth0]:4242", "fe80::/64"),
        ("ipv4:what:1", "what"),
    ],
)
def test_others_are_known_by_their_address_or_subnet(peer, key):
    assert of_address(peer) == Identity(Kind.ADDRESS, key)
    assert not of_address(peer).local


def test_two_ports_of_one_address_are_one_identity():
    assert of_address("ipv4:10.0.0.7:1") == of_address("ipv4:10.0.0.7:2")


def test_who_shows_the_token_of_a_seat_is_named_by_a_piece_of_its_fingerprint():
    assert str(of_seat(bytes(range(32)))) == "seat 000102030405"


def test_a_token_is_no_option_of_a_command() -> None:
    every = [identity.written(bytes([first]) * 24) for first in range(256)]

    assert not [token for token in every if re.fullmatch(r"[A-Za-z0-9._]{32}", token) is None]
    assert len(set(every)) == 256
