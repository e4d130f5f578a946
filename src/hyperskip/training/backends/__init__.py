"""What trains blocks of text on a device, and the settings of its kernels."""
