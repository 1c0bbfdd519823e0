"""Pure functions from text to text, keys and scores."""
