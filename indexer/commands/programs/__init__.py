"""Commands about the programs one by one: start one of them, list the settings of all."""
