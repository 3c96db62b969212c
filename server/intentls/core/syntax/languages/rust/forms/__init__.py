"""Rust written in another way: what each form of it stands for."""
