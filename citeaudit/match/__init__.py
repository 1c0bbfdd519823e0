"""Compare what a reference claims with what a record says, and tell how firmly one denotes the other."""
