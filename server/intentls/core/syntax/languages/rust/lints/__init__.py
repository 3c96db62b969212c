"""What lints of Rust suggest, and what a compiler makes of it alike."""
