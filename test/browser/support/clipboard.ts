import type { Page } from "playwright-core";

/** Lets the open page use the clipboard, which all pages of a Chromium share. */
export async function allowClipboard(page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
}

/** Returns the text in the clipboard, or an empty one. */
export function readCopiedText(page: Page): Promise<string> {
  return page.evaluate("navigator.clipboard.readText()");
}

/** Returns the media types of what is in the clipboard. */
export function readCopiedTypes(page: Page): Promise<string[]> {
  return page.evaluate("navigator.clipboard.read().then((items) => items.flatMap(({ types }) => types))");
}
