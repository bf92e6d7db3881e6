"""From bytes to text: names of encodings, what documents declare, and which of them is true."""
