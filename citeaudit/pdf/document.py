"""Read a PDF with PyMuPDF inside the worker process: text with places, links, destinations, images, OCR.

A long document is read in ranges of pages, several at once; what concerns it as a whole comes with the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from citeaudit.pdf.glyphs import IN_WORD, PRIVATE, UNKNOWN, UNNAMED, Unnamed, meanings, replace
from citeaudit.pdf.spans import HIDDEN, LAYER, PALE, lost_spaces, merge, respace

MAX_SPANS_A_PAGE = 60_000
"""Spans kept of one page; a page of a telephone book has about 5,000."""
MAX_LINKS_A_PAGE = 5_000
MAX_DESTINATIONS = 50_000
MAX_OUTLINE = 5_000
UPRIGHT = 0.02
"""Sine of the angle up to which a line counts as level."""
MAX_URI = 2_000
"""Characters of a link; longer ones are dropped."""
SCAN = 0.6
"""Share of a page that an image must cover for hidden text on it to be the text of a scan."""
PALE_LETTERS = 25
"""White letters on a page from which it is looked at what lies under them."""
MAX_AREA = 6e6
"""Square points of a page that is drawn; A0 has 8e6."""
LIGHT = 235
"""Grey value, 0 to 255, above which white text cannot be seen on it."""
OCR_DPI = 300
OCR_AREA = 2e6
"""Square points of a page that OCR may be given; at 300 dpi this is 35 megapixels."""
TESSDATA = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)
"""Where systems keep the language data of Tesseract."""


def library() -> Any:
    """Load PyMuPDF, which has no types, when it is first needed: the process limits itself before."""
    import pymupdf

    return pymupdf


_OUT_OF_MEMORY = re.compile(r"\b(?:m|c|re)alloc\b|out of memory")
"""MuPDF raises the same error for a lack of memory as for a fault of the file; its text alone tells them apart."""


class DocumentError(Exception):
    """A document that cannot be read; the kind is a key of `citeaudit.pdf.worker.MESSAGES`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        """Keep kind and detail."""
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


def text_flags() -> int:
    """Give the flags of all text that is read.

    No ligatures ("ﬁ" comes as "fi"), nothing outside the page, and no dehyphenation, which differs by version.
    """
    pymupdf = library()
    return int(pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP)


def _lines(page: Any, unnamed: Unnamed) -> list[list[Any]]:
    """Give the lines of a page as rows of `upright` and spans, in displayed page space."""
    textpage = page.get_textpage(flags=text_flags())
    content = textpage.extractDICT()
    rows = list(_merged(content))
    # The joined spans are far fewer: whether there is anything to tell apart is asked of them.
    if any(UNKNOWN in span[0] for row in rows for span in row[1]) and _spelled(content):
        numbered = page.get_textpage(flags=text_flags() | library().TEXT_USE_GID_FOR_UNKNOWN_UNICODE).extractDICT()
        for line, other in zip(_content_lines(content), _content_lines(numbered), strict=False):
            _tell_apart(line["spans"], "".join(span["text"] for span in other["spans"]), unnamed)
        rows = list(_merged(content))
    if rows and lost_spaces([row[1] for row in rows]):
        rows = list(_merged(_respaced(textpage.extractRAWDICT(), content)))
    if page.rotation:
        _turn(rows, page)
    faces = {span[6] for row in rows for span in row[1]}
    if any(face & (HIDDEN | PALE) for face in faces):
        _judge_hidden(page, rows)
    return rows


def _content_lines(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for block in content["blocks"]:
        yield from block.get("lines", ())


def _spelled(content: dict[str, Any]) -> bool:
    """Whether unknown glyphs stand for letters."""
    return any(IN_WORD.search(span["text"]) for line in _content_lines(content) for span in line["spans"])


def _tell_apart(spans: list[dict[str, Any]], numbered: str, unnamed: Unnamed) -> None:
    """Tell apart the unknown glyphs of a line; its text with their numbers is cut into other spans."""
    if len(numbered) != sum(len(span["text"]) for span in spans):
        return
    at = 0
    for span in spans:
        end = at + len(span["text"])
        span["text"] = unnamed.tell(span["text"], numbered[at:end], span["font"])
        at = end


def _merged(content: dict[str, Any]) -> Iterator[list[Any]]:
    budget = MAX_SPANS_A_PAGE
    for line in _content_lines(content):
        across, down = line["dir"]
        level = across > 0 and -UPRIGHT < down < UPRIGHT
        spans = merge(line["spans"], level=level)
        budget -= len(spans)
        if budget < 0:
            return
        if not all(span[0].isspace() for span in spans):
            yield [level, spans, (across, down)]


def _respaced(content: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Rebuild the spaces of a page; its characters are those told apart before."""
    lines = list(_content_lines(content))
    for line, other in zip(lines, _content_lines(told), strict=False):
        chars = [char for span in line["spans"] for char in span["chars"]]
        text = "".join(span["text"] for span in other["spans"])
        if len(text) == len(chars):
            for char, own in zip(chars, text, strict=True):
                char["c"] = own
    for line, spans in zip(lines, respace([line["spans"] for line in lines]), strict=True):
        line["spans"] = spans
    return content


def _turn(rows: list[list[Any]], page: Any) -> None:
    """Turn the places of a rotated page: PyMuPDF gives its text unrotated, its links as displayed."""
    pymupdf = library()
    matrix = page.rotation_matrix
    for row in rows:
        across, down = row[2]
        turned = (across * matrix.a + down * matrix.c, across * matrix.b + down * matrix.d)
        row[0] = turned[0] > 0 and abs(turned[1]) < UPRIGHT
        for span in row[1]:
            box = pymupdf.Rect(span[1:5]) * matrix
            span[1:5] = [round(value, 1) for value in box]


def _judge_hidden(page: Any, rows: list[list[Any]]) -> None:
    """Settle which text is hidden: that of a scan is not, nor is white text on something dark."""
    spans = [span for row in rows for span in row[1]]
    hidden = sum(len(span[0]) for span in spans if span[6] & HIDDEN)
    if hidden and 2 * hidden > sum(len(span[0]) for span in spans) and _cover(page) >= SCAN:
        for span in spans:
            if span[6] & HIDDEN:
                span[6] = span[6] & ~HIDDEN | LAYER
    pale = [span for span in spans if span[6] & PALE]
    if not pale:
        return
    looked = sum(len(span[0]) for span in pale) >= PALE_LETTERS
    unseen = _unseen(page, pale) if looked else [False] * len(pale)
    for span, lost in zip(pale, unseen, strict=True):
        span[6] = span[6] & ~PALE | (HIDDEN if lost else 0)


def _unseen(page: Any, spans: list[list[Any]]) -> list[bool]:
    """Say for each white span whether the page is light all over it."""
    pymupdf = library()
    rect = page.rect
    if rect.width * rect.height > MAX_AREA:
        return [False] * len(spans)
    around = [min(span[1] for span in spans), min(span[2] for span in spans)]
    around += [max(span[3] for span in spans), max(span[4] for span in spans)]
    clip = pymupdf.Rect(around) & rect
    if clip.is_empty:
        return [False] * len(spans)
    picture = page.get_pixmap(matrix=pymupdf.Matrix(0.5, 0.5), colorspace=pymupdf.csGRAY, annots=False, clip=clip)
    samples, stride, x, y = picture.samples, picture.stride, picture.x, picture.y
    found = []
    for _, x0, y0, x1, y1, _, _ in spans:
        left, right = max(0, int(x0 / 2) - x), min(picture.width, int(x1 / 2) + 1 - x)
        top, bottom = max(0, int(y0 / 2) - y), min(picture.height, int(y1 / 2) + 1 - y)
        lines = [samples[row * stride + left : row * stride + right] for row in range(top, bottom)]
        darkest = min((min(line) for line in lines if line), default=255)
        found.append(darkest > LIGHT)
    return found


def _cover(page: Any) -> float:
    """Give the share of a page that its largest image covers."""
    area = max(1.0, page.rect.width * page.rect.height)
    return max((_area(box) / area for box in _boxes(page)), default=0.0)


def _area(box: list[float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _boxes(page: Any) -> list[list[float]]:
    pymupdf = library()
    boxes: list[list[float]] = []
    for image in page.get_image_info()[:MAX_LINKS_A_PAGE]:
        box = (pymupdf.Rect(image["bbox"]) * page.rotation_matrix) & page.rect
        boxes.append([round(value, 1) for value in box])
    return boxes


_PLACE = re.compile(r"page=(\d{1,7})&(?:zoom=[^,&]*|view=/?XYZ),([^,&]*),([^,&]*)")
_HEIGHT = re.compile(r"page=(\d{1,7})&view=/?Fit(?:BH|H),([^,&]*)")
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")


def _links(page: Any) -> list[list[object]]:
    """Read the links of a page; `Page.get_links` looks up each one's object, which takes four times as long."""
    rows: list[list[object]] = []
    link = library().mupdf.fz_load_links(page.this)
    while link.m_internal and len(rows) < MAX_LINKS_A_PAGE:
        rect, uri = link.m_internal.rect, link.m_internal.uri or ""
        target = _target(uri) if len(uri) <= MAX_URI else None
        if target is not None:
            rows.append([round(rect.x0, 1), round(rect.y0, 1), round(rect.x1, 1), round(rect.y1, 1), *target])
        link = link.next()
    return rows


def _target(uri: str) -> tuple[object, ...] | None:
    """Give the rest of a row of a link: the address, or the name, or page and point; `None` where it leads nowhere."""
    if not uri.startswith("#"):
        return (uri,) if ":" in uri and not uri.startswith("file:") else None
    if uri.startswith("#nameddest="):
        name = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), uri.removeprefix("#nameddest=").replace("%%", "%25"))
        return (None, name) if name else None
    place = _PLACE.match(uri, 1)
    if place:
        page, x, y = int(place[1]), _number(place[2]), _number(place[3])
    else:
        height = _HEIGHT.match(uri, 1)
        page, x, y = (int(height[1]), 0.0, _number(height[2])) if height else (0, 0.0, 0.0)
    # A link to a page as a whole says nothing about a reference on it.
    return (None, None, page, x, y) if x or y else None


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return round(value, 1) if value == value and abs(value) < MAX_AREA else 0.0  # noqa: PLR0124  # nan stands for "where you are"


def _destinations(document: Any) -> dict[str, list[float]]:
    """Give named destinations as page, x, y in displayed page space.

    `resolve_names` answers in PDF space (origin bottom-left of the media box), unlike `get_links`.
    """
    found: dict[str, list[float]] = {}
    matrices: dict[int, object] = {}
    for name, target in list(document.resolve_names().items())[:MAX_DESTINATIONS]:
        number, to = target.get("page", -1), target.get("to")
        if not isinstance(number, int) or not 0 <= number < len(document) or to is None:
            continue
        if number not in matrices:
            page = document[number]
            matrices[number] = page.transformation_matrix * page.rotation_matrix
        point = library().Point(to) * matrices[number]
        found[str(name)] = [number + 1, round(point.x, 1), round(point.y, 1)]
    return found


def _outline(document: Any) -> list[list[object]]:
    rows = document.get_toc(simple=True)
    return [[level, title, page] for level, title, page in rows[:MAX_OUTLINE] if page >= 1]


def open_document(path: str, pages: int) -> Any:
    """Open a PDF.

    Raises:
        DocumentError: It cannot be opened, or has more pages.
    """
    pymupdf = library()
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DocumentError("unreadable", error.strerror or type(error).__name__) from error
    try:
        document = pymupdf.open(stream=content, filetype="pdf")
    except pymupdf.EmptyFileError as error:
        raise DocumentError("empty") from error
    except (pymupdf.FileDataError, pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        raise DocumentError("memory" if _OUT_OF_MEMORY.search(str(error)) else "damaged") from error
    if not document.is_pdf:
        raise DocumentError("not-pdf")
    if document.needs_pass and not document.authenticate(""):
        raise DocumentError("encrypted")
    if len(document) == 0:
        raise DocumentError("damaged")
    if len(document) > pages:
        raise DocumentError("pages", str(len(document)))
    return document


def _or_nothing(reader: Callable[[], object], nothing: object) -> object:
    """Read a part that a document may do without: a broken outline must not cost its text."""
    try:
        return reader()
    except (library().mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, AttributeError, KeyError, IndexError):
        return nothing


def read(request: dict[str, object]) -> dict[str, object]:
    """Read text, links, destinations, metadata and outline of one PDF.

    Args:
        request: `path`; `pages`, the most pages allowed; `first` and `last`, 1-based, the pages to read (all
            without them). Destinations, metadata and outline come with page 1 alone.

    Returns:
        The shape that `citeaudit.pdf.content.decode` takes, and `count`, the pages of the document.

    Raises:
        DocumentError: The document as a whole cannot be read.
    """
    document = open_document(str(request["path"]), int(str(request["pages"])))
    first, last = int(str(request.get("first", 1))), int(str(request.get("last", len(document))))
    pages: list[list[Any]] = []
    broken: list[int] = []
    unnamed = Unnamed()
    for number in range(first - 1, min(last, len(document))):
        page = _page(document, number, unnamed)
        if page is None:
            broken.append(number + 1)
        else:
            pages.append(page)
    if not pages and first == 1 and last >= len(document):
        raise DocumentError("damaged")
    _decode_private(pages)
    whole = first == 1
    metadata = document.metadata or {}
    kept = ("title", "author", "subject", "keywords", "creator", "producer")
    answer: dict[str, object] = {
        "count": len(document),
        "pages": pages,
        "destinations": _or_nothing(lambda: _destinations(document), {}) if whole else {},
        "metadata": {key: str(metadata[key])[:MAX_URI] for key in kept if metadata.get(key)} if whole else {},
        "toc": _or_nothing(lambda: _outline(document), []) if whole else [],
        "repaired": bool(document.is_repaired),
        "broken_pages": broken,
    }
    document.close()
    return answer


def _page(document: Any, number: int, unnamed: Unnamed) -> list[Any] | None:
    try:
        page = document[number]
        rect = page.rect
        lines = [row[:2] for row in _lines(page, unnamed)]
    except (library().mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        if _OUT_OF_MEMORY.search(str(error)):
            raise DocumentError("memory") from error
        return None
    links = _or_nothing(partial(_links, page), [])
    return [number + 1, round(rect.width, 1), round(rect.height, 1), page.rotation, lines, links]


def _decode_private(pages: list[list[Any]]) -> None:
    """Give private-use characters the letters they stand for, where the words around them tell."""
    spans = [span for page in pages for line in page[4] for span in line[1] if not span[0].isascii()]
    spans = [span for span in spans if PRIVATE.search(span[0])]
    meaning = meanings(span[0] for span in spans) if spans else {}
    for span in spans:
        span[0] = UNNAMED.sub(UNKNOWN, replace(span[0], meaning))


def images(request: dict[str, object]) -> dict[str, object]:
    """Give the boxes of the images on some pages.

    Args:
        request: `path`, `pages` as for `read`, and `numbers`, 1-based pages.

    Returns:
        `boxes`: by page number as text, rows of x0, y0, x1, y1 in displayed page space.
    """
    document = open_document(str(request["path"]), int(str(request["pages"])))
    boxes = {
        str(number): _or_nothing(partial(_boxes, document[number - 1]), [])
        for number in _numbers(request)
        if 1 <= number <= len(document)
    }
    document.close()
    return {"boxes": boxes}


def _numbers(request: dict[str, object]) -> list[int]:
    numbers = request["numbers"]
    return [int(number) for number in numbers] if isinstance(numbers, list) else []


def recognise(request: dict[str, object]) -> dict[str, object]:
    """Read pages by optical character recognition, with the Tesseract inside PyMuPDF.

    Args:
        request: `path`, `pages` and `numbers` as for `images`; `languages`, as Tesseract names them (`deu+eng`);
            `tessdata`, a folder with its language data, or nothing for the usual ones.

    Returns:
        `pages`: rows as in the answer of `read`, without links; pages that could not be read are left out.

    Raises:
        DocumentError: There is no language data.
    """
    languages = str(request["languages"])
    folder = _tessdata(languages, str(request.get("tessdata") or ""))
    document = open_document(str(request["path"]), int(str(request["pages"])))
    pages = []
    for number in _numbers(request):
        row = _or_nothing(partial(_recognised, document, number - 1, languages, folder), None)
        if row is not None:
            pages.append(row)
    document.close()
    return {"pages": pages}


def _tessdata(languages: str, named: str) -> str:
    wanted = [f"{language}.traineddata" for language in languages.split("+")]
    for folder in (named,) if named else TESSDATA:
        if all(Path(folder, name).is_file() for name in wanted):
            return folder
    raise DocumentError("ocr", languages)


def _recognised(document: Any, number: int, languages: str, folder: str) -> list[Any] | None:
    page = document[number]
    rect = page.rect
    if rect.width * rect.height > OCR_AREA:
        return None
    textpage = page.get_textpage_ocr(flags=text_flags(), language=languages, dpi=OCR_DPI, full=True, tessdata=folder)
    rows = list(_merged(textpage.extractDICT()))
    if page.rotation:
        _turn(rows, page)
    for row in rows:
        for span in row[1]:
            span[6] &= ~(HIDDEN | PALE)
    return [number + 1, round(rect.width, 1), round(rect.height, 1), page.rotation, [row[:2] for row in rows], []]
