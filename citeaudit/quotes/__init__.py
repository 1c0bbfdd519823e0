"""Whether a source says what is quoted from it: where the words stand, or what stands nearest to them."""
