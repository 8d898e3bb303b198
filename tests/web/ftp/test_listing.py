"""Listings in the formats that servers send: mostly the examples of ftpparse, and cases that browsers collected."""

import pytest

from ttcrawl.web.ftp.listing import Entry, entries

FILE, DIRECTORY = False, True

MLSD = [
    ("type=file;size=1024990;modify=19990102030405; cap60.pl198.tar.gz", "cap60.pl198.tar.gz", FILE, 1024990),
    ("Type=dir;Modify=19981107085215;Perm=el; tmp", "tmp", DIRECTORY, None),  # RFC 3659 section 7.7
    ("TYPE=OS.unix=slink:/foo;Size=4; link", "link", FILE, 4),
    ("size=7; a b;c", "a b;c", FILE, 7),
    ("type=file;size=7;  two blanks", " two blanks", FILE, 7),
]
UNIX = [
    ("-rw-r--r--   1 root     other        531 Jan 29 03:26 README", "README", FILE, 531),
    ("dr-xr-xr-x   2 root     other        512 Apr  8  1994 etc", "etc", DIRECTORY, None),
    ("dr-xr-xr-x   2 root     512 Apr  8  1994 etc", "etc", DIRECTORY, None),  # no group
    ("lrwxrwxrwx   1 root     other          7 Jan 25 00:17 bin -> usr/bin", "bin", FILE, None),
    ("----------   1 owner    group         1803128 Jul 10 10:18 ls-lR.Z", "ls-lR.Z", FILE, 1803128),  # Windows NT
    ("d---------   1 owner    group               0 May  9 19:45 Softlib", "Softlib", DIRECTORY, None),
    ("-rwxrwxrwx   1 noone    nogroup      322 Aug 19  1996 message.ftp", "message.ftp", FILE, 322),  # WFTPD
    ("d [R----F--] supervisor            512       Jan 16 18:53    login", "   login", DIRECTORY, None),  # NetWare
    ("- [R----F--] rhesus             214059       Oct 20 15:27 cx.exe", "cx.exe", FILE, 214059),
    (
        "-------r--         326  1391972  1392298 Nov 22  1995 MegaPhone.sit",
        "MegaPhone.sit",
        FILE,
        1392298,
    ),  # NetPresenz
    ("drwxrwxr-x               folder        2 May 10  1996 network", "network", DIRECTORY, None),
    ("-rw-rw-r--+  1 a        b           5 Mar  1  2020 acl", "acl", FILE, 5),
    ("-rw-r--r-- 1 Domain Users 12 2008-09-26 09:11 iso date", "iso date", FILE, 12),
    ("-rw-r--r-- 1 a b 12 18 Jul  2001 day first", "day first", FILE, 12),
    ("-rw-r--r-- 1 a b 12 M\xe4r 18 2001 latin.txt", "latin.txt", FILE, 12),
    ("-rw-r--r-- 1 a b 12 Jan  1 2001  leading blank", " leading blank", FILE, 12),
    ("-rw-r--r-- 1 a b 99999999999999999999999 Jan  1 2001 huge", "huge", FILE, 9999999999999999999),
]
OTHERS = [
    ("04-27-00  09:09PM       <DIR>          licensed", "licensed", DIRECTORY, None),  # IIS
    ("07-18-2000  10:16      <DIR>          pub", "pub", DIRECTORY, None),
    ("04-14-00  03:47PM                  589 readme.htm", "readme.htm", FILE, 589),
    ("2012-01-02  03:47                 1,589 a b", "a b", FILE, 1589),
    ("02-03-12  03:47PM       <JUNCTION>     there [C:\\x]", "there", DIRECTORY, None),
    ("+i8388621.29609,m824255902,/,\tdev", "dev", DIRECTORY, None),  # EPLF
    ("+i8388621.44468,m839956783,r,s10376,\tRFCEPLF", "RFCEPLF", FILE, 10376),
    ("00README.TXT;1      2 30-DEC-1976 17:44:13  [SYSTEM] (RWED,RWED,RE,RE)", "00README.TXT", FILE, None),  # VMS
    ("CORE.DIR;1          1  8-SEP-1996 16:09 [SYSTEM] (RWE,RWE,RE,RE)", "CORE", DIRECTORY, None),
]


@pytest.mark.parametrize(("line", "name", "is_directory", "size"), MLSD + UNIX + OTHERS)
def test_a_line(line, name, is_directory, size):
    (entry,) = entries(line.encode("latin-1") + b"\r\n")
    assert (entry.name, entry.is_directory, entry.size) == (name.encode("latin-1"), is_directory, size)


@pytest.mark.parametrize(
    "line",
    [
        b"total 14786",
        b"",
        b"type=cdir;modify=20200101000000; .",
        b"type=pdir; ..",
        b"type=file;size=1; ..",
        b"type=file;size=1; ../../etc/passwd",
        b"type=file;size=1; a/b",
        b"type=file;size=1; a\0b",
        b"-rw-r--r-- 1 a b 1 Jan  1 2001 .",
        b"-rw-r--r-- 1 a b 1 Jan  1 2001 a\x1bb",
        b"crw-r--r-- 1 a b 1, 3 Jan  1 2001 null",
        b"srw-r--r-- 1 a b 0 Jan  1 2001 socket",
        b"ftpd: .: Permission denied",
        b"<html><a href=/x>",
        b"-rw-r--r-- 1 a b 1 Jan  1 2001 " + b"a" * 10_000,
        b"-" * 10_000,
        b"- " + b"1 " * 5_000,
        b"-r" + b" " * 4_000,
    ],
    ids=repr,
)
def test_a_line_without_entry(line):
    good = b"type=file;size=1; good\r\n"
    assert [each.name for each in entries(good + line + b"\r\n" + good)] == [b"good"]


def test_dates():
    lines = b"type=file;modify=19990102030405.123; a\r\n-rw-r--r-- 1 a b 1 Jan  1 2001 b\n04-27-00  09:09PM  <DIR>  c"
    assert [each.modified for each in entries(lines)] == ["1999-01-02 03:04", "Jan 1 2001", "04-27-00 09:09PM"]
    assert Entry(name=b"a") == Entry(name=b"a", is_directory=False, size=None, modified="")
