"""The demonstration: the example manuscript, a service on this machine that knows its works, and both held together."""
