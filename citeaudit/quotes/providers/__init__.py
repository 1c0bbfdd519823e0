"""Citations in models' responses, whatever their provider, in one normal form."""
