"""What URLs and addresses say, without asking anybody: pure functions."""
