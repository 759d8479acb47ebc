"""Any match, step by step: load, look through anyone's eyes, verify, export."""
