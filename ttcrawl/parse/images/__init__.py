"""What an image is, and how wide and high, by the header of its file: nothing is decoded."""
