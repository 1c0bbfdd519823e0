"""Running text that says nothing, in five languages, and the words around it."""

from __future__ import annotations

import random

_PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        (
            "The present account",
            "A closer look at the material",
            "Most of the earlier work",
            "This part of the argument",
            "Our second sample",
            "What the tables do not show",
            "The usual explanation",
        ),
        (
            "leaves open",
            "does not change",
            "was meant to support",
            "cannot be separated from",
            "runs counter to",
            "rests on",
            "has little to say about",
        ),
        (
            "the order in which the steps were taken",
            "a distinction that will matter later",
            "how the cases were chosen",
            "the simple picture given above",
            "the size of the effect",
            "questions of scale and of timing",
        ),
    ),
    "de": (
        (
            "Die vorliegende Darstellung",
            "Ein genauerer Blick auf das Material",
            "Der größte Teil der älteren Arbeiten",
            "Dieser Teil der Überlegung",
            "Die zweite Erhebung",
            "Was die Tabellen nicht zeigen",
        ),
        ("lässt offen", "berührt nur am Rande", "stützt sich auf", "widerspricht in Teilen", "verweist auf"),
        (
            "die Reihenfolge der einzelnen Schritte",
            "eine Unterscheidung, die später wichtig wird",
            "die Auswahl der untersuchten Fälle",
            "das einfache Bild der Einleitung",
            "Fragen des Maßstabs",
        ),
    ),
    "fr": (
        (
            "Le présent exposé",
            "Un regard plus attentif sur les sources",
            "La plupart des travaux anciens",
            "Cette partie du raisonnement",
        ),
        ("laisse ouverte", "ne modifie pas", "repose sur", "contredit en partie"),
        ("la question de l'ordre des étapes", "une distinction utile pour la suite", "le choix des cas étudiés"),
    ),
    "es": (
        ("La presente exposición", "Una mirada más atenta a las fuentes", "La mayor parte de los trabajos previos"),
        ("deja abierta", "no modifica", "se apoya en", "contradice en parte"),
        ("la cuestión del orden de los pasos", "una distinción útil más adelante", "la selección de los casos"),
    ),
    "pt": (
        ("A presente exposição", "Um olhar mais atento às fontes", "A maior parte dos trabalhos anteriores"),
        ("deixa em aberto", "não altera", "apoia-se em", "contradiz em parte"),
        ("a questão da ordem dos passos", "uma distinção útil mais adiante", "a seleção dos casos"),
    ),
}
HEADINGS = {
    "en": ("References", "Bibliography", "Literature Cited", "Works Cited", "References and Notes"),
    "de": ("Literaturverzeichnis", "Literatur", "Quellen- und Literaturverzeichnis", "Bibliographie"),
    "fr": ("Références bibliographiques", "Bibliographie", "Références"),
    "es": ("Referencias bibliográficas", "Bibliografía", "Referencias"),
    "pt": ("Referências bibliográficas", "Referências"),
    "it": ("Riferimenti bibliografici", "Bibliografia"),
    "pl": ("Bibliografia", "Literatura"),
    "cs": ("Použitá literatura", "Seznam literatury"),
    "sv": ("Litteraturförteckning", "Referenser"),
    "nl": ("Literatuurlijst", "Literatuur"),
    "da": ("Litteraturliste", "Litteratur"),
}
"""By language; those without a prose of their own are set in English."""


def sentence(lang: str, rng: random.Random) -> str:
    """Make one sentence without its full stop."""
    return " ".join(rng.choice(part) for part in _PARTS.get(lang, _PARTS["en"]))


def paragraph(lang: str, rng: random.Random, sentences: int = 5) -> str:
    """Make a paragraph."""
    return " ".join(f"{sentence(lang, rng)}." for _ in range(sentences))
