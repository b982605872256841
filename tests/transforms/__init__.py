"""The transformations: their rules, alone and in every combination."""
