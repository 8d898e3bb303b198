"""What the tests of several fetch modules share."""

import ssl

import pytest
import trustme

from tests.fetch.transports import TRANSPORTS, over


@pytest.fixture(scope="module")
def ca(tmp_path_factory):
    """The CA that the system trusts."""
    ca = trustme.CA()
    file = tmp_path_factory.mktemp("ca") / "ca.pem"
    ca.cert_pem.write_to_path(file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield ca


@pytest.fixture(scope="module")
def tls():
    """Of a server a.test whose certificate nobody trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("a.test").configure_cert(context)
    return context


@pytest.fixture(scope="module", params=TRANSPORTS)
def transports(request):
    """Over each transport; for a module whose tests make requests."""
    with over(request.param):
        yield
