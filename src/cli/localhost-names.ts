import { lookup } from "node:dns/promises";

/** Resolves a hostname. Rejects if it doesn't resolve. */
type Resolve = (hostname: string) => Promise<unknown>;

/**
 * Returns the hostnames that this machine can't resolve. Browsers and curl resolve all names below
 * `localhost` to the loopback address (RFC 6761, section 6.3), but many system resolvers don't.
 */
export async function findUnresolvedHosts(
  hostnames: readonly string[],
  resolve: Resolve = lookup,
): Promise<string[]> {
  const results = await Promise.allSettled(hostnames.map((hostname) => resolve(hostname)));
  return hostnames.filter((_, index) => results[index]?.status === "rejected");
}

/** Formats the note about unresolved hostnames. Returns an empty string if there are none. */
export function formatHostsNote(unresolved: readonly string[]): string {
  if (unresolved.length === 0) return "";
  return `
  Note          Browsers and curl open ${unresolved.join(" and ")}. Other tools on
                this machine can't resolve these names. To fix that, add this line to /etc/hosts:
                127.0.0.1 ${unresolved.join(" ")}
`;
}
