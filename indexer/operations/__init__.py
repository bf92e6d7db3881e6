"""What operators look at: queues, services, the log."""
