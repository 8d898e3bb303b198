"use strict";
/* The map of a graph: colours, search, hover, zoom; a click opens the URL, the list or the community. */
(async () => {
  const box = document.getElementById("graph");
  if (!box) return;
  const response = await fetch(box.dataset.src);
  if (!response.ok) { box.textContent = "The graph could not be read: reload the page."; return; }
  const data = await response.json();
  const graph = new graphology.Graph(data.options);
  graph.import(data);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300;
  const style = getComputedStyle(document.body);
  const text = style.getPropertyValue("--text").trim(), faint = dark ? "#333333" : "#dddddd", other = "#8c8c8c";
  const COMMUNITIES = ["#0072b2", "#d55e00", "#1f9e73", "#b37a00", "#b05fae", "#cc6677", "#3aa0d8", "#7a8f2a", "#8a6a4f", "#5b6ee1", "#c2448f", "#4f9a9a"];
  const STATES = { fetched: "#1f9e73", error: "#d55e00", failed: "#cc3344", moved: "#0072b2", refused: "#b37a00", queued: "#b05fae", deleted: other };
  const DEPTHS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#dfc020"];
  const kinds = {
    community: each => [each.community, COMMUNITIES[each.community] ?? other, COMMUNITIES[each.community] ? data.attributes.communities[each.community] : "other communities"],
    state: each => [each.state, STATES[each.state] ?? other, each.state],
    depth: each => [each.depth, each.depth < 0 ? other : DEPTHS[Math.min(each.depth, DEPTHS.length - 1)], each.depth < 0 ? "depth unknown" : `depth ${Math.min(each.depth, DEPTHS.length - 1)}${each.depth >= DEPTHS.length - 1 ? " or more" : ""}`],
  };
  const weight = each => Math.sqrt(each.pages > 1 ? each.pages : each.in + 1);
  let most = 1;
  graph.forEachNode((key, each) => { most = Math.max(most, weight(each)); });
  graph.forEachNode((key, each) => {
    graph.mergeNodeAttributes(key, { size: 2.5 + 11 * weight(each) / most, name: each.title || each.label, words: `${each.label} ${each.title}`.toLowerCase() });
  });

  function paint(kind) {
    const legend = new Map();
    graph.updateEachNodeAttributes((key, each) => {
      const [order, color, label] = kinds[kind](each);
      const entry = legend.get(label) ?? { order, color, count: 0 };
      entry.count += 1;
      legend.set(label, entry);
      return { ...each, color };
    });
    const rows = [...legend].sort((a, b) => a[1].color === other ? 1 : b[1].color === other ? -1 : kind === "state" ? b[1].count - a[1].count : a[1].order - b[1].order);
    document.getElementById("graph-legend").replaceChildren(...rows.map(([label, entry]) => {
      const item = document.createElement("li"), mark = document.createElement("span");
      mark.className = "mark";
      mark.style.setProperty("background-color", entry.color);
      item.append(mark, `${label} (${entry.count.toLocaleString("en")})`);
      return item;
    }));
  }

  const chooser = document.getElementById("graph-colour");
  paint(chooser.value);
  let over = null, near = null, matches = null;
  const renderer = new Sigma(graph, box, {
    hideEdgesOnMove: graph.size > 2000, labelColor: { color: text }, labelDensity: 0.5, labelRenderedSizeThreshold: 7,
    labelFont: "system-ui, sans-serif", zIndex: true, defaultEdgeColor: faint, minCameraRatio: 0.02, maxCameraRatio: 3,
    nodeReducer: (key, each) => {
      const shown = { ...each, label: each.name.length > 60 ? `${each.name.slice(0, 59)}…` : each.name };
      if (matches?.has(key)) return { ...shown, forceLabel: matches.size < 30, zIndex: 2, size: each.size + 2 };
      if (matches) return { ...shown, label: "", color: faint, zIndex: 0 };
      return near?.has(key) ? { ...shown, size: each.size + 2, forceLabel: near.size < 30, zIndex: 1 } : { ...shown, zIndex: 0 };
    },
    edgeReducer: (key, each) => graph.extremities(key).includes(over) ? { ...each, color: text, size: 1.5, zIndex: 1 } : each,
    defaultDrawNodeHover: (context, node, settings) => {
      context.font = `${settings.labelSize}px ${settings.labelFont}`;
      const width = context.measureText(node.label ?? "").width;
      context.fillStyle = dark ? "#222222" : "#ffffff";
      context.fillRect(node.x + node.size, node.y - 11, width + 12, 22);
      context.fillStyle = text;
      context.fillText(node.label ?? "", node.x + node.size + 6, node.y + 5);
    },
  });

  function target(key) {
    const each = graph.getNodeAttributes(key);
    if (data.attributes.nodes_are !== "communities") return box.dataset.target + encodeURIComponent(each.label);
    return box.dataset.open + (data.attributes.open ? `${data.attributes.open}.` : "") + each.community;
  }
  const renew = (nodes, node) => renderer.refresh({ partialGraph: { nodes: [...nodes], edges: graph.edges(node) }, skipIndexation: true });
  const about = document.getElementById("graph-about"), rest = about.textContent;
  renderer.on("enterNode", ({ node }) => {
    const each = graph.getNodeAttributes(node);
    over = node;
    near = new Set([node, ...graph.neighbors(node)]);
    about.textContent = `${each.name} — ${each.label}: ${each.state}, depth ${each.depth}, ${each.in.toLocaleString("en")} in-links` + (each.pages > 1 ? `, ${each.pages.toLocaleString("en")} pages` : "");
    box.style.setProperty("cursor", "pointer");
    renew(near, node);
  });
  renderer.on("leaveNode", ({ node }) => {
    const left = near;
    over = near = null;
    about.textContent = rest;
    box.style.removeProperty("cursor");
    renew(left, node);
  });
  const camera = renderer.getCamera();
  let before = camera.getState();
  renderer.getMouseCaptor().on("mousedown", () => { before = camera.getState(); });
  renderer.on("clickNode", ({ node }) => {
    const now = camera.getState();
    if (now.x === before.x && now.y === before.y) location.href = target(node); // the end of a drag opens nothing
  });
  const step = (id, action) => document.getElementById(id).addEventListener("click", action);
  step("graph-in", () => camera.animatedZoom({ duration: still }));
  step("graph-out", () => camera.animatedUnzoom({ duration: still }));
  step("graph-all", () => camera.animatedReset({ duration: still }));
  chooser.addEventListener("change", () => {
    paint(chooser.value);
    renderer.refresh();
    const address = new URL(location.href);
    address.searchParams.set("colour", chooser.value);
    history.replaceState(null, "", address);
  });
  const finder = document.getElementById("graph-find"), hits = document.getElementById("graph-hits");
  finder.addEventListener("input", () => {
    const wanted = finder.value.trim().toLowerCase();
    matches = wanted ? new Set(graph.filterNodes((key, each) => each.words.includes(wanted))) : null;
    const first = matches ? [...matches].slice(0, 10) : [];
    hits.replaceChildren(...first.map(key => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = target(key);
      link.textContent = graph.getNodeAttribute(key, "name");
      item.append(link);
      return item;
    }));
    document.getElementById("graph-count").textContent = matches ? `${matches.size.toLocaleString("en")} found` : "";
    renderer.refresh({ skipIndexation: true });
  });
  finder.form.addEventListener("submit", event => {
    event.preventDefault();
    const [first] = matches ?? [];
    if (first) camera.animate({ ...renderer.getNodeDisplayData(first), ratio: 0.15 }, { duration: still });
  });
  box.dataset.drawn = graph.order;
})();
