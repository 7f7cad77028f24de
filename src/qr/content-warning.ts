// Pure: no I/O, clock or randomness.
import { findReach } from "../core/hosts.ts";

/** Warning about the content of a QR code, which scans but doesn't work everywhere. */
export interface ContentWarning {
  /** Name in the `X-QR-Warning` header. */
  name: "only-this-machine" | "private-network";
  sentence: string;
}

/** Returns a warning if the content is a URL that most devices can't open, or null. */
export function findContentWarning(content: string): ContentWarning | null {
  if (!/^https?:/i.test(content) || !URL.canParse(content)) return null;
  const { host, hostname } = new URL(content);
  switch (findReach(hostname)) {
    case "machine":
      return { name: "only-this-machine", sentence: `Only this machine can open ${host}. Phones can't.` };
    case "network":
      return { name: "private-network", sentence: `Only devices in the same network can open ${host}.` };
    case "internet":
      return null;
  }
}
