/* Nodes and links of a map: drag, wheel, two fingers and buttons move it. On 2D canvases, because WebGL is slow where a
   processor does it; links are a layer of their own, which is moved as a picture until it is drawn anew. */

const LABELS = 40, LABEL_HEIGHT = 18; // labels at once, and pixels
const SETTLED = 150; // milliseconds without movement until links are drawn anew
const LEAST_ZOOM = 0.3, MOST_ZOOM = 60, PADDING = 30, CLICK = 4; // pixels

export class Chart {
  /* nodes: {x, y, size, colour, name}; links: pairs of nodes; style: text, faint, back; look(node): how it is shown now,
     {rank: 0, 1 or 2 from below, colour, grow: pixels, label: "", "maybe" or "always"}. */
  constructor(box, nodes, links, style, look) {
    Object.assign(this, { box, nodes, links, style, look, over: null, onhover: () => {}, onclick: () => {} });
    this.named = [...nodes].sort((one, other) => other.size - one.size);
    this.lines = box.appendChild(document.createElement("canvas"));
    this.dots = box.appendChild(document.createElement("canvas"));
    this.pointers = new Map();
    this.dragged = 0;
    this.restyle();
    new ResizeObserver(() => this.fit()).observe(box);
    box.addEventListener("wheel", event => {
      event.preventDefault();
      this.zoomAt(this.position(event), Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)));
    }, { passive: false });
    box.addEventListener("pointerdown", event => {
      box.setPointerCapture(event.pointerId);
      if (!this.pointers.size) this.dragged = 0;
      this.pointers.set(event.pointerId, this.position(event));
    });
    box.addEventListener("pointermove", event => this.pointed(event));
    box.addEventListener("pointerleave", () => this.hover(null));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, event => this.released(event));
  }

  // -- the camera: a node is at (x * scale + left, top - y * scale), in pixels --

  fit() {
    const { width, height } = this.box.getBoundingClientRect(), ratio = Math.min(devicePixelRatio, 2);
    for (const canvas of [this.lines, this.dots]) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const xs = this.nodes.map(node => node.x), ys = this.nodes.map(node => node.y);
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const across = (width - 2 * PADDING) / (east - west || 1), up = (height - 2 * PADDING) / (north - south || 1);
    const scale = Math.max(Math.min(across, up), 1e-9);
    Object.assign(this, { width, height, ratio, whole: this.centred((west + east) / 2, (south + north) / 2, scale, width, height) });
    this.go(this.whole);
    this.settle();
  }

  centred(x, y, scale, width = this.width, height = this.height) {
    return { scale, left: width / 2 - x * scale, top: height / 2 + y * scale };
  }

  go(camera) {
    this.camera = camera;
    for (const node of this.nodes) {
      node.across = node.x * camera.scale + camera.left;
      node.down = camera.top - node.y * camera.scale;
    }
    this.redraw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLED);
  }

  animate(end, milliseconds) {
    cancelAnimationFrame(this.animation);
    const begin = this.camera, begun = performance.now();
    const step = now => {
      const part = milliseconds ? Math.min((now - begun) / milliseconds, 1) : 1;
      const at = name => begin[name] + (end[name] - begin[name]) * part;
      this.go({ scale: at("scale"), left: at("left"), top: at("top") });
      if (part < 1) this.animation = requestAnimationFrame(step);
    };
    step(begun);
  }

  zoomed({ x, y }, factor) {
    const { scale, left, top } = this.camera;
    const next = Math.min(Math.max(scale * factor, this.whole.scale * LEAST_ZOOM), this.whole.scale * MOST_ZOOM);
    const real = next / scale;
    return { scale: next, left: x - (x - left) * real, top: y - (y - top) * real };
  }

  zoomAt(point, factor) { this.go(this.zoomed(point, factor)); }

  // -- pointers --

  position(event) {
    const { left, top } = this.box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  pointed(event) {
    const point = this.position(event), before = this.pointers.get(event.pointerId);
    if (!before) { this.hover(this.nearest(point)); return; }
    const [from, width] = middle(this.pointers);
    this.dragged += Math.hypot(point.x - before.x, point.y - before.y);
    this.pointers.set(event.pointerId, point);
    const [to, wider] = middle(this.pointers);
    const camera = this.zoomed(from, width ? wider / width : 1);
    if (this.dragged > CLICK) this.go({ ...camera, left: camera.left + to.x - from.x, top: camera.top + to.y - from.y });
  }

  released(event) {
    const point = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    const node = point && event.type === "pointerup" && this.dragged <= CLICK ? this.nearest(point) : null;
    if (node) this.onclick(node);
  }

  nearest({ x, y }) {
    let best = null, least = Infinity;
    for (const node of this.nodes) {
      const distance = Math.hypot(node.across - x, node.down - y) - node.radius;
      if (distance < least) [best, least] = [node, distance];
    }
    return least < 3 ? best : null;
  }

  hover(node) {
    if (node === this.over) return;
    this.over = node;
    this.onhover(node);
    this.restyle();
  }

  // -- drawing --

  /* To be called when `look` has another answer. */
  restyle() {
    for (const node of this.nodes) node.shown = this.look(node);
    const order = node => `${node.shown.rank}${node.shown.colour}`;
    this.ordered = [...this.nodes].sort((one, other) => order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : 0);
    this.redraw();
  }

  redraw() {
    if (!this.camera) return; // before its size is known
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const zoom = Math.sqrt(this.camera.scale / this.whole.scale), context = cleared(this.dots, this.ratio);
    if (this.over) stroke(context, this.links.filter(link => link.includes(this.over)), this.style.text, 1.5);
    let colour = "";
    for (const node of this.ordered) {
      const { across, down, shown } = node, radius = node.radius = (node.size + shown.grow) * zoom;
      if (!this.visible(node)) continue;
      if (shown.colour !== colour) {
        if (colour) context.fill();
        context.fillStyle = colour = shown.colour;
        context.beginPath();
      }
      context.moveTo(across + radius, down);
      context.arc(across, down, radius, 0, 2 * Math.PI);
    }
    if (colour) context.fill();
    if (this.drawn === this.camera) this.drawLabels(context);
    this.lines.style.setProperty("transform", moved(this.drawn ?? this.camera, this.camera));
  }

  drawLabels(context) {
    const boxes = [], shown = this.named.filter(node => node.shown.label && this.visible(node));
    const always = new Set(shown.filter(node => node.shown.label === "always" || node === this.over));
    Object.assign(context, { font: "14px system-ui, sans-serif", textBaseline: "middle", lineWidth: 3, lineJoin: "round", strokeStyle: this.style.back, fillStyle: this.style.text });
    for (const node of new Set([...always, ...shown])) {
      if (boxes.length === LABELS) break;
      const x = node.across + node.radius + 4, y = node.down, width = context.measureText(node.name).width;
      const covers = box => Math.abs(box.y - y) < LABEL_HEIGHT && box.x < x + width && x < box.x + box.width;
      if (!always.has(node) && boxes.some(covers)) continue;
      boxes.push({ x, y, width });
      context.strokeText(node.name, x, y);
      context.fillText(node.name, x, y);
    }
  }

  visible({ across, down, radius }) {
    return across > -radius && across < this.width + radius && down > -radius && down < this.height + radius;
  }

  /* Links and labels are drawn when nothing moves. */
  settle() {
    this.drawn = this.camera;
    stroke(cleared(this.lines, this.ratio), this.links, this.style.faint, 1);
    this.redraw();
  }
}

function cleared(canvas, ratio) {
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  return context;
}

function stroke(context, links, colour, width) {
  Object.assign(context, { strokeStyle: colour, lineWidth: width });
  context.beginPath();
  for (const [one, other] of links) {
    context.moveTo(one.across, one.down);
    context.lineTo(other.across, other.down);
  }
  context.stroke();
}

/* The transformation of a picture that was drawn for one camera, as another one sees it. */
function moved(drawn, { scale, left, top }) {
  const factor = scale / drawn.scale;
  return `translate(${left - drawn.left * factor}px, ${top - drawn.top * factor}px) scale(${factor})`;
}

/* The middle of the pointers, and how far apart they are. */
function middle(pointers) {
  const [one, other] = [...pointers.values()];
  if (!other) return [one, 0];
  return [{ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }, Math.hypot(one.x - other.x, one.y - other.y)];
}
