"""Records on this machine: the offline index, the starter index that ships, and the memory of past answers."""
