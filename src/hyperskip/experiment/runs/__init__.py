"""One run of an experiment: training by hyperskip or another program, and evaluation."""
