"""The only room that knows PyMuPDF: PDFs are read in worker processes and come out as plain values."""

from citeaudit.pdf.content import Area, Destination, Face, Link, PdfLine, PdfPage, PdfText, Span
from citeaudit.pdf.limits import DEFAULT_LIMITS, Limits
from citeaudit.pdf.worker import close_pools, read_images, read_opening, read_pages, recognise_pages, warm

__all__ = [
    "DEFAULT_LIMITS",
    "Area",
    "Destination",
    "Face",
    "Limits",
    "Link",
    "PdfLine",
    "PdfPage",
    "PdfText",
    "Span",
    "close_pools",
    "read_images",
    "read_opening",
    "read_pages",
    "recognise_pages",
    "warm",
]
