"""Results of an experiment: records of runs, the choice of the best rate, and the folder."""
