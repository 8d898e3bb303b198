/* The map of a graph: colours, search, hover; a click opens the URL, the list or the community. */
import { Chart } from "./chart.js";

const COMMUNITIES = ["#0072b2", "#d55e00", "#1f9e73", "#b37a00", "#b05fae", "#cc6677", "#3aa0d8", "#7a8f2a", "#8a6a4f", "#5b6ee1", "#c2448f", "#4f9a9a"];
const OTHER = "#8c8c8c";
const STATES = { fetched: "#1f9e73", error: "#d55e00", failed: "#cc3344", moved: "#0072b2", refused: "#b37a00", queued: "#b05fae", deleted: OTHER };
const DEPTHS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#dfc020"];
const FEW = 30; // nodes whose labels are all shown
const element = id => document.getElementById(id);

/* Of a node: the order of its entry in the legend, its colour, and the entry. */
const kinds = names => ({
  community: ({ community }) => [community, COMMUNITIES[community] ?? OTHER, COMMUNITIES[community] ? names[community] : "other communities"],
  state: ({ state }) => [state, STATES[state] ?? OTHER, state],
  depth: ({ depth }) => {
    const last = DEPTHS.length - 1;
    return depth < 0 ? [last + 1, OTHER, "depth unknown"] : [depth, DEPTHS[Math.min(depth, last)], depth < last ? `depth ${depth}` : `depth ${last} or more`];
  },
});

function paint(nodes, kind, byCount) {
  const legend = new Map();
  for (const node of nodes) {
    const [order, colour, label] = kind(node);
    node.colour = colour;
    if (!legend.has(label)) legend.set(label, { order, colour, count: 0 });
    legend.get(label).count += 1;
  }
  const rows = [...legend].sort(([, one], [, other]) => (one.colour === OTHER) - (other.colour === OTHER) || (byCount ? other.count - one.count : one.order - other.order));
  element("graph-legend").replaceChildren(...rows.map(([label, entry]) => {
    const item = document.createElement("li"), mark = document.createElement("span");
    mark.className = "mark";
    mark.style.setProperty("background-color", entry.colour);
    item.append(mark, `${label} (${entry.count.toLocaleString("en")})`);
    return item;
  }));
}

function start(box, data) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300;
  const colours = getComputedStyle(document.body), colour = name => colours.getPropertyValue(name).trim();
  const style = { text: colour("--text"), back: colour("--back"), faint: dark ? "#333333" : "#dddddd" };
  const nodes = data.nodes.map(({ attributes }) => ({ ...attributes })), byKey = new Map(data.nodes.map(({ key }, number) => [key, nodes[number]]));
  const links = data.edges.map(({ source, target }) => [byKey.get(source), byKey.get(target)]);
  const weight = each => Math.sqrt(each.pages > 1 ? each.pages : each.in + 1);
  const most = nodes.reduce((heaviest, each) => Math.max(heaviest, weight(each)), 1);
  for (const node of nodes) {
    const name = node.title || node.label;
    Object.assign(node, { size: 2.5 + 11 * weight(node) / most, name: name.length > 60 ? `${name.slice(0, 59)}…` : name, words: `${node.label} ${node.title}`.toLowerCase() });
  }
  let near = null, matches = null;
  const chart = new Chart(box, nodes, links, style, node => {
    if (matches?.has(node)) return { rank: 2, colour: node.colour, grow: 2, label: matches.size < FEW ? "always" : "maybe" };
    if (matches) return { rank: 0, colour: style.faint, grow: 0, label: "" };
    if (near?.has(node)) return { rank: 1, colour: node.colour, grow: 2, label: near.size < FEW ? "always" : "maybe" };
    return { rank: 0, colour: node.colour, grow: 0, label: "maybe" };
  });
  const target = node => {
    if (data.attributes.nodes_are !== "communities") return box.dataset.target + encodeURIComponent(node.label);
    return box.dataset.open + (data.attributes.open ? `${data.attributes.open}.` : "") + node.community;
  };
  const about = element("graph-about"), rest = about.textContent;
  chart.onhover = node => {
    near = node && new Set(links.filter(link => link.includes(node)).flat()).add(node);
    about.textContent = node ? `${node.title || node.label} — ${node.label}: ${node.state}, depth ${node.depth}, ${node.in.toLocaleString("en")} in-links` + (node.pages > 1 ? `, ${node.pages.toLocaleString("en")} pages` : "") : rest;
    box.style.setProperty("cursor", node ? "pointer" : "");
  };
  chart.onclick = node => { location.href = target(node); };
  const middle = () => ({ x: chart.width / 2, y: chart.height / 2 });
  const buttons = { "graph-in": () => chart.zoomed(middle(), 1.5), "graph-out": () => chart.zoomed(middle(), 1 / 1.5), "graph-all": () => chart.whole };
  for (const [id, camera] of Object.entries(buttons)) element(id).addEventListener("click", () => chart.animate(camera(), still));

  const chooser = element("graph-colour");
  const repaint = () => {
    paint(nodes, kinds(data.attributes.communities)[chooser.value], chooser.value === "state");
    chart.restyle();
  };
  chooser.addEventListener("change", () => {
    repaint();
    const address = new URL(location.href);
    address.searchParams.set("colour", chooser.value);
    history.replaceState(null, "", address);
  });
  const finder = element("graph-find");
  finder.addEventListener("input", () => {
    const wanted = finder.value.trim().toLowerCase();
    matches = wanted ? new Set(nodes.filter(node => node.words.includes(wanted))) : null;
    element("graph-hits").replaceChildren(...[...matches ?? []].slice(0, 10).map(node => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = target(node);
      link.textContent = node.title || node.label;
      item.append(link);
      return item;
    }));
    element("graph-count").textContent = matches ? `${matches.size.toLocaleString("en")} found` : "";
    chart.restyle();
  });
  finder.form.addEventListener("submit", event => {
    event.preventDefault();
    const [first] = matches ?? [];
    if (first) chart.animate(chart.centred(first.x, first.y, chart.whole.scale * 6), still);
  });
  repaint();
  box.dataset.drawn = nodes.length;
}

const box = element("graph");
if (box) {
  const response = await fetch(box.dataset.src);
  if (response.ok) start(box, await response.json());
  else box.textContent = "The graph could not be read: reload the page.";
}
