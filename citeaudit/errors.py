"""The one tree of exceptions.

::

    CiteauditError
    ├── UsageError                       the call itself: no such path, clashing flags
    ├── ConfigError                      the user's setting; names file, key and allowed values
    ├── DependencyError                  an optional or broken installation part; names what to install
    ├── ExtractionError(path)
    │   ├── UnreadableDocumentError      missing, empty, truncated, too large, misnamed, crashed its reader
    │   ├── EncryptedDocumentError       needs a password
    │   └── NoReferencesError            read, but nothing in it looks like a reference list
    ├── SourceError(source)
    │   ├── SourceUnavailableError(kind) the question was never answered
    │   └── MalformedAnswerError         the source answered something that is not in its documented shape
    ├── ModelError                       a chat model gave no usable reply; costs only what it would have added
    │   ├── ModelUnavailableError        no reply: an outage, a limit, a refusal, too slow
    │   └── InvalidReplyError            the reply is not in the shape that was asked for
    └── IndexBuildError                  an index could not be built, opened or trusted
        ├── IndexDamagedError            its files are missing, corrupt or of another version
        └── UnreadableDumpError          a dump is missing, truncated, damaged, or something else, such as a web page

*Not found* is a value (`Outcome.NO_MATCH`), *unavailable* is an error; neither is ever `None`.
"""

from __future__ import annotations

from enum import StrEnum


class FailureKind(StrEnum):
    """Why a source gave no answer."""

    RATE_LIMITED = "RATE_LIMITED"
    """The source asked us to slow down (429, or a limit in words)."""
    TIMED_OUT = "TIMED_OUT"
    """No complete answer within the time allowed."""
    REFUSED = "REFUSED"
    """The source declined: 401, 403, a challenge page."""
    CIRCUIT_OPEN = "CIRCUIT_OPEN"
    """Paused for this run after repeated failures; nothing was sent."""
    NETWORK = "NETWORK"
    """Name resolution, connection, TLS, a reset, or a server error."""
    MALFORMED = "MALFORMED"
    """An answer arrived but not in the documented shape."""
    DAMAGED = "DAMAGED"
    """A local index is missing, corrupt or of another version."""


class CiteauditError(Exception):
    """Base of every error raised on purpose; its text is one sentence for the user."""


class UsageError(CiteauditError):
    """The call cannot be carried out as written."""


class ConfigError(CiteauditError):
    """A setting is unknown or out of range; the message names file, key and what is allowed."""


class DependencyError(CiteauditError):
    """A part of the installation is missing; the message names it and how to get it."""


class ExtractionError(CiteauditError):
    """A document could not be turned into references.

    Args:
        message: What happened and what to do, without the path.
        path: The document as the user named it.
    """

    def __init__(self, message: str, *, path: str) -> None:
        """Keep the path apart from the message, and put both in the text."""
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


class UnreadableDocumentError(ExtractionError):
    """The file is missing, empty, truncated, too large, or not what its name says."""


class EncryptedDocumentError(ExtractionError):
    """The file needs a password."""


class NoReferencesError(ExtractionError):
    """The file was read, but holds nothing that looks like a reference."""


class SourceError(CiteauditError):
    """A source did not answer a question.

    Args:
        message: What happened, for the report.
        source: Name of the source, as in `configs/sources.toml`.
    """

    def __init__(self, message: str, *, source: str) -> None:
        """Keep the source apart from the message, and put both in the text."""
        super().__init__(f"{source}: {message}")
        self.source = source
        self.message = message


class SourceUnavailableError(SourceError):
    """The question was never answered; says nothing about the work asked for."""

    def __init__(self, message: str, *, source: str, kind: FailureKind) -> None:
        """Add the kind of failure."""
        super().__init__(message, source=source)
        self.kind = kind


class MalformedAnswerError(SourceError):
    """The answer is not in the source's documented shape; treated as no answer."""


class ModelError(CiteauditError):
    """A chat model gave no usable reply; what it was asked about stays as it was."""


class ModelUnavailableError(ModelError):
    """The model did not reply; the text names the kind of failure, never what was sent."""


class InvalidReplyError(ModelError):
    """The model's reply is not in the shape that was asked for."""


class IndexBuildError(CiteauditError):
    """An offline index could not be built, opened or trusted; says what to run next."""


class IndexDamagedError(IndexBuildError):
    """The files of an offline index are missing, corrupt or of another version; says what to run next."""


class UnreadableDumpError(IndexBuildError):
    """A dump is missing, truncated, damaged or no dump at all; names the file, and what to do."""
