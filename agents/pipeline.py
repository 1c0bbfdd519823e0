"""The agents in their order, as one langchain Runnable."""

from __future__ import annotations

from contextlib import nullcontext

from langchain_core.runnables import Runnable, RunnableLambda
from langsmith.run_helpers import tracing_context

from citeaudit.agents.extractor import ExtractorAgent
from citeaudit.agents.judge import JudgeAgent
from citeaudit.agents.memory import MemoryAgent
from citeaudit.agents.scholar import ScholarAgent
from citeaudit.agents.searcher import SearcherAgent
from citeaudit.agents.toolbox import Toolbox
from citeaudit.model import Extraction, Verdict


def build(toolbox: Toolbox) -> Runnable[Extraction, tuple[Verdict, ...]]:
    """Give the pipeline: extractor, memory, searcher, scholar, judge. Asynchronous only (`ainvoke`)."""
    return (
        RunnableLambda(ExtractorAgent(toolbox).__call__, name="extractor")
        | RunnableLambda(MemoryAgent(toolbox).__call__, name="memory")
        | RunnableLambda(SearcherAgent(toolbox).__call__, name="searcher")
        | RunnableLambda(ScholarAgent(toolbox).__call__, name="scholar")
        | RunnableLambda(JudgeAgent(toolbox).__call__, name="judge")
    )


async def run(extraction: Extraction, toolbox: Toolbox) -> tuple[Verdict, ...]:
    """Send one document through the pipeline.

    langchain would send every step to a tracing service where the environment asks for it; a manuscript never
    leaves the machine that way, so tracing is switched off here whatever the environment says, unless the settings
    allow it (`model.allow_tracing`).
    """
    allowed = toolbox.settings.model.allow_tracing
    with nullcontext() if allowed else tracing_context(enabled=False):
        return await build(toolbox).ainvoke(extraction)
