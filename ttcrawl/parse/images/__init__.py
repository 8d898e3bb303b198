"""The type of an image and its width and height, from the header of its file. Pixels are not decoded."""
