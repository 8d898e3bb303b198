"""The fetch pool: a Request becomes exactly one Fetched or Failed. No retry, no redirect, no politeness, no parsing."""
