"""Readers of the dumps that services publish: each turns its form into records, and knows nothing of the index."""
