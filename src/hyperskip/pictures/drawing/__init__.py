"""Images drawn with matplotlib, which is an optional package."""

from hyperskip.pictures.request.request import check_matplotlib

check_matplotlib()
