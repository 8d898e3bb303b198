"""The bundled demo campus site: a generator whose every number is known, and a server for it."""
