"""What the silence of an index can testify: venues and years against tables of contents."""
