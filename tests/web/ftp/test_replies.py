"""The status for a reply of an FTP server."""

import pytest

from ttcrawl.web.ftp.replies import is_unknown_command, status


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (421, "Service not available, closing control connection.", 503),  # RFC 959
        (421, "There are too many connections from your internet address.", 503),  # vsftpd
        (530, "Sorry, the maximum number of clients (10) are already connected.", 503),  # ProFTPD
        (530, "User anonymous cannot log in, too many users", 503),
        (530, "Login incorrect.", 401),
        (530, "This FTP server does not allow anonymous logins", 401),
        (332, "Need account for login.", 401),
        (534, "Policy requires SSL.", 403),  # RFC 2228
        (550, "nope.txt: No such file or directory", 404),
        (550, "Failed to open file.", 404),  # vsftpd, whatever the cause
        (550, "secret: Permission denied", 403),
        (550, "Access is denied.", 403),  # IIS
        (551, "Page type unknown", 404),
        (553, "Prohibited file name", 403),
        (450, "File unavailable", 500),  # temporary: is retried
        (451, "Local error in processing", 500),
        (502, "Command not implemented", 501),
        (599, "", 502),
    ],
)
def test_status(code, text, expected):
    assert status(code, text) == expected


def test_commands_that_a_server_does_not_know():
    assert [code for code in (421, 450, 500, 501, 502, 504, 530, 550) if is_unknown_command(code)] == [
        500,
        501,
        502,
        504,
    ]
