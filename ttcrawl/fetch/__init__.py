"""The fetch pool: each Request becomes exactly one Fetched or Failed. No retry, redirect, politeness or parsing."""
