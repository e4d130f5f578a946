"""The page in the browser: JavaScript, styles and HTML, and the Python that assembles them."""
