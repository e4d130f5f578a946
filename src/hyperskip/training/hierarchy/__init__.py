"""A hierarchy from relations: what is stated about words, as points whose radius is generality."""
