import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";

/** Connects to the Chromium that all files share. Each file has contexts of its own, and closes them. */
export async function connectChromium(): Promise<Browser> {
  const response = await fetch(`${inject("servicesUrl")}/chromium`);
  if (!response.ok) throw new Error(await response.text());
  return chromium.connectOverCDP((await response.json()) as string);
}
