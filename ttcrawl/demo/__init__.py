"""The bundled demo campus site: a generator whose figures are known, and a server for it."""
