"""The multi-agent pipeline: extractor, memory, searcher, scholar, judge.

Agents arrange what the library decides. Each is a class with a toolbox and one asynchronous call; `pipeline`
wraps them once as langchain Runnables. Imported as `citeaudit.agents`.
"""
