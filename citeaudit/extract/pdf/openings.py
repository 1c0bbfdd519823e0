"""How a printed reference begins and how it ends."""

from __future__ import annotations

import re

MAX_TAIL = 200
"""Characters at the end of a line that are looked at."""
TERMINAL = re.compile(r"[.)\]\d/”\"»]\s*$|https?://\S+$|\b10\.\d{4,9}/\S+$")
OPENING = re.compile(
    r"[^\W\d_a-z]|[“\"«‘'(\[—–_]|\d{1,4}[.)\s]|(?:van|von|de|der|den|di|da|del|della|la|le|du|el|al)\b", re.UNICODE
)
AUTHOR = re.compile(
    r"[^\W\d_a-z][\w'’.-]+(?:\s[^\W\d_a-z][\w'’-]+){0,2},\s(?:[^\W\d_a-z][\w.'’-]*\s?){1,3}"
    r"|(?:[^\W\d_a-z]\.[\s-]?){1,3}\s?[^\W\d_a-z][\w'’-]+"
    r"|[^\W\d_a-z][\w'’-]+\s[^\W\d_a-z]{1,3}(?:[,.;:]|\s\()"
    r"|(?:van|von|de|der|den|di|da|del|della|la|le|du|el|al)\s[^\W\d_a-z][\w'’-]+,"
    r"|[–—_-]{2,}"
)
"""How a reference begins that begins with its authors."""
