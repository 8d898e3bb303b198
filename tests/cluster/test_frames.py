"""Frames of a cluster's own processes are read, all others end the connection."""

import os
import random
from pathlib import Path

import msgspec
import pytest

from ttcrawl.cluster.frames import LARGEST, NONCE, SHORTEST, Connection, UntrustedError, new_secret, secret_of
from ttcrawl.cluster.messages import Ack, Batches, Letter, Poll, Want
from ttcrawl.errors import UsageError

SECRET = b"s" * SHORTEST
MESSAGES = [
    Poll(wave=1),
    Ack(sender=1, incarnation="a", numbers=(2,)),
    Want(sender=1, term=1, life=1, address="192.0.2.1"),
]
MESSAGES.append(Batches(sender=1, incarnation="ü", epoch=0, batches={1: bytes(100_000)}))
LETTERS = [Letter(to=number, message=each) for number, each in enumerate(MESSAGES)]


def pair(secret=SECRET):
    opener, answerer = Connection(SECRET, first=True), Connection(secret, first=False)
    assert opener.received(answerer.nonce) == answerer.received(opener.nonce) == []
    assert opener.ready and answerer.ready
    return opener, answerer


@pytest.mark.parametrize("seed", range(5))
def test_messages_arrive_in_whatever_pieces(seed):
    chance, opener, answerer = random.Random(seed), Connection(SECRET, first=True), Connection(SECRET, first=False)
    opener.received(answerer.nonce)
    data, letters = opener.nonce + b"".join(opener.sealed(each) for each in LETTERS * 3), []
    while data:
        size = chance.choice([1, 3, 50, 70_000])
        letters += answerer.received(data[:size])
        data = data[size:]
    assert letters == LETTERS * 3
    assert opener.received(answerer.sealed(LETTERS[0])) == LETTERS[:1]


def test_another_secret_is_found():
    opener, answerer = pair(b"t" * SHORTEST)
    with pytest.raises(UntrustedError, match="another secret"):
        answerer.received(opener.sealed(LETTERS[0]))


#: What arrives instead of two frames.
ATTACKS = {
    "changed": lambda first, second: first[:-1] + bytes([first[-1] ^ 1]) + second,
    "code changed": lambda first, second: first[:10] + bytes([first[10] ^ 1]) + first[11:] + second,
    "repeated": lambda first, second: first + first,
    "left out": lambda first, second: second,
    "swapped": lambda first, second: second + first,
    "too large": lambda first, second: (LARGEST + 1).to_bytes(4, "big") + first,
    "no frame": lambda first, second: bytes(1000),
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
def test_a_frame_that_is_not_the_next_one_ends_the_connection(attack):
    opener, answerer = pair()
    frames = opener.sealed(LETTERS[0]), opener.sealed(LETTERS[1])
    with pytest.raises(UntrustedError):
        answerer.received(attack(*frames))


def test_a_frame_of_another_connection_or_of_the_other_direction_is_not_read():
    opener = pair()[0]
    frame = opener.sealed(LETTERS[0])
    with pytest.raises(UntrustedError):
        opener.received(frame)
    with pytest.raises(UntrustedError):
        pair()[1].received(frame)


def test_a_message_of_another_version_is_an_error():
    class Later(msgspec.Struct, tag=True):
        """A message of a later version."""

    opener, answerer = pair()
    with pytest.raises(UntrustedError, match="not known"):
        answerer.received(opener.sealed(Later()))


def test_nonces_differ():
    nonces = {Connection(SECRET, first=True).nonce for _ in range(20)}
    assert len(nonces) == 20 and {len(each) for each in nonces} == {NONCE}


# -- the file ---------------------------------------------------------------------------------------------------------


def test_a_new_secret_can_be_read_by_its_owner_alone(tmp_path):
    path = tmp_path / "secret"
    new_secret(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(secret_of(path)) == 64
    with pytest.raises(FileExistsError):
        new_secret(path)
    new_secret(tmp_path / "another")
    assert secret_of(path) != secret_of(tmp_path / "another")


FILES = {
    "others may read": (b"x" * 64, 0o640),
    "fewer than": (b"x" * (SHORTEST - 1) + b"\n", 0o600),
    "cannot read": (None, 0),
}


@pytest.mark.parametrize("message", FILES)
def test_a_secret_that_is_none(tmp_path, message):
    text, mode = FILES[message]
    path = tmp_path / "secret"
    if text is not None:
        path.write_bytes(text)
        path.chmod(mode)
    with pytest.raises(UsageError, match=message):
        secret_of(path)


def test_a_device_is_no_secret():
    with pytest.raises(UsageError, match="not a regular file"):
        secret_of(Path(os.devnull))
