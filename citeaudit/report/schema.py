"""`python -m citeaudit.report.schema` writes the JSON Schema of the report; its copy is `docs/report.schema.json`."""

from __future__ import annotations

import json
import sys

from citeaudit.report.json_report import schema

if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=2, sort_keys=True) + "\n")
