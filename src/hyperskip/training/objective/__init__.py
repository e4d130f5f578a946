"""What training minimizes, in plain NumPy, and the probabilities it samples with."""
