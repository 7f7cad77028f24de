import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The headless shell comes first, because it draws no window, which costs each page a second of CPU. */
const CHROMIUM = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);
const CHROMIUM_ARGS = [
  ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
  ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
  // Pages live for seconds, so optimised scripts, further threads and a process that draws cost more than they save. New
  // objects get 16 MB from the start, so they are collected less often.
  ..."--in-process-gpu --js-flags=--no-opt,--no-maglev,--single-threaded,--min-semi-space-size=16".split(" "),
];

/** Returns true if Chromium is installed. Otherwise prints that the named tests are skipped. */
export function hasChromium(tests: string): boolean {
  if (CHROMIUM !== undefined) return true;
  console.warn(`${tests}: SKIPPED, no Chromium found (Debian: apt-get install chromium-headless-shell)`);
  return false;
}

/**
 * Starts the installed Chromium. If the start fails, it tries once more, because on a busy machine Chromium has crashed
 * before its first page, once in some hundred starts.
 */
export function launchChromium(): Promise<Browser> {
  const launch = () => chromium.launch({ executablePath: CHROMIUM as string, args: CHROMIUM_ARGS });
  return launch().catch(launch);
}
