"""Values of Rust whose types a function tells, and that nothing but their own reading touches."""
