r"""Turn LaTeX source into readable text: accents, macros, dashes, quotes, simple mathematics.

Fields without a backslash or a `$` take a short way of their own, since most of a .bib file is such; the
rest goes through pylatexenc, guarded against what makes it recurse or lose text.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from citeaudit.text.normalize import squash

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

MAX_LATEX = 6_000
"""Characters given to the full converter; longer fields only lose their markup (hostile input)."""

MAX_DEPTH = 30
"""Nested braces given to the full converter, which recurses."""

_LOGO = re.compile(r"\\((?:La|Bib)?TeX)(?![A-Za-z])")
#: Combining characters of the accents that make up most of a .bib file's macros.
_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_ACCENT = re.compile(
    r"\\(?:(?P<sign>[`'^~=.\"])\s{0,3}|(?P<name>[urHvckdb])(?=[{\s\\])\s{0,3})(?:\{\s?\\?(?P<braced>[A-Za-z])\s?\}|(?:\\(?=[ij](?![A-Za-z])))?(?P<letter>[A-Za-z]))"
)
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å",
    "i": "ı", "j": "ȷ",
}  # fmt: skip
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|[oOlLij])(?![A-Za-z])(?:\{\}|\s+)?")
_ESCAPED = re.compile(r"\\([&%#_{}])")
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "))
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_COMMENT = re.compile(r"\\(?:verb|begin|end|input|include|def|newcommand)\b")
_MACRO = re.compile(r"\\(?:[A-Za-z]{1,40}\*?[ \t]?|.)")
_ACCENT_BEFORE_DOTLESS = re.compile(r"(\\[`'^\"~=.uvHbdckrt]\s*\{?\s*)\\([ij])(?![A-Za-z])\s*")
#: Macros whose argument pylatexenc drops; only its text is wanted.
_TEXT_MACRO = re.compile(
    r"\\(?:text(?:(?:sub|super)script|tt|sf|rm|bf|it|sl|sc|md|up|normal)?|math(?:rm|bf|it|sf|tt|cal|bb|scr|frak|normal)|ensuremath|"
    r"mbox|hbox|fbox|emph|underline|uline|operatorname|url|path|nolinkurl|enquote|(?:text|page)?color(?:box)?\s*\{[^{}]{0,40}\}|"
    r"texorpdfstring\s*\{[^{}]{0,400}\})\s*(?=\{)"
)


@cache
def _converter() -> LatexNodes2Text:
    # Imported late: only .bib readers need it, and it takes 30 ms.
    from pylatexenc.latex2text import LatexNodes2Text

    # It logs a warning for each macro without arguments; a hostile field would flood the terminal.
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    return LatexNodes2Text(math_mode="text", keep_comments=True, strict_latex_spaces=False)


def _depth(latex: str) -> int:
    """Give the deepest nesting of braces; closing ones beyond zero count as none."""
    depth = deepest = 0
    for char in latex:
        if char == "{":
            depth += 1
            deepest = max(deepest, depth)
        elif char == "}":
            depth = max(0, depth - 1)
    return deepest


def _strip(latex: str) -> str:
    """Drop macros, braces and dollar signs, keep everything between them."""
    text = latex.replace("\\&", "&").replace("\\%", "%").replace("\\_", "_").replace("\\#", "#").replace("\\$", "$")
    text = _MACRO.sub(" ", text) if "\\" in text else text
    for old, new in _LIGATURES:
        text = text.replace(old, new)
    return text.replace("{", "").replace("}", "").replace("$", "")


#: Signs that make up most of the mathematics in titles, with the characters that pylatexenc gives them.
_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "times": "×", "pm": "±", "to": "→",
    "infty": "∞", "sim": "∼", "ell": "ℓ", "cdot": "·", "ldots": "…", "textendash": "–", "textemdash": "—",
}  # fmt: skip
_SIGN = re.compile(r"\\(" + "|".join(_SIGNS) + r")(?![A-Za-z])(?:\{\})?")
_SWITCH = re.compile(r"\\(?:em|it|bf|sc|rm|tt|sl|sf|normalfont|itshape|bfseries)(?![A-Za-z])\s{0,3}")
_THIN = re.compile(r"\\[,;: ]")
_TYPED_MARKS = re.compile(r"--|``|''|~")
"""What stands for another character in text, but not in mathematics."""


def _accented(match: re.Match[str]) -> str:
    mark = _COMBINING[match.group("sign") or match.group("name")]
    return unicodedata.normalize("NFC", (match.group("braced") or match.group("letter")) + mark)


def _short(latex: str) -> str:
    """Replace accents, letters, fonts and common signs, which is all that most fields need."""
    text = _LETTER.sub(lambda match: _LETTERS[match.group(1)], _ACCENT.sub(_accented, latex))
    if "\\" in text:
        text = _SWITCH.sub("", _TEXT_MACRO.sub("", _LOGO.sub(r"\1", text)))
        text = _THIN.sub(" ", _SIGN.sub(lambda match: _SIGNS[match.group(1)], text))
    return _ESCAPED.sub(lambda match: match.group(1) if match.group(1) not in "{}" else match.group(), text)


def _convert(latex: str) -> str:
    """Give the text by pylatexenc, or by `_strip` where that cannot read the input."""
    from pylatexenc.latexwalker import LatexWalkerError

    source = _ACCENT_BEFORE_DOTLESS.sub(r"\1\2", _LOGO.sub(r"\1", latex))
    source = _TEXT_MACRO.sub("", _BARE_PERCENT.sub(r"\\%", source))
    try:
        text: str = _converter().latex_to_text(source, tolerant_parsing=True)
    except (LatexWalkerError, ValueError, IndexError, KeyError, TypeError, AttributeError, RecursionError):
        # The tolerant mode still raises for some broken environments and arguments.
        return _strip(latex)
    return text.replace("{", "").replace("}", "")


@lru_cache(maxsize=8_192)
def to_text(latex: str) -> str:
    r"""Give readable text with single spaces; never raises, whatever the input.

    Accents and common macros become characters, `--` a dash, `~` a space; braces go, formulas stay as
    characters without their dollar signs.

    >>> to_text(r"{\'A}d{\'a}m and Heged{\H u}s on $\alpha$-{RNA} -- 50\% of~it")
    'Ádám and Hegedűs on α-RNA – 50% of it'
    """
    if "\\" not in latex and "$" not in latex:
        return squash(_strip(latex))
    if len(latex) <= MAX_LATEX and "\\$" not in latex and "\\" not in (short := _short(latex)):
        if "$" not in short:
            return squash(_strip(short))
        if short.count("$") % 2 == 0 and not _TYPED_MARKS.search(short):
            return squash(_strip(short))
    if len(latex) > MAX_LATEX or _depth(latex) > MAX_DEPTH or _COMMENT.search(latex):
        return squash(_strip(latex))
    return squash(_convert(latex))
