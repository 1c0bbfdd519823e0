"""Run the town by hand: `python -m tests.services.town --port 8099 [--fault arxiv=empty_feed]`."""

from __future__ import annotations

import argparse
import signal
import sys

from tests.services.town.server import FAULTS, Town, listen


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with it ignored
    parser = argparse.ArgumentParser(prog="python -m tests.services.town", description=__doc__)
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--fault", action="append", default=[], metavar="SERVICE=FAULT", help=", ".join(FAULTS))
    options = parser.parse_args()
    town = Town()
    for one in options.fault:
        service, _, fault = one.partition("=")
        town.break_down(service, fault)
    server = listen(town, options.port)
    base = f"http://127.0.0.1:{server.server_port}"
    lines = [f"export CITEAUDIT_SOURCES__{name.upper()}__BASE_URL={base}" for name in town.services]
    sys.stdout.write("\n".join((*lines, "Stop with Ctrl-C; then come the requests and the violations.", "")))
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
        watch = town.watch
        listing = (*(seen.line for seen in watch.requests), f"{len(watch.requests)} requests", *watch.violations, "")
        sys.stdout.write("\n".join(listing))


if __name__ == "__main__":
    main()
