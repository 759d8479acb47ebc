"""Read models folded from commits, and the runner that keeps them."""
