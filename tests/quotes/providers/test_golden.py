"""One file a shape: a response, invented, and the citations that it holds in the normal form."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from citeaudit.quotes.providers.detect import tell
from citeaudit.quotes.providers.normal import Cite

FILES = sorted(Path(__file__).parent.glob("*.json"))
SAID = [path for path in FILES if "stream" not in path.stem]


class Sdk(BaseModel):
    """As the SDKs build their objects: known fields and extra ones alike are attributes."""

    model_config = ConfigDict(extra="allow")


class Slotted:
    """An object without a dictionary."""

    __slots__ = ("_hidden", "held")

    def __init__(self, held: Any) -> None:
        self.held = held
        self._hidden = "no data"


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def brief(cite: Cite) -> dict[str, Any]:
    told = cite.to_dict()
    del told["raw"]
    return {name: value for name, value in told.items() if value not in (None, "", False, {})}


def spaced(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: spaced(item) for name, item in value.items()})
    return [spaced(item) for item in value] if isinstance(value, list) else value


def modelled(value: Any) -> Any:
    if isinstance(value, dict):
        return Sdk(**{name: modelled(item) for name, item in value.items()})
    return [modelled(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_response_is_read_to_the_normal_form(path: Path) -> None:
    golden = load(path)
    found = tell(golden["response"])
    assert found.shape.value == golden["shape"]
    assert [brief(cite) for cite in found.cites] == golden["expected"]


@pytest.mark.parametrize("build", [spaced, modelled], ids=["attributes", "pydantic"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_objects_are_read_as_dictionaries_are(path: Path, build: Any) -> None:
    golden = load(path)
    assert [brief(cite) for cite in tell(build(golden["response"])).cites] == golden["expected"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_response_is_read_as_text_too(path: Path) -> None:
    golden = load(path)
    said = golden["response"] if isinstance(golden["response"], str) else json.dumps(golden["response"])
    assert [brief(cite) for cite in tell(said.encode()).cites] == golden["expected"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_claims_stand_where_they_are_said_to(path: Path) -> None:
    for reading in tell(load(path)["response"]).readings:
        for cite in reading.cites:
            if cite.claim_span is not None:
                said = reading.text[slice(*cite.claim_span)]
                assert cite.claim_text.split()[0] in said
                assert cite.claim_text == said or "【" in said or cite.claim_text == said.strip()


def test_what_the_provider_gave_is_kept() -> None:
    golden = load(Path(__file__).parent / "anthropic_message.json")
    given = [one for block in golden["response"]["content"] for one in block.get("citations", [])]
    assert [cite.raw for cite in tell(golden["response"]).cites] == given
    assert [cite.raw for cite in tell(modelled(golden["response"])).cites] == given


def test_objects_with_slots_are_read() -> None:
    row = {"id": "a", "doc": "a.pdf", "page": 2, "quote": "It rained"}
    assert [cite.raw for cite in tell(Slotted([row]).held).cites] == [row]
    assert tell(SimpleNamespace(messages=[Slotted(3)])).cites[0].raw == {"messages": [{"held": 3}]}
