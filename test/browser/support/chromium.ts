import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll } from "vitest";
import { launchChromium } from "../../support/chromium.ts";

/** Opens pages for a file, which are closed after its tests. */
export interface FileChromium {
  /** Opens a page in a context of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Closes the pages that are open, and their contexts. */
  close(): Promise<void>;
}

/**
 * Chromium of this process, which all its files use, and which ends with it. If the processes shared one, Vitest's main
 * process would have to pass on each message, which takes a twentieth more processor time.
 */
let launching: Promise<Browser> | undefined;

/** Opens a page in a context of its own, and starts Chromium for the first one in a process. */
export async function openPage(options?: BrowserContextOptions): Promise<Page> {
  launching ??= launchChromium();
  return (await (await launching).newContext(options)).newPage();
}

/** Gives the tests of a file pages. */
export function useChromium(): FileChromium {
  const pages: Page[] = [];
  const chromium: FileChromium = {
    async newPage(options) {
      const page = await openPage(options);
      pages.push(page);
      return page;
    },
    async close() {
      await Promise.all(pages.splice(0).map((page) => page.context().close()));
    },
  };
  afterAll(chromium.close);
  return chromium;
}
