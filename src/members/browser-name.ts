import type { Browser, OperatingSystem } from "../routing/rules.ts";
import { parseUserAgent } from "../routing/user-agent.ts";

const BROWSER_NAMES: Record<Browser, string> = {
  chrome: "Chrome",
  safari: "Safari",
  firefox: "Firefox",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
};
const SYSTEM_NAMES: Record<OperatingSystem, string> = {
  ios: "iOS",
  android: "Android",
  windows: "Windows",
  macos: "macOS",
  linux: "Linux",
  chromeos: "ChromeOS",
};

/**
 * Returns a name by which a person recognizes a session, such as "Firefox on Linux". Nothing else of the
 * header is stored.
 */
export function describeBrowser(userAgent: string | null): string {
  const { browser, os } = parseUserAgent(userAgent);
  const name = browser === null ? "Unknown browser" : BROWSER_NAMES[browser];
  return os === null ? name : `${name} on ${SYSTEM_NAMES[os]}`;
}
