import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll } from "vitest";
import { launchChromium } from "../../support/chromium.ts";

/** Opens contexts and pages for a file, which are closed after its tests. */
export interface FileChromium {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page in a context of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Closes the contexts that are open. */
  close(): Promise<void>;
}

/**
 * Chromium of this process, which all its files use, and which ends with it. If the processes shared one, Vitest's main
 * process would have to pass on each message, which takes a tenth more processor time.
 */
let launching: Promise<Browser> | undefined;

/** Opens a context, and starts Chromium for the first one in a process. */
export async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  launching ??= launchChromium();
  return (await launching).newContext(options);
}

/** Gives the tests of a file contexts and pages. */
export function useChromium(): FileChromium {
  const contexts: BrowserContext[] = [];
  const chromium: FileChromium = {
    async newContext(options) {
      const context = await newContext(options);
      contexts.push(context);
      return context;
    },
    newPage: async (options) => (await chromium.newContext(options)).newPage(),
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    },
  };
  afterAll(chromium.close);
  return chromium;
}
