"""Countries of servers, by the list of public suffixes and by GeoIP files that are written here."""

import re
from pathlib import Path

import publicsuffixlist
import pytest

from tests.support.web.geoip import write
from ttcrawl.errors import UsageError
from ttcrawl.web.country import by_domain, countries

HOSTS = {
    **{"www.gov.si": "SI", "gov.si:8080": "SI", "bbc.co.uk": "GB", "a.gb": "GB", "a.de.": "DE", "a.ac": "SH"},
    **{
        "a.io": "IO",
        "a.tv": "TV",
        "a.eu": "",
        "a.su": "",
        "a.com": "",
        "a.gov": "",
        "a.zz": "",
        "s05.gov.test:21110": "",
    },
    **{"localhost": "", "127.0.0.1:80": "", "[::1]:8080": "", "xn--e1afmkfd.xn--p1ai": "RU", "a.xn--qxa6a": "", "": ""},
}
LIST = Path(publicsuffixlist.__file__).with_name("public_suffix_list.dat").read_text(encoding="utf-8")


@pytest.mark.parametrize(("host", "country"), HOSTS.items())
def test_the_top_level_domain_of_a_host(host, country):
    assert by_domain(host) == country


def test_every_top_level_domain_of_a_country_is_known():
    """They stand before those of companies in the list, which names the country of some in a comment."""
    section = LIST.split("===END ICANN")[0].split("newGTLDs")[0]
    names = set(re.findall(r"^(?:\*\.)?([^\s/.*!]+)$", section, re.MULTILINE))
    of_countries = {name for name in names if (len(name) == 2 and name.isascii()) or not name.isascii()}
    unknown = {name for name in of_countries if not by_domain("a." + name.encode("idna").decode())}
    assert len(of_countries) > 300 and unknown == {"eu", "su", "ευ", "ею"}
    commented = re.findall(r"^// xn--\S+ \(.*\) : ([A-Z]{2})\b.*\n((?:(?!//).+\n)+)", section, re.MULTILINE)
    wrong = [
        (name, country)
        for country, block in commented
        for name in block.split()
        if by_domain("a." + name.encode("idna").decode()) != country
    ]
    assert len(commented) > 20 and wrong == []


#: As the files of several providers have them.
RECORDS = {
    "10.0.0.0/8": {"country": {"iso_code": "SI"}, "registered_country": {"iso_code": "US"}},
    "11.0.0.0/8": {"continent": {"code": "EU"}, "registered_country": {"iso_code": "DE"}},
    "12.0.0.0/8": {"country": "France", "country_code": "FR"},
    "13.0.0.0/8": {"country": "at", "country_name": "Austria"},
    "14.0.0.0/8": {"continent": {"code": "EU"}},
    "15.0.0.0/8": "no map",
}
ADDRESSES = {
    **{"10.1.2.3": "SI", "11.0.0.1": "DE", "12.0.0.1": "FR", "13.255.0.1": "AT", "14.0.0.1": "", "15.0.0.1": ""},
    **{"127.0.0.1": "", "": "", "::1": "", "2001:db8::1": "", "no address": ""},
}


def test_a_geoip_file_decides_alone(tmp_path):
    country = countries(str(write(tmp_path / "c.mmdb", RECORDS)))
    assert {address: country("www.gov.si", address) for address in ADDRESSES} == ADDRESSES
    assert countries("")("www.gov.si", "10.1.2.3") == "SI"


@pytest.mark.parametrize("content", [None, b"", b"no such format", b"\xab\xcd\xefMaxMind.com"])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, content):
    path = tmp_path / "c.mmdb"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"\[record\] geoip: .*c\.mmdb") as error:
        countries(str(path))
    assert "\n" not in str(error.value)


def test_a_damaged_file_is_one_line(tmp_path):
    path = write(tmp_path / "c.mmdb", {"10.0.0.0/8": {"country": {"iso_code": "SI"}}})
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\xe1GcountryzQ", b"").replace(b"\xe1\x47country", b"\xff\xff\xffountry"))
    with pytest.raises(UsageError, match="damaged"):
        countries(str(path))("a.test", "10.0.0.1")
