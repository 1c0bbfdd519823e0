"""What a response amounts to: an answer, a refusal, or something that is not in the documented form."""

from __future__ import annotations

import json
from typing import NamedTuple

import httpx

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError
from citeaudit.net.guard import UNRESOLVED
from citeaudit.net.retry import AttemptError
from citeaudit.seams import Ask

_REDIRECTION, _CLIENT_ERROR, _SERVER_ERROR = 300, 400, 500  # RFC 9110 section 15: first status of each class
_UNAVAILABLE = 503
HTML = frozenset({"text/html", "application/xhtml+xml"})
"""Media types of web pages."""
_XML = frozenset({"application/xml", "text/xml"})
_XML_STARTS = (b"<?xml", b"<feed")
HTML_STARTS = (b"<!doctype html", b"<html")
"""How web pages begin, in lower case."""
_LIMIT_IN_WORDS = b"rate exceeded"
_BOM = b"\xef\xbb\xbf"
_WORDS = 200  # bytes of an error in words

#: Every exception of httpx, by its nearest listed ancestor. Malformed where there is no kind; `final` where asking
#: again gives the same.
_EXCEPTIONS: tuple[tuple[type[Exception], FailureKind | None, bool, str], ...] = (
    (httpx.TimeoutException, FailureKind.TIMED_OUT, False, "no answer within the time allowed"),
    (httpx.DecodingError, None, True, "the answer could not be decompressed"),
    (httpx.TooManyRedirects, None, True, "too many redirects"),
    (httpx.InvalidURL, FailureKind.NETWORK, True, "the address is not a valid URL"),
    (httpx.UnsupportedProtocol, FailureKind.NETWORK, True, "the address is neither http nor https"),
    (httpx.LocalProtocolError, FailureKind.NETWORK, True, "the request cannot be sent as it is"),
    (httpx.ConnectError, FailureKind.NETWORK, False, "could not connect"),
    (httpx.HTTPError, FailureKind.NETWORK, False, "the connection failed"),
    (httpx.StreamError, FailureKind.NETWORK, False, "the answer could not be read"),
    (httpx.CookieConflict, FailureKind.NETWORK, False, "the answer could not be read"),
)
HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, httpx.CookieConflict)
"""Ancestors of every exception of httpx."""

#: Statuses that are no answer. Others in the 400s are for the source to read: 404 may be its way to say no.
_REFUSALS: dict[int, tuple[FailureKind, str]] = {
    401: (FailureKind.REFUSED, "asks for a key"),
    403: (FailureKind.REFUSED, "declined to answer"),
    407: (FailureKind.REFUSED, "a proxy asks for a password"),
    408: (FailureKind.TIMED_OUT, "gave up waiting"),
    429: (FailureKind.RATE_LIMITED, "asks to be asked less often"),
    451: (FailureKind.REFUSED, "declined to answer for legal reasons"),
}


class Response(NamedTuple):
    """One response as it came over the wire."""

    status: int
    media_type: str
    """Lower case, without parameters."""
    wait_s: float | None
    """Seconds the service asked to wait."""
    body: bytes


def translate(error: Exception, *, source: str) -> SourceError:
    """Give our error for one of httpx's; its text names the class but never the address asked."""
    kind, final, sentence = next(row[1:] for row in _EXCEPTIONS if isinstance(error, row[0]))
    message = f"{sentence} ({type(error).__name__})"
    if isinstance(error, httpx.ConnectError) and str(error) == UNRESOLVED:
        told = "its name cannot be resolved: there is no network here, or the address is wrong"
        return AttemptError(told, source=source, kind=FailureKind.NETWORK, final=True, absent=True)
    if kind is None:
        return MalformedAnswerError(message, source=source)
    return AttemptError(message, source=source, kind=kind, final=final)


def is_refusal(status: int) -> bool:
    """Say whether the status alone means that the question was not answered."""
    return status in _REFUSALS or status >= _SERVER_ERROR


def read(response: Response, ask: Ask) -> tuple[object, str]:
    """Give the value and the text of an answer, as `citeaudit.seams.Answer` has them.

    Raises:
        AttemptError: It is a refusal, or an outage.
        MalformedAnswerError: It is not of the form that was asked for.
    """
    refuse(response, ask.source)
    if ask.form == "xml":
        return None, _text(response, ask.source)
    value = _value(response, ask.source)
    return value, _said(response) if value is None else ""


def refuse(response: Response, source: str) -> None:
    """Raise where the status, or a limit in words, says that the question was not answered.

    Raises:
        AttemptError: It is a refusal, or an outage.
        MalformedAnswerError: It is a redirect that leads nowhere.
    """
    status, wait_s = response.status, response.wait_s
    if status in _REFUSALS:
        kind, sentence = _REFUSALS[status]
        raise AttemptError(f"{sentence} (status {status})", source=source, kind=kind, wait_s=wait_s)
    # arXiv says so with status 200, 429 or 503; a 503 that names a time is a limit as well (RFC 9110 section 15.6.4)
    in_words = response.body.lstrip()[:100].lower().startswith(_LIMIT_IN_WORDS)
    if in_words or (status == _UNAVAILABLE and wait_s is not None):
        message = f"asks to be asked less often (status {status})"
        raise AttemptError(message, source=source, kind=FailureKind.RATE_LIMITED, wait_s=wait_s)
    if status >= _SERVER_ERROR:
        raise AttemptError(f"server error (status {status})", source=source, kind=FailureKind.NETWORK)
    if _REDIRECTION <= status < _CLIENT_ERROR:  # one that leads nowhere
        raise MalformedAnswerError(f"unexpected status {status}", source=source)


def _value(response: Response, source: str) -> object:
    """Give the JSON value of an answer, `None` for a 4xx without one."""
    is_page = response.media_type in HTML  # log-in, consent and challenge pages come with status 200
    try:
        value: object = None if is_page else json.loads(response.body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # bad UTF-8, bad JSON, NaN, thousands of nested brackets
        if response.status < _CLIENT_ERROR:
            raise MalformedAnswerError(f"the answer is not JSON (status {response.status})", source=source) from error
        return None  # the status carries the answer
    if is_page and response.status < _CLIENT_ERROR:
        raise _page(response, source)
    return value


def _said(response: Response) -> str:
    """Give the words of a 4xx that came without JSON; of a web page none, for it may be anybody's."""
    if response.status < _CLIENT_ERROR or response.media_type in HTML:
        return ""
    return response.body[:_WORDS].decode("utf-8", "replace")


def _text(response: Response, source: str) -> str:
    """Give the text of an XML answer, empty for a 4xx without one; whether it parses is the source's to see."""
    body = response.body.removeprefix(_BOM).lstrip()
    start = body[:100].lower()
    is_page = response.media_type in HTML or start.startswith(HTML_STARTS)
    says_so = response.media_type in _XML or response.media_type.endswith("+xml")
    if not is_page and body and (says_so or start.startswith(_XML_STARTS)):
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise MalformedAnswerError("the answer is not UTF-8", source=source) from error
    if response.status >= _CLIENT_ERROR:
        return ""
    if is_page:
        raise _page(response, source)
    raise MalformedAnswerError(f"the answer is not XML (status {response.status})", source=source)


def _page(response: Response, source: str) -> MalformedAnswerError:
    return MalformedAnswerError(f"sent a web page instead of data (status {response.status})", source=source)


def _refuse_constant(name: str) -> float:
    """Refuse NaN and Infinity, which JSON does not have (RFC 8259 section 6)."""
    raise ValueError(name)
