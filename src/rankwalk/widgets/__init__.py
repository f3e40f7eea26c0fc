"""The widgets: each is a .py, a .js and a .css side by side; shared JavaScript is in ``js/``."""
