import type { Page } from "playwright-core";

/**
 * Helpers for tests that copy. They don't read the clipboard: all pages of a Chromium share it, and another test
 * file may copy something at the same time.
 */

/** Records what the open page copies from now on. Each copy still needs a clipboard that accepts it. */
export async function recordCopies(page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`(() => {
    globalThis.copies = [];
    const { clipboard } = navigator;
    const [write, writeText] = [clipboard.write.bind(clipboard), clipboard.writeText.bind(clipboard)];
    clipboard.write = async (items) => {
      await write(items);
      copies.push(...items.flatMap(({ types }) => types));
    };
    clipboard.writeText = async (text) => {
      await writeText(text);
      copies.push(text);
    };
  })()`);
}

/** Returns the copied texts, and the types of the copied images. */
export function readCopies(page: Page): Promise<string[]> {
  return page.evaluate("copies");
}
