import { type Browser, chromium, type Download } from "playwright-core";
import { inject } from "vitest";

/** Connects to the Chromium that all files share. Each file opens and closes its own contexts. */
export async function connectChromium(): Promise<Browser> {
  const response = await fetch(`${inject("servicesUrl")}/chromium`);
  if (!response.ok) throw new Error(await response.text());
  return chromium.connect((await response.json()) as string);
}

/**
 * Returns the content of a file that a page saved. It is in another process's folder, so it has no path here.
 */
export async function readDownload(download: Download): Promise<Buffer> {
  return Buffer.concat(await (await download.createReadStream()).toArray());
}
