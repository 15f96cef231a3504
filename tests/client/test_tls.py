"""TLS by files: what is wrong with them is one line that names the option; what gRPC says is put into words."""

import asyncio

import grpc
import grpc.aio
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from rivalry_client.client import connect
from rivalry_client.tls import SHOW_CERTIFICATE, SPEAKS_TLS, Tls, TlsError, worded
from rivalry_client.token_file import TokenFileError, in_file
from server.authority import Authority


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def test_good_files_are_taken_on_both_sides(authority):
    own = authority.issued()

    assert Tls(ca=str(authority.ca)).dialling() is not None
    assert Tls(str(authority.ca), str(own.cert), str(own.key)).dialling() is not None
    assert Tls(str(authority.ca), str(own.cert), str(own.key)).dialled() is not None


def test_without_a_file_no_tls_is_spoken():
    assert not Tls()
    assert not Tls.of_environment({"RIVALRY_TLS_CA": ""})
    assert Tls.of_environment({"RIVALRY_TLS_CA": "ca.pem"}).ca == "ca.pem"


def test_a_file_that_is_not_there_is_told_with_its_option(tmp_path, authority):
    own = authority.issued()

    for tls, option in (
        (Tls(ca=str(tmp_path / "none")), "--tls-ca"),
        (Tls(cert=str(tmp_path / "none"), key=str(own.key)), "--tls-cert"),
        (Tls(cert=str(own.cert), key=str(tmp_path / "none")), "--tls-key"),
    ):
        with pytest.raises(TlsError) as raised:
            tls.dialling()
        assert str(raised.value) == f"{option} {tmp_path / 'none'}: No such file or directory"


def test_a_file_that_never_ends_is_told():
    with pytest.raises(TlsError, match=r"^--tls-ca /dev/zero: more than 1 MiB; expected certificates or a key in PEM$"):
        Tls("/dev/zero", "", "").dialling()


def test_a_variable_is_called_by_its_name():
    tls = Tls.of_environment({"RIVALRY_TLS_CA": "/nowhere/ca.pem"})

    with pytest.raises(TlsError, match=r"^RIVALRY_TLS_CA /nowhere/ca.pem: No such file"):
        tls.dialling()


def test_a_key_of_another_certificate_is_told(authority):
    one, other = authority.issued("one"), authority.issued("other")

    with pytest.raises(TlsError) as raised:
        Tls(cert=str(one.cert), key=str(other.key)).dialled()

    assert str(raised.value) == f"--tls-key {other.key}: is not the key of the certificate --tls-cert {one.cert}"


def test_a_certificate_and_its_key_go_together(authority):
    own = authority.issued()

    with pytest.raises(TlsError, match="--tls-cert without --tls-key"):
        Tls(cert=str(own.cert)).dialled()
    with pytest.raises(TlsError, match="--tls-key without --tls-cert"):
        Tls(ca=str(authority.ca), key=str(own.key)).dialling()
    with pytest.raises(TlsError, match="--tls-ca without --tls-cert"):
        Tls(ca=str(authority.ca)).dialled()


def test_files_of_something_else_are_told(tmp_path, authority):
    own = authority.issued()
    text = tmp_path / "text"
    text.write_text("hello")

    with pytest.raises(TlsError, match=r"--tls-ca .*: holds no certificate in PEM"):
        Tls(ca=str(text)).dialling()
    with pytest.raises(TlsError, match=r"--tls-cert .*: holds no certificate in PEM"):
        Tls(cert=str(text), key=str(own.key)).dialled()
    with pytest.raises(TlsError, match=r"--tls-key .*: holds no private key in PEM"):
        Tls(cert=str(own.cert), key=str(text)).dialled()


def test_a_key_with_a_passphrase_is_told_and_nobody_is_asked_for_it(tmp_path, authority):
    own, locked = authority.issued(), tmp_path / "locked.key"
    key = ec.generate_private_key(ec.SECP256R1())
    locked.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")))

    with pytest.raises(TlsError, match="is protected by a passphrase"):
        Tls(cert=str(own.cert), key=str(locked)).dialled()


def test_a_text_that_has_nothing_to_do_with_tls_stays_as_it_is():
    assert worded("Connection refused", tls=True) == "Connection refused"
    assert worded("Socket closed", tls=False) == "Socket closed"


class Arena:
    """A server with no services, which is enough to be spoken with."""

    def __init__(self, credentials=None):
        self._credentials = credentials

    async def __aenter__(self):
        self._server = grpc.aio.server()
        if self._credentials is None:
            self.port = self._server.add_insecure_port("127.0.0.1:0")
        else:
            self.port = self._server.add_secure_port("127.0.0.1:0", self._credentials)
        await self._server.start()
        return self

    async def __aexit__(self, *error):
        await self._server.stop(0)


def ending(credentials, tls):
    """How a bot's session ends with a server of ``credentials``, and the text that has the port in it."""
    from rivalry_bots.first_bot import FirstBot

    async def tried():
        async with Arena(credentials) as arena, connect(f"127.0.0.1:{arena.port}", tls=tls) as client:
            return await client.play(FirstBot), f"the arena at 127.0.0.1:{arena.port} cannot be spoken with: "

    found, before = asyncio.run(tried())
    assert found.status == 2
    return found.kind, found.text.removeprefix(before)


def test_plain_text_to_a_port_that_speaks_tls_is_told(authority, monkeypatch):
    monkeypatch.setattr("rivalry_client.tls.PROBE_S", 50.0)  # it is there, however slow it is
    own = authority.issued()

    assert ending(Tls(cert=str(own.cert), key=str(own.key)).dialled(), None) == ("unusable", SPEAKS_TLS)


def test_tls_to_a_port_that_speaks_plain_text_is_told(authority):
    kind, text = ending(None, Tls(ca=str(authority.ca)))

    assert (kind, text) == ("unusable", "it speaks plain text, not TLS; leave the CA out, and the certificate")


def test_a_certificate_by_another_authority_is_told(tmp_path, authority):
    own, other = authority.issued(), Authority(tmp_path, "other")

    kind, text = ending(Tls(cert=str(own.cert), key=str(own.key)).dialled(), Tls(ca=str(other.ca)))

    assert (kind, text) == ("unusable", "its certificate is not by the CA that was given")


def test_a_certificate_for_another_host_is_told(authority):
    own = authority.issued("example.org")

    kind, text = ending(Tls(cert=str(own.cert), key=str(own.key)).dialled(), Tls(ca=str(authority.ca)))

    assert (kind, text) == ("unusable", "its certificate is for another host name or address")


def test_a_caller_without_a_certificate_that_is_asked_for_is_told(tmp_path, authority):
    own = authority.issued()
    stranger = Authority(tmp_path, "other").issued("stranger")
    asks = Tls(str(authority.ca), str(own.cert), str(own.key)).dialled()

    assert ending(asks, Tls(ca=str(authority.ca))) == ("unusable", SHOW_CERTIFICATE)
    assert ending(asks, Tls(str(authority.ca), str(stranger.cert), str(stranger.key))) == ("unusable", SHOW_CERTIFICATE)


def test_a_caller_with_the_certificate_that_is_asked_for_is_heard(authority):
    own, caller = authority.issued(), authority.issued("caller")
    asks = Tls(str(authority.ca), str(own.cert), str(own.key)).dialled()

    found = ending(asks, Tls(str(authority.ca), str(caller.cert), str(caller.key)))

    assert found == ("unreachable", "what answers there is no arena")


def test_a_token_file_holds_one_line(tmp_path):
    file = tmp_path / "token"
    file.write_text("rvb_abc_def\n")

    assert in_file(str(file)) == "rvb_abc_def"


@pytest.mark.parametrize("content", ["", "\n", "two words", "two\nlines", "é", "x" * 5_000])
def test_a_token_file_with_anything_else_is_told_without_what_is_in_it(tmp_path, content):
    file = tmp_path / "token"
    file.write_text(content)

    with pytest.raises(TokenFileError) as raised:
        in_file(str(file))

    assert str(raised.value) == f"--token-file {file}: expected one line that is a token"
