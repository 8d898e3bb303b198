// Searches an index of ttcrawl without a server: words (all must be there), prefix*, -word.
// What pages contain is only ever text: nothing here makes markup of it.
"use strict";
const ttcrawlSearch = (() => {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const waiting = {}, loaded = {};
  const add = (name, value) => waiting[name](value);
  const load = name => loaded[name] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting[name] = resolve;
    script.src = `${base}${name}.js`;
    script.onerror = () => { delete loaded[name]; reject(new Error(`${name}.js cannot be loaded`)); };
    document.head.append(script);
  });

  const LETTERS = Object.fromEntries([..."øđðħıłŧёأإآٱىةکی"].map((each, n) => [each, [..."oddhiltеاااايهكي"][n]]));
  const fold = text => text.normalize("NFKC").toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ")
    .replace(/æ/g, "ae").replace(/œ/g, "oe").replace(/þ/g, "th").replace(/./gsu, each => LETTERS[each] ?? each)
    .replace(/[\p{Script=Latin}\p{Script=Greek}]/gu, each => each.normalize("NFD")[0])
    .replace(/[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u064b-\u065f\u200b-\u200f\u2060-\u206f]/g, "");
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
  const pairs = run => [...run].length < 2 ? `${run}*` : [...run].slice(1).map((each, n) => [...run][n] + each).join(" ");
  const parse = text => (text.match(/\S+/g) ?? []).slice(0, 100).flatMap(part => {
    const not = /^-[\p{L}\p{N}]/u.test(part), spaced = fold(part).replace(UNSPACED, run => ` ${pairs(run)} `);
    return (spaced.match(/[\p{L}\p{N}\p{M}]+\*?/gu) ?? []).map(word => ({word, not}));
  });

  const upTo = (a, b) => {  // in order of code points, as the files are; JavaScript compares by 16 bits
    const one = [...a], other = [...b], n = one.findIndex((each, at) => each !== other[at]);
    return n < 0 || (n < other.length && one[n].codePointAt(0) < other[n].codePointAt(0));
  };
  const fileOf = (firsts, word) => {
    let low = 0, high = firsts.length;
    while (low < high) { const middle = low + high >> 1; if (upTo(firsts[middle], word)) low = middle + 1; else high = middle; }
    return Math.max(0, low - 1);
  };
  async function entries(index, word) {  // [word, [pages, impacts, same stem]] of a word, or of those that begin so
    if (!index.firsts.length) return [];
    if (!word.endsWith("*")) {
      const file = await load(`w${fileOf(index.firsts, word)}`);
      return Object.hasOwn(file, word) ? [[word, file[word]]] : [];
    }
    const start = word.slice(0, -1), found = [];
    for (let n = fileOf(index.firsts, start); n < index.firsts.length && found.length < 200; n++) {
      if (!upTo(index.firsts[n], start) && !index.firsts[n].startsWith(start)) break;
      found.push(...Object.entries(await load(`w${n}`)).filter(([each]) => each.startsWith(start)));
    }
    return found;
  }
  function scores(index, lists) {  // page -> score, of pages that any of these words has
    const sum = new Map();
    for (const [, [pages, impacts]] of lists) {
      const count = pages.length, idf = Math.max(1e-6, Math.log((index.pages - count + .5) / (count + .5)));
      let page = 0;
      pages.forEach((step, n) => { page += step; sum.set(page, (sum.get(page) ?? 0) + idf * impacts[n] / index.scale); });
    }
    return sum;
  }
  function all(index, groups, excluded) {  // pages that have a word of each group, best first
    const [first, ...others] = groups.map(lists => scores(index, lists));
    if (!first) return [];
    const pages = [...first].filter(([page]) => others.every(each => each.has(page)) && !excluded.has(page));
    const scored = pages.map(([page, score]) => [page, others.reduce((sum, each) => sum + each.get(page), score)]);
    return scored.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([page]) => page);
  }
  async function find(text) {  // {pages: their numbers, best first, words: those to mark}
    const index = await load("index"), terms = parse(text);
    const lists = await Promise.all(terms.map(({word}) => entries(index, word)));
    const wanted = lists.filter((_, n) => !terms[n].not), excluded = new Set();
    lists.filter((_, n) => terms[n].not).forEach(each => scores(index, each).forEach((_, page) => excluded.add(page)));
    const wider = await Promise.all(wanted.map(async each => each.length !== 1 ? each :
      [...each, ...(await Promise.all((each[0][1][2] ?? []).slice(0, 50).map(word => entries(index, word)))).flat()]));
    const seen = new Set();
    const pages = [...all(index, wanted, excluded), ...all(index, wider, excluded)].filter(page => {
      const original = index.copies[page] ?? page;  // of copies the best stands for all
      return !seen.has(original) && seen.add(original);
    });
    return {pages, words: new Set(wider.flat().map(([word]) => word))};
  }
  async function page(number) {
    const {perFile} = await load("index");
    const [url, title, text] = (await load(`p${Math.floor(number / perFile)}`))[number % perFile];
    return {url, title: title || url, text};
  }
  function snippet(text, words, most = 30) {  // nodes: the part of a text with most of the words, which are marked
    const parts = text.split(/([\p{L}\p{N}\p{M}]+)/u), hits = parts.map((part, n) => n % 2 && words.has(fold(part)));
    let best = 0, bestCount = 0;
    hits.forEach((hit, n) => {
      const count = hit ? new Set(parts.slice(n, n + 2 * most).filter((_, at) => hits[n + at]).map(fold)).size : 0;
      if (count > bestCount) [best, bestCount] = [n, count];
    });
    const from = Math.max(0, best - 20), shown = parts.slice(from, from + 2 * most);
    const nodes = shown.map((part, n) => hits[from + n] ? Object.assign(document.createElement("mark"), {textContent: part}) : part);
    return [from ? "… " : "", ...nodes, from + 2 * most < parts.length ? " …" : ""];
  }

  const element = (name, ...content) => { const made = document.createElement(name); made.append(...content); return made; };
  const form = document.getElementById("ttcrawl-search"), status = document.getElementById("ttcrawl-status");
  const list = document.getElementById("ttcrawl-results"), more = document.getElementById("ttcrawl-more");
  let latest = 0;
  async function show(text) {
    const mine = ++latest;
    const {pages, words} = await find(text);
    if (mine !== latest) return;
    list.replaceChildren();
    status.textContent = text.trim() ? `${pages.length} ${pages.length === 1 ? "page" : "pages"}` : "";
    more.onclick = async () => {
      for (const each of await Promise.all(pages.splice(0, 10).map(page))) {
        const link = element("a", each.title);
        if (/^(https?|ftp):/.test(each.url)) link.href = each.url;
        if (mine === latest) list.append(element("li", link, element("span", each.url), element("p", ...snippet(each.text, words))));
      }
      more.hidden = !pages.length;
    };
    await more.onclick();
  }
  const failed = error => { status.textContent = `The search failed: ${error.message}`; };
  if (form) {
    form.addEventListener("submit", event => {
      event.preventDefault();
      const text = form.elements.q.value;
      try { history.replaceState(null, "", `?q=${encodeURIComponent(text)}`); } catch { /* a page of the disk */ }
      show(text).catch(failed);
    });
    const text = new URLSearchParams(location.search).get("q") ?? "";
    form.elements.q.value = text;
    if (text) setTimeout(() => show(text).catch(failed));
  }
  return {add, find, page};
})();
