"""What a picture should show: the request, its categories, and the words it chooses."""
