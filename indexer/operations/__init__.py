"""What operators look at: the state of brokers and containers, and a sink for logs."""
