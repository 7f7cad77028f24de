import { computed, signal } from "@preact/signals";
import { changeQuery, type QueryChanges } from "./query-state.ts";

/** Exposes the page's URL as signals, and functions that change it. */

interface Address {
  path: string;
  query: string;
}

function readLocation(): Address {
  return { path: location.pathname, query: location.search.slice(1) };
}

const address = signal(readLocation());

/** Path of the URL. */
export const path = computed(() => address.value.path);
/** Query of the URL, without `?`. */
export const query = computed(() => address.value.query);

/** Number of times that the path has changed. 0 on the first screen. */
export const navigations = signal(0);

function show(next: Address): void {
  if (next.path !== address.peek().path) navigations.value += 1;
  address.value = next;
}

/** Navigates to another URL of the dashboard. */
export function navigate(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  show(readLocation());
}

/** Changes query parameters. By default replaces the history entry, so "back" skips the previous values. */
export function setQuery(changes: QueryChanges, { push = false } = {}): void {
  const next = changeQuery(query.peek(), changes);
  if (next === query.peek()) return;
  navigate(`${path.peek()}${next === "" ? "" : `?${next}`}`, { replace: !push });
}

/** Follows the browser history and handles clicks on links to screens. Call it once. */
export function startNavigation(): void {
  addEventListener("popstate", () => show(readLocation()));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || !isPlainClick(event) || !isScreen(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** Returns false for clicks that open a new tab or window. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** Returns true if a link goes to a screen, and not to a file, the API, a sign-in page or another site. */
function isScreen({ href, target, download, origin, pathname }: HTMLAnchorElement): boolean {
  const isOther = /^\/(?:v1|static|docs|sign-in|sign-out)(?:\/|$)/.test(pathname);
  return href !== "" && target === "" && download === "" && origin === location.origin && !isOther;
}
