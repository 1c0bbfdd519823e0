"""Tell legacy encodings apart by their bytes, and mend text that was saved in the wrong one.

Only what is certain is decided: where the bytes could be either, Windows-1252 is taken and the user is told.
"""

from __future__ import annotations

import codecs
import re

SAMPLE = 400_000
"""Bytes from which the encoding is judged."""

_SURE_CHINESE = 0.95
"""Share of double-byte characters inside GB 2312's rows of hanzi and signs; random bytes reach about 0.35."""
_SURE_LEVEL = 0.6
"""Share of hanzi in GB 2312's first level, the 3,755 in daily use; Chinese prose has about 0.9, other bytes 0.4."""
_SURE_KANA = 0.2
"""Share of kana in Japanese prose is about 0.5, in a list of references above this."""
_LEAST_WIDE = 6
"""Double-byte characters that allow a judgement."""

_BETWEEN = re.compile(r"(?<=[a-z])[^\x00-\x7f](?=[a-z])")
_LETTERS = frozenset("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšžıłń’\xad")
_RUN = re.compile(rb"[\x80-\xff][\x40-\xff]?")
_GB2312 = re.compile(rb"[\xa1-\xa9\xb0-\xf7][\xa1-\xfe]")
_BAD = "citeaudit-windows"


def _windows(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are not UTF-8, in a text that otherwise is, as Windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    piece = bytes(error.object[error.start : error.end])
    return piece.decode("cp1252", errors="replace"), error.end


codecs.register_error(_BAD, _windows)


def guess_legacy(data: bytes) -> tuple[str, str, str | None]:
    """Give text, encoding and note for bytes that are neither marked nor valid UTF-8."""
    sample = data[:SAMPLE]
    if _mostly_utf8(sample):
        note = "a few bytes are not valid UTF-8 and were read as Windows-1252; check accented letters"
        return data.decode("utf-8", errors=_BAD), "utf-8", note
    for encoding, told in (_wide_encoding(sample), _mac(sample)):
        if encoding:
            text = data.decode(encoding, errors="replace")
            return text, encoding, f"not valid UTF-8: read as {told}; check accented letters and names"
    text = data.decode("cp1252", errors="replace")
    return text, "cp1252", "not valid UTF-8: read as Windows-1252; check accented letters"


def _mostly_utf8(sample: bytes) -> bool:
    """Whether valid sequences of several bytes far outnumber stray bytes."""
    good = len(re.findall(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", sample))
    high = sum(byte > 0x7F for byte in sample)  # noqa: PLR2004 - ASCII
    valid = sum(len(one.encode()) for one in sample.decode("utf-8", errors="ignore") if one > "\x7f")
    return good > 0 and (high - valid) * 4 <= good


def _wide_encoding(sample: bytes) -> tuple[str | None, str]:
    """Give a double-byte encoding that the bytes prove."""
    pairs = [run for run in _RUN.findall(sample) if len(run) == 2]  # noqa: PLR2004 - lead and trail
    if len(pairs) < _LEAST_WIDE:
        return None, ""
    japanese = _kana(sample, "cp932")
    if japanese >= _SURE_KANA:
        return "cp932", "Shift-JIS"
    try:
        text = sample.decode("gb18030") if len(sample) < SAMPLE else sample[: sample.rfind(b"\n") + 1].decode("gb18030")
    except UnicodeDecodeError:
        return None, ""
    wide = [char.encode("gb18030") for char in text if char > "\x7f"]
    rows = [code for code in wide if _GB2312.fullmatch(code)]
    hanzi = [code for code in rows if code[0] >= 0xB0]  # noqa: PLR2004 - GB 2312 rows 16 on
    if len(wide) < _LEAST_WIDE or not hanzi or len(rows) < _SURE_CHINESE * len(wide):
        return None, ""
    kana = sum(code[0] in {0xA4, 0xA5} for code in rows)
    if kana >= _SURE_KANA * len(rows):
        return None, ""  # Japanese in EUC, which shares these rows
    level = sum(code[0] <= 0xD7 for code in hanzi)  # noqa: PLR2004 - the first level ends with row 55
    hangul = all(code[0] <= 0xC8 for code in hanzi)  # noqa: PLR2004 - Korean in EUC uses rows 16 to 40 alone
    # Accented Western text makes pairs too (an accent and the letter after it), but not several in a row.
    if level < _SURE_LEVEL * len(hanzi) or hangul or not re.search("[\u4e00-\u9fff]{3}", text):
        return None, ""
    return "gb18030", "GB 18030"


def _kana(sample: bytes, encoding: str) -> float:
    """Give the share of kana among the characters beyond ASCII, 0 where the bytes are not valid."""
    end = len(sample) if len(sample) < SAMPLE else sample.rfind(b"\n") + 1
    try:
        text = sample[:end].decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    wide = [char for char in text if char > "\x7f"]
    # Half-width kana are what Western accents look like in Shift-JIS: they prove nothing.
    kana = sum("\u3041" <= char <= "\u30fe" for char in wide)
    odd = sum("\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" for char in wide)
    return kana / len(wide) if len(wide) >= _LEAST_WIDE and odd * 10 <= len(wide) else 0.0


def _mac(sample: bytes) -> tuple[str | None, str]:
    """Give Mac Roman where its letters make sense inside words and those of Windows-1252 do not."""
    windows = [char for char in _BETWEEN.findall(sample.decode("cp1252", errors="replace")) if char not in _LETTERS]
    mac = [char for char in _BETWEEN.findall(sample.decode("mac_roman")) if char not in _LETTERS]
    return ("mac_roman", "Mac Roman") if windows and not mac else (None, "")


# --- text that was saved in a wrong encoding -------------------------------------------------------------

_CP1252_HIGH = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_TAIL = f"[\\u0080-\\u00bf{_CP1252_HIGH}]"
_SEQUENCE = re.compile(f"[\\u00c2-\\u00df]{_TAIL}|[\\u00e0-\\u00ef]{_TAIL}{{2}}")
_EVIDENCE = re.compile(
    f"\\u00c3[\\u00a1-\\u00a9\\u00ac-\\u00ba\\u00bc-\\u00bf]|\\u00e2\\u20ac[{_CP1252_HIGH}\\u0080-\\u00bf]"
)


def mend(text: str) -> str:
    """Undo UTF-8 that had been read as Windows-1252, where some sequence leaves no doubt of it.

    >>> mend("MÃ¼ller â€“ NÃ¡dia"), mend("Müller “MAÇÔ")
    ('Müller – Nádia', 'Müller “MAÇÔ')
    """
    return _SEQUENCE.sub(_mended, text) if _EVIDENCE.search(text) else text


def _mended(match: re.Match[str]) -> str:
    piece = match.group()
    try:
        data = b"".join(char.encode("cp1252") if char in _CP1252_HIGH else char.encode("latin-1") for char in piece)
        char = data.decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return piece
    return char if char.isprintable() or char == "\xa0" else piece
