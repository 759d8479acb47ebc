"""The history checker: real processes under faults, everything recorded, the record checked."""
