"""The way out: the only room that imports httpx; and the one cache on disk."""
