"""Listings of directories: MLSD (RFC 3659 section 7), and what servers send for LIST, which no standard defines.

Formats of LIST: Unix and its many dialects, MS-DOS (IIS), EPLF (https://cr.yp.to/ftp/list/eplf.html) and VMS. The
forms come from https://cr.yp.to/ftpparse.html and from the cases that browsers collected. A line takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

#: Longest line that is read, bytes; a name has 255 at most.
LONGEST = 4096

#: A month, in any language.
_MONTH = r"[A-Za-z\x80-\xff]{3,9}\.?"
_YEAR = r"(?:\d{4}|\d{1,2}:\d\d)"
_ISO = r"\d{4}-\d\d-\d\d\s{1,3}\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: [+-]\d{4})?"
#: The date of a Unix listing, behind a size. One blank follows: a name may begin with more.
_DATE = re.compile(
    rf"(?<=\d)\s{{1,20}}({_MONTH}\s{{1,3}}\d{{1,2}}\s{{1,3}}{_YEAR}|\d{{1,2}}\.?\s{{1,3}}{_MONTH}\s{{1,3}}{_YEAR}|{_ISO})\s"
)
_UNIX = re.compile(r"[-dlbcps?D][-rwxsStTlL \[]")
_DOS = re.compile(
    r"\s{0,9}(\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d\d[-/.]\d\d)\s{1,9}(\d{1,2}:\d\d\s?(?:[AaPp][Mm]?)?)"
    r"\s{1,30}(<\w{3,9}>\s{0,30}|[\d.,]{1,25}\s)(.+)"
)
_VMS = re.compile(r"([^\s;]{1,200});\d{1,6}\s{1,60}\S{1,40}\s{1,20}(\d{1,2}-[A-Za-z]{3}-\d{4} \d{1,2}:\d\d)")
_MLSD = re.compile(r"([A-Za-z][^ ]*;) (.+)")
_MODIFY = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:\d\d(?:\.\d+)?)?")
_EPLF = re.compile(r"\+([^\t]*)\t(.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file or a directory. A symbolic link, which may lead to either, is not a directory."""

    name: bytes  # as sent: most servers use UTF-8, and some the encoding of their system
    is_directory: bool = False
    size: int | None = None  # bytes
    modified: str = ""  # as the server writes it; of MLSD as YYYY-MM-DD hh:mm, UTC


def entries(listing: bytes) -> Iterator[Entry]:
    """The entries of a listing, each name once. Lines of unknown form, and names that are not file names, are left out.

    >>> [each.name for each in entries(b"total 1\\r\\n-rw-r--r-- 1 ftp ftp 7 Apr  8  1994 a b\\r\\n")]
    [b'a b']
    """
    seen: set[bytes] = set()
    for line in re.split(rb"\r?\n", listing):
        if not line or len(line) > LONGEST:
            continue
        entry = _entry(line.decode("latin-1").rstrip("\r"))
        if entry is not None and entry.name not in seen and _is_file_name(entry.name):
            seen.add(entry.name)
            yield entry


def _entry(line: str) -> Entry | None:
    for read in _FORMS:
        if (entry := read(line)) is not None:
            return entry
    return None


def _is_file_name(name: bytes) -> bool:
    return name not in (b".", b"..") and not re.search(rb"[\x00-\x1f/]", name)


def _mlsd(line: str) -> Entry | None:
    """`type=file;size=7;modify=19940408123456; name`: facts in any order and case."""
    match = _MLSD.fullmatch(line)
    if match is None or "=" not in match[1]:
        return None
    pairs = (fact.partition("=") for fact in match[1].split(";"))
    facts = {name.lower(): value for name, _, value in pairs}
    kind = facts.get("type", "").lower()
    if kind in ("cdir", "pdir"):  # the directory itself, and the one above
        return None
    modified = _MODIFY.fullmatch(facts.get("modify", ""))
    return Entry(
        name=match[2].encode("latin-1"),
        is_directory=kind == "dir",
        size=_number(facts.get("size", "")),
        modified="{}-{}-{} {}:{}".format(*modified.groups()) if modified else "",
    )


def _unix(line: str) -> Entry | None:
    """`drwxr-xr-x 2 root other 512 Apr  8  1994 name`; without links or group; NetWare has [RWCEAFMS] for rwx."""
    date = _DATE.search(line) if _UNIX.match(line) else None
    if date is None or line[0] in "bcps":  # devices, pipes and sockets
        return None
    name = line[date.end() :]
    if line[0] == "l":
        name = name.partition(" -> ")[0]
    return Entry(
        name=name.encode("latin-1"),
        is_directory=line[0] in "dD",
        size=_number(line[: date.start()].split()[-1]) if line[0] == "-" else None,
        modified=" ".join(date[1].split()),
    )


def _dos(line: str) -> Entry | None:
    """`04-27-00  09:09PM  <DIR>  name`, or a size; <JUNCTION> and <SYMLINKD> are links to directories."""
    match = _DOS.fullmatch(line)
    if match is None:
        return None
    kind, name = match[3].strip(), match[4]
    if kind in ("<JUNCTION>", "<SYMLINK>", "<SYMLINKD>"):
        name = name.partition(" [")[0]
    return Entry(
        name=name.encode("latin-1"),
        is_directory=kind in ("<DIR>", "<JUNCTION>", "<SYMLINKD>"),
        size=_number(re.sub("[.,]", "", kind)),
        modified=f"{match[1]} {match[2].strip()}",
    )


def _eplf(line: str) -> Entry | None:
    """`+i8388621.29609,m824255902,/,` and `+s10376,r,`, a tab, and the name."""
    match = _EPLF.fullmatch(line)
    if match is None:
        return None
    facts = match[1].split(",")
    size = next((each[1:] for each in facts if each[:1] == "s"), "")
    return Entry(name=match[2].encode("latin-1"), is_directory="/" in facts, size=_number(size))


def _vms(line: str) -> Entry | None:
    """`CII-MANUAL.TEX;1  213/216  29-JAN-1996 03:33:12  [ANONYMOUS] (RWED,RWED,,)`; NAME.DIR is a directory."""
    match = _VMS.match(line)
    if match is None:
        return None
    name = match[1]
    is_directory = name.upper().endswith(".DIR")
    name = name[: -len(".DIR")] if is_directory else name
    return Entry(name=name.encode("latin-1"), is_directory=is_directory, modified=match[2])


def _number(text: str) -> int | None:
    return int(text[:19]) if text.isascii() and text.isdigit() else None


#: The facts of MLSD and EPLF are unmistakable, so they come first.
_FORMS: tuple[Callable[[str], Entry | None], ...] = (_mlsd, _eplf, _unix, _dos, _vms)
