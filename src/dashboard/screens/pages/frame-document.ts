import type { Preview } from "./preview-page.ts";

/** Document in the frame of a preview. Its elements come from the HTML of the service, its style from a style sheet object. */

/** Path of the empty document on the app host. Its policy is that of public pages. */
export const FRAME_PATH = "/static/preview";

/** Look that a preview is forced into, instead of the one that the system prefers. */
export type Scheme = "light" | "dark";

/**
 * Shows a page in the document of a frame. Only what differs is touched, so that pictures stay and the place is kept.
 * Policies block style elements here, but not style sheet objects, which no text of the page can make.
 */
export function showPreview(frame: Document, { html, css }: Preview, scheme: Scheme | null): void {
  // The element is never parsed, because the policy of this page would report it.
  const parsed = new DOMParser().parseFromString(html.replace(`<style>${css}</style>`, ""), "text/html");
  morphElement(frame.documentElement, parsed.documentElement);
  frame.adoptedStyleSheets = [buildSheet(frame, css, scheme)];
}

/** Marks the link that is being edited, and brings it into sight. */
export function markLink(frame: Document, index: number | null): void {
  const [page] = frame.adoptedStyleSheets;
  if (page === undefined) return;
  const sheet = createSheet(frame);
  if (index !== null)
    sheet.replaceSync(`a[href$="/l/${index}"] { outline: 3px dashed currentColor; outline-offset: 3px }`);
  frame.adoptedStyleSheets = [page, sheet];
}

/** Brings the link of a block into sight. */
export function revealLink(frame: Document, index: number): void {
  frame.querySelector(`a[href$="/l/${index}"]`)?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

function createSheet(frame: Document): CSSStyleSheet {
  // A document adopts only sheets that were made in its own window.
  const view = frame.defaultView as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
  return new (view?.CSSStyleSheet ?? CSSStyleSheet)();
}

/** Builds the style sheet of a page, in the scheme that is forced. */
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

/** Makes an element equal to another one of the same name. */
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

/** Nodes of a frame have classes of their own, so that `instanceof` does not know them. */
function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === 1;
}

/** Shows one picture that fills the frame. */
export function showPicture(frame: Document, address: string): void {
  const picture = frame.createElement("img");
  picture.alt = "";
  picture.referrerPolicy = "no-referrer";
  picture.src = address;
  frame.body.replaceChildren(picture);
  const sheet = createSheet(frame);
  sheet.replaceSync("body { margin: 0 } img { width: 100vw; height: 100vh; object-fit: cover }");
  frame.adoptedStyleSheets = [sheet];
}
