// Table of contents of the reference page: a filter, and a highlight on the section in view.

/** Time without scrolling after which the page counts as idle. */
const REST_MS = 150;
/**
 * Height of the reading line, as a fraction of the window's height. The section on this line is highlighted.
 */
const READING_LINE = 0.25;
/** Maximum number of matching names that the filter shows below an entry. */
const MAX_SHOWN_NAMES = 3;

const contents = document.querySelector("nav");
const filterField = document.getElementById("filter");
const filterBar = filterField.parentElement;

/** Links of the table of contents in page order, each with its section. */
const entries = [...contents.querySelectorAll("a")].map((link) => ({
  link,
  item: link.parentElement,
  section: document.getElementById(link.hash.slice(1)),
}));

/**
 * Returns the searchable texts of an entry: its text in lower case, and `names` of fields, values and error
 * codes.
 */
function indexEntry({ link, section }) {
  if (section.matches(".guide")) return { text: section.textContent.toLowerCase(), names: [] };
  const texts = [link, ...section.querySelectorAll(".about > p")];
  const names = new Set();
  for (const { textContent } of section.querySelectorAll(".name, .codes, .status")) {
    for (const name of textContent.split(", ")) names.add(name);
  }
  for (const { textContent } of section.querySelectorAll(".type")) {
    for (const [, value] of textContent.matchAll(/"([^"]+)"/g)) names.add(value);
  }
  return { text: texts.map(({ textContent }) => textContent.toLowerCase()).join(" "), names: [...names] };
}

/**
 * Returns the names that match the filter, or an empty array if the entry's text contains every word. Returns
 * null if nothing matches.
 */
function matchEntry({ text, names }, words) {
  if (words.every((word) => text.includes(word))) return [];
  const found = names.filter((name) => name.toLowerCase().includes(words.join("_")));
  return found.length === 0 ? null : found;
}

/** Shows the names that matched the filter below an entry. */
function showNames(link, names) {
  link.querySelector("small")?.remove();
  if (names.length === 0) return;
  const note = document.createElement("small");
  const others = names.length > MAX_SHOWN_NAMES ? ", …" : "";
  note.textContent = names.slice(0, MAX_SHOWN_NAMES).join(", ") + others;
  link.append(note);
}

/** Hides empty lists and their headings. */
function hideEmptyLists() {
  for (const list of contents.querySelectorAll("ul")) {
    list.hidden = [...list.children].every((item) => item.hidden);
    list.previousElementSibling.hidden = list.hidden;
  }
}

function filterContents() {
  const query = filterField.value.trim();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const entry of entries) {
    showNames(entry.link, []);
    entry.index ??= indexEntry(entry);
    const names = matchEntry(entry.index, words);
    entry.item.hidden = names === null;
    if (names === null) continue;
    count += 1;
    showNames(entry.link, names);
  }
  hideEmptyLists();
  contents.scrollTop = 0;
  const result = count === 0 ? `Nothing found for “${query}”.` : `${count} found`;
  document.getElementById("filter-result").textContent = query === "" ? "" : result;
}

function clearFilterOnEscape(event) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  if (filterField.value === "") return filterField.blur();
  filterField.value = "";
  filterContents();
}

function focusFilterOnSlash(event) {
  const isTyping = event.target.matches("textarea, input:not([type=radio])");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  filterField.focus();
  filterField.select();
}

/**
 * Returns the entry of the section on the reading line. At the end of the page, sections may be too short to
 * reach that line, so this prefers the section in the URL, then the last section.
 */
function findReadEntry() {
  const isAbove = (height) => (entry) => entry.section.getBoundingClientRect().top <= height;
  const { scrollHeight } = document.documentElement;
  if (Math.ceil(scrollY + innerHeight) < scrollHeight)
    return entries.findLast(isAbove(innerHeight * READING_LINE));
  const linked = entries.findLast(({ link }) => link.hash === location.hash);
  const isInView = linked !== undefined && linked.section.getBoundingClientRect().bottom > 0;
  return isInView ? linked : entries.at(-1);
}

/** Scrolls the table of contents (never the page) to the highlighted entry, if it's out of view. */
function followMark(link) {
  const box = contents.getBoundingClientRect();
  const isVisible = box.bottom > 0 && box.top < innerHeight;
  if (!isVisible || link.offsetParent === null) return;
  const { top, bottom, height } = link.getBoundingClientRect();
  if (top >= filterBar.getBoundingClientRect().bottom && bottom <= box.bottom) return;
  contents.scrollTop += top - box.top - (box.height - height) / 2;
}

function markReadSections() {
  let marked;
  let followed;
  let restTimer;
  let isDrawing = false;
  const mark = () => {
    isDrawing = false;
    const entry = findReadEntry();
    if (entry === marked) return;
    marked?.link.removeAttribute("aria-current");
    entry?.link.setAttribute("aria-current", "location");
    marked = entry;
  };
  const follow = () => {
    if (marked !== followed && marked !== undefined) followMark(marked.link);
    followed = marked;
  };
  // Scrolling the table of contents restarts the timer too, so that the user's scrolling isn't interrupted.
  const onScroll = () => {
    clearTimeout(restTimer);
    restTimer = setTimeout(follow, REST_MS);
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(mark);
  };
  for (const type of ["scroll", "resize"]) addEventListener(type, onScroll, { passive: true });
  contents.addEventListener("scroll", onScroll, { passive: true });
  onScroll();
}

filterField.addEventListener("input", filterContents);
filterField.addEventListener("keydown", clearFilterOnEscape);
document.addEventListener("keydown", focusFilterOnSlash);
markReadSections();
