// Pure: no I/O, clock or randomness.
import { normalizeHostname } from "../core/hosts.ts";

/**
 * Returns a URL's host and the names above it, except its last label. A host is blocked if one of these names is
 * blocked.
 */
export function listHostNames(url: URL): string[] {
  const hostname = normalizeHostname(url.hostname);
  const names = [hostname];
  for (let dot = hostname.indexOf("."); dot >= 0; dot = hostname.indexOf(".", dot + 1)) {
    const name = hostname.slice(dot + 1);
    if (name.includes(".")) names.push(name);
  }
  return names;
}

/** Returns which of the blocked names blocks a URL, or undefined. */
export function findBlockedName(blocked: ReadonlySet<string>, url: URL): string | undefined {
  return blocked.size === 0 ? undefined : listHostNames(url).find((name) => blocked.has(name));
}

/**
 * Returns the SQL expression for the blocked names of some hosts, as a JSON array. `hosts` selects the hosts as
 * `name`. Blocked names include the names below them.
 */
export function selectBlockedNames(hosts: string): string {
  return `CASE WHEN EXISTS (SELECT 1 FROM blocked_hosts) THEN (
    WITH RECURSIVE names(name) AS (
      SELECT rtrim(name, '/') FROM (${hosts})
       UNION SELECT substr(name, instr(name, '.') + 1) FROM names WHERE name LIKE '%.%.%')
    SELECT json_group_array(name) FROM names CROSS JOIN blocked_hosts b ON b.hostname = names.name
     WHERE b.is_blocked) ELSE '[]' END`;
}
