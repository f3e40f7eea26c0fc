"""What single lessons compute and show: their examples, tables and models, each on the core."""
