"""What operators and readers get besides the API: daily files, and the trial of a feed."""
