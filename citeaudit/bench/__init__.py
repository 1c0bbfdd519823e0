"""Labelled sets run through the path that `check` uses; scorers and labels stay outside."""
