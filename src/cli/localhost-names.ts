import { lookup } from "node:dns/promises";

/** Resolves a host name; rejects if the machine does not know it. */
type Resolve = (hostname: string) => Promise<unknown>;

/**
 * Returns the host names that this machine does not resolve. Browsers and curl resolve every name below `localhost` to
 * the loopback address (RFC 6761 section 6.3); the resolvers of many systems do not.
 */
export async function findUnresolvedHosts(
  hostnames: readonly string[],
  resolve: Resolve = lookup,
): Promise<string[]> {
  const results = await Promise.allSettled(hostnames.map((hostname) => resolve(hostname)));
  return hostnames.filter((_, index) => results[index]?.status === "rejected");
}

/** Formats the note about unresolved host names; an empty string if there are none. */
export function formatHostsNote(unresolved: readonly string[]): string {
  if (unresolved.length === 0) return "";
  return `
  Note          Browsers and curl open ${unresolved.join(" and ")}. Other tools on
                this machine can't resolve these names. To fix that, add this line to /etc/hosts:
                127.0.0.1 ${unresolved.join(" ")}
`;
}
