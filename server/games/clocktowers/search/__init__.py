"""`hard` and `expert`: a tree search through imagined states, on the same rules as every match."""
