"""Our scripts in the world of the page, before its own: what a window is without a person, and which timers are due."""

from __future__ import annotations

#: Milliseconds of the longest timer that is remembered, and how deep timers may set timers: deeper ones are clocks.
LONGEST, DEEPEST = 60_000, 5

#: Where the timers of a window are: a name that no page has by chance.
_TIMERS = 'Symbol.for("ttcrawl.timers")'

#: No page closes its window: it would lose its document. There is no service worker, as on plain HTTP: registration
#: would be refused. Timers are remembered until they are over, those of frames without a URL in the window above.
WINDOW = (
    r"""(() => {
  const stay = function close() {};
  Object.defineProperty(window, "close", { get: () => stay, set() {}, enumerable: true });
  delete Navigator.prototype.serviceWorker;
  const name = """
    + _TIMERS
    + r""";
  let due = new Map(), level = 0;
  try {
    if (top !== window) due = top[name] || due;
  } catch {} // a frame of another origin
  Object.defineProperty(window, name, { value: due });
  const known = new Map(); // the number of a timer -> its key
  const forget = (id) => { due.delete(known.get(id)); known.delete(id); };
  window.setTimeout = new Proxy(window.setTimeout, {
    apply(set, self, [handler, delay, ...values]) {
      const after = delay === undefined ? 0 : typeof delay === "number" || typeof delay === "string" ? +delay : NaN;
      if (typeof handler !== "function" || !(after <= """
    + f"{LONGEST}) || level >= {DEEPEST}"
    + r""")
        return Reflect.apply(set, self, [handler, delay, ...values]);
      const deeper = level + 1, key = {};
      const id = Reflect.apply(set, self, [function (...given) {
        const before = level;
        forget(id);
        level = deeper;
        try { return handler.apply(this, given); } finally { level = before; }
      }, delay, ...values]);
      known.set(id, key);
      due.set(key, performance.timeOrigin + performance.now() + Math.max(after, 0));
      return id;
    },
  });
  // what the cache mode of a request makes of it (Fetch, 4.6) is not shown to who answers it
  const MODES = /^(no-store|reload|no-cache)$/;
  window.fetch = new Proxy(window.fetch, {
    apply(fetch, self, [input, init, ...values]) {
      try {
        const request = input instanceof Request ? input : null;
        if (MODES.test((init && init.cache) || (request && request.cache))) {
          const headers = new Headers((init && init.headers) || (request && request.headers) || undefined);
          headers.set("Cache-Control", "no-cache");
          init = Object.create(init || null, { headers: { value: headers } });
        }
      } catch {} // fetch says what is wrong with it
      return Reflect.apply(fetch, self, [input, init, ...values]);
    },
  });
  for (const clear of ["clearTimeout", "clearInterval"])
    window[clear] = new Proxy(window[clear], {
      apply(end, self, values) { forget(values[0]); return Reflect.apply(end, self, values); },
    });
})()"""
)

#: The seconds until the last timer or animation that ends within %s seconds; 0: none does. An expression in the world
#: of the page.
DUE = (
    r"""(() => {
  const now = performance.timeOrigin + performance.now(), timers = window["""
    + _TIMERS
    + r"""] || new Map();
  const moving = document.getAnimations().map((each) => each.effect && each.playState === "running" ?
    each.effect.getComputedTiming().endTime - each.currentTime : Infinity);
  const left = [...[...timers.values()].map((due) => due - now), ...moving].map((each) => each / 1000);
  return Math.max(0, ...left.filter((each) => each <= %s));
})()"""
)
