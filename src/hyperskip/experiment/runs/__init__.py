"""One run of an experiment: training by hyperskip or fastText, and evaluation."""
