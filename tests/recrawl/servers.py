"""Servers that answer conditional requests rightly and wrongly, on a virtual clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate

from ttcrawl.recrawl.validators import Answer

DAY = 86400.0
BEGIN = 1_700_000_000.0


@dataclass
class Server:
    """One page. It changes at `changes`, moments in days; `asked` counts requests, `bodies` those that cost a body."""

    changes: tuple[float, ...] = ()
    type: str = field(default="text/html", kw_only=True)
    asked: int = 0
    bodies: int = 0
    sent: list = field(default_factory=list)
    #: More headers of its answers at a moment, over HTTP.
    fields: Callable = field(default=lambda now: {}, repr=False)

    def version(self, now):
        return sum(BEGIN + day * DAY <= now for day in self.changes)

    def changed_at(self, now):
        return max([BEGIN + day * DAY for day in self.changes if BEGIN + day * DAY <= now], default=BEGIN - 9 * DAY)

    # -- what the twelve do otherwise --------------------------------------------------------------------------------

    def body(self, now):
        return b"%d" % self.version(now)

    def content(self, now):
        return self.body(now)

    def etag(self, now):
        return f'"v{self.version(now)}"'

    def last_modified(self, now):
        return formatdate(self.changed_at(now), usegmt=True)

    def matches(self, headers, now):
        """RFC 9110 section 13.2.2: If-Modified-Since counts only without If-None-Match."""
        if "If-None-Match" in headers:
            return headers["If-None-Match"].removeprefix("W/") == self.etag(now).removeprefix("W/")
        return headers.get("If-Modified-Since") == self.last_modified(now)

    def answer(self, headers, now):
        self.asked += 1
        self.sent.append(headers)
        if self.matches(headers, now):
            return Answer(status=304, time=now, etag=self.etag(now), last_modified=self.last_modified(now))
        self.bodies += 1
        return self.full(now)

    def full(self, now):
        about = {"etag": self.etag(now), "last_modified": self.last_modified(now)}
        return Answer(status=200, time=now, body=self.body(now), content=self.content(now), **about)


class NoValidators(Server):
    def etag(self, now):
        return ""

    last_modified = etag


class OnlyDates(Server):
    def etag(self, now):
        return ""


class WeakTags(Server):
    """Each answer has other bytes, a comment with the time, but the same content."""

    def body(self, now):
        return b"%d at %f" % (self.version(now), now)

    def content(self, now):
        return b"%d" % self.version(now)

    def etag(self, now):
        return f'W/"v{self.version(now)}"'


class NewTagEachTime(Server):
    def etag(self, now):
        return f'"{self.asked}"'


class NewTagAndNoDate(NewTagEachTime):
    def last_modified(self, now):
        return ""


class AlwaysNotModified(Server):
    """To every condition."""

    def matches(self, headers, now):
        return bool(headers)


class AlwaysNotModifiedUnasked(Server):
    """Even to requests without a condition, but for each third of these."""

    def matches(self, headers, now):
        return bool(headers) or self.asked % 3 != 1


class DateInTheFuture(OnlyDates):
    def last_modified(self, now):
        return formatdate(now + 300 * DAY, usegmt=True)

    def matches(self, headers, now):
        return "If-Modified-Since" in headers


class DateIsNow(OnlyDates):
    def last_modified(self, now):
        return formatdate(now, usegmt=True)


class SameDate(OnlyDates):
    """As reproducible builds have it."""

    def last_modified(self, now):
        return "Tue, 01 Jan 1980 00:00:00 GMT"


class SameTag(Server):
    def etag(self, now):
        return '"same"'


class SameWeakTag(Server):
    def etag(self, now):
        return 'W/"same"'


class DateBeforeTag(Server):
    """If-Modified-Since is looked at first, and the date never changes."""

    def last_modified(self, now):
        return formatdate(BEGIN - 9 * DAY, usegmt=True)

    def matches(self, headers, now):
        return headers.get("If-Modified-Since") == self.last_modified(now) or super().matches(headers, now)


class OtherTagInNotModified(AlwaysNotModified):
    """Its 304 has the ETag of the new page."""


class Ignorant(Server):
    """Always 200, whatever was asked."""

    def matches(self, headers, now):
        return False


class Unable(Server):
    """An error to every condition."""

    status = 412

    def answer(self, headers, now):
        if headers:
            self.asked += 1
            self.sent.append(headers)
            return Answer(status=self.status, time=now)
        return super().answer(headers, now)


class Overloaded(Unable):
    status = 503


class EmptyInsteadOfNotModified(Server):
    def answer(self, headers, now):
        answer = super().answer(headers, now)
        if answer.status == 304:
            return Answer(status=200, time=now, etag=self.etag(now), body=b"", content=b"", length=0)
        return answer


class StrangeTags(Server):
    def etag(self, now):
        return "\x01\r\nX: y"


class LongTags(Server):
    def etag(self, now):
        return '"' + "x" * 5000 + str(self.version(now)) + '"'


@dataclass
class Scripted(Server):
    """(from this day on, status, body or location) in order; without validators."""

    script: tuple = ()
    location: str = ""

    def answer(self, headers, now):
        self.asked += 1
        _, status, text = [each for each in self.script if BEGIN + each[0] * DAY <= now][-1]
        self.location = text
        return Answer(status=status, time=now, body=text.encode())
