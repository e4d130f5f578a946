"""What `hyperskip doctor` finds: installed packages, the device, caches, speed, and problems."""
