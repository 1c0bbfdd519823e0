"""Services that know works: one module or package a service, none imports another.

A source turns queries into requests and answers into lookups, nothing else: pacing, retries and memory are
the net room's (`citeaudit.net`), weighing is `citeaudit.match`'s. Models of foreign answers live in the
source's own module. A new source is that module, its test, its local service in `tests/services/`, its row
in `configs/sources.toml` and its entry point `citeaudit.source`.
"""
