"""What `hyperskip` prints without a command: what to try first."""

from hyperskip.documentation import DOCUMENTATION

FIRST_STEPS = f"""\
hyperskip learns embeddings in hyperbolic space: of words from plain text, and
of taxonomies and graphs.

Try first:

  hyperskip demo
      train on a built-in text, and see what was learned

  hyperskip neighbors small dog
      ask the small model that comes with hyperskip

  hyperskip train corpus.txt -o model.safetensors --dimension 20
      train on your own text

  hyperskip explore model.safetensors
      see the words of a model on a map in the browser

All commands:   hyperskip --help
Problems:       hyperskip doctor
Documentation:  {DOCUMENTATION}"""
