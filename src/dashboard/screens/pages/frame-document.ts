import type { Preview } from "./preview-page.ts";

/**
 * Renders pages into the document of a preview frame. The elements come from the server's HTML, the styles
 * from a constructed style sheet.
 */

/** Path of an empty document on the dashboard's host, with the content security policy of public pages. */
export const FRAME_PATH = "/static/preview";

/** Colour scheme that a preview is forced into, instead of the system's preference. */
export type Scheme = "light" | "dark";

/**
 * Shows a page in a frame's document. Only differences are changed, so that images don't reload and the
 * scroll position is kept. The frame's content security policy blocks `<style>` elements but not constructed
 * style sheets. Only scripts can create these, so the page's content can't.
 */
export function showPreview(frame: Document, { html, css }: Preview, scheme: Scheme | null): void {
  if (isRemoved(frame)) return;
  // The `<style>` element is removed before parsing, because the dashboard's policy would report it.
  const parsed = new DOMParser().parseFromString(html.replace(`<style>${css}</style>`, ""), "text/html");
  morphElement(frame.documentElement, parsed.documentElement);
  frame.adoptedStyleSheets = [buildSheet(frame, css, scheme)];
}

/** Outlines the link that is being edited. Null removes the outline. */
export function markLink(frame: Document, index: number | null): void {
  const [page] = frame.adoptedStyleSheets;
  if (page === undefined || isRemoved(frame)) return;
  const sheet = createSheet(frame);
  if (index !== null)
    sheet.replaceSync(`a[href$="/l/${index}"] { outline: 3px dashed currentColor; outline-offset: 3px }`);
  frame.adoptedStyleSheets = [page, sheet];
}

/** Returns true for the document of a frame that was removed or reloaded, for example when the page is left. */
function isRemoved({ defaultView }: Document): boolean {
  return defaultView === null;
}

function createSheet(frame: Document): CSSStyleSheet {
  // A document only adopts style sheets that were created in its own window.
  const view = frame.defaultView as unknown as Window & { CSSStyleSheet: typeof CSSStyleSheet };
  return new view.CSSStyleSheet();
}

/** Creates the style sheet of a page. A scheme replaces its `prefers-color-scheme` media queries. */
function buildSheet(frame: Document, css: string, scheme: Scheme | null): CSSStyleSheet {
  const sheet = createSheet(frame);
  sheet.replaceSync(css);
  if (scheme === null) return sheet;
  for (const rule of sheet.cssRules) {
    if ("media" in rule) {
      const { media } = rule as CSSMediaRule;
      const [, wanted] = /^\(prefers-color-scheme: (light|dark)\)$/.exec(media.mediaText) ?? [];
      if (wanted !== undefined) media.mediaText = wanted === scheme ? "all" : "not all";
    } else if ("style" in rule) {
      const { style } = rule as CSSStyleRule;
      if (style.colorScheme === "light dark" || style.colorScheme === "dark light")
        style.colorScheme = scheme;
    }
  }
  return sheet;
}

/** Makes an element equal to another element with the same tag name, changing as little as possible. */
function morphElement(current: Element, next: Element): void {
  for (const { name } of [...current.attributes]) if (!next.hasAttribute(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  const after = [...next.childNodes];
  for (const [index, node] of after.entries()) {
    const present = current.childNodes[index];
    if (present === undefined) current.append(current.ownerDocument.importNode(node, true));
    else morphNode(present, node);
  }
  while (current.childNodes.length > after.length) current.lastChild?.remove();
}

function morphNode(present: ChildNode, node: ChildNode): void {
  if (isElement(present) && isElement(node) && present.nodeName === node.nodeName)
    morphElement(present, node);
  else if (present.nodeType === node.nodeType && !isElement(node)) {
    if (present.nodeValue !== node.nodeValue) present.nodeValue = node.nodeValue;
  } else present.replaceWith((present.ownerDocument as Document).importNode(node, true));
}

/** `instanceof` doesn't work here, because nodes in a frame have the classes of another window. */
function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === 1;
}

/** Shows a single image that fills the frame. */
export function showPicture(frame: Document, address: string): void {
  if (isRemoved(frame)) return;
  const picture = frame.createElement("img");
  picture.alt = "";
  picture.referrerPolicy = "no-referrer";
  picture.src = address;
  frame.body.replaceChildren(picture);
  const sheet = createSheet(frame);
  sheet.replaceSync("body { margin: 0 } img { width: 100vw; height: 100vh; object-fit: cover }");
  frame.adoptedStyleSheets = [sheet];
}
