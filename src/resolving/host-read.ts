import {
  DIRECTORY,
  formatHostKey,
  formatLinkPrefix,
  formatOwnHostKey,
  hashChangeKey,
} from "../change-feed/change-key.ts";
import { estimateTextBytes } from "../core/heap-size.ts";
import { DAY_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { findBlockedName, listHostNames, selectBlockedNames } from "../safety/host-names.ts";
import { mayRedirect } from "../tenant/own-hosts.ts";
import type { EntryKind } from "./cached-entry.ts";
import type { ReadResult } from "./entry-resolver.ts";
import { readCurrent } from "./replica-read.ts";

/** Data of a short host that redirects need. */
export interface Host {
  workspaceId: string;
  /** Name of the workspace, which error pages show. */
  workspaceName: string;
  /** True if an administrator has suspended the workspace. */
  isSuspended: boolean;
  shard: number;
  /** Prefix of its links' cache keys. */
  prefix: string;
  /** URLs used for the root path, for unknown codes, and for links that ended. Null shows an error page. */
  rootUrl: string | null;
  notFoundUrl: string | null;
  expiredUrl: string | null;
  /**
   * Id and version of the host's well-known documents, under which the data centre's cache stores them.
   * Changes with every edit. Null if there are none. The documents themselves aren't in memory.
   */
  documents: string | null;
}

/** Heap size of a host without its strings. */
const HOST_BYTES = 240;

/**
 * While the change feed confirms them, hosts are used for longer than links (14 days instead of 1), because
 * they rarely change and every data centre would have to read each host again.
 */
export const HOST_KIND: EntryKind<Host> = {
  lifeMs: 14 * DAY_MS,
  estimateBytes: ({ workspaceId, workspaceName, prefix, rootUrl, notFoundUrl, expiredUrl, documents }) =>
    [workspaceId, workspaceName, prefix, rootUrl, notFoundUrl, expiredUrl, documents].reduce(
      (bytes, text) => bytes + (text === null ? 0 : estimateTextBytes(text)),
      HOST_BYTES,
    ),
  getState: () => null,
};

// Raw SQL, because importing Drizzle for one statement would slow down every cold start.
const SELECT_HOST = `
  SELECT w.id AS workspaceId, w.name AS workspaceName, w.shard, w.suspended_at AS suspendedAt, (SELECT max(seq) FROM host_changes) AS seq,
         c.root_url AS rootUrl, c.not_found_url AS notFoundUrl, c.expired_url AS expiredUrl,
         c.root_host AS rootHost, c.not_found_host AS notFoundHost, c.expired_host AS expiredHost,
         CASE WHEN c.apple_app_site_association IS NOT NULL OR c.assetlinks IS NOT NULL
              THEN c.id || '/' || c.document_version END AS documents,
         (SELECT json_group_array(o.hostname) FROM domains o
           WHERE o.hostname IN (c.root_host, c.not_found_host, c.expired_host)) AS ownHosts,
         ${selectBlockedNames(
           "SELECT value AS name FROM json_each(json_array(c.root_host, c.not_found_host, c.expired_host))",
         )} AS blockedNames
    FROM (SELECT ?1 AS hostname) asked
    LEFT JOIN domains d ON d.hostname = asked.hostname
    LEFT JOIN workspaces w ON w.id = d.workspace_id
    LEFT JOIN domain_claims c ON c.workspace_id = d.workspace_id AND c.hostname = d.hostname`;

interface Row {
  workspaceId: string | null;
  workspaceName: string;
  shard: number;
  suspendedAt: number | null;
  seq: number | null;
  rootUrl: string | null;
  notFoundUrl: string | null;
  expiredUrl: string | null;
  rootHost: string | null;
  notFoundHost: string | null;
  expiredHost: string | null;
  ownHosts: string;
  blockedNames: string;
  documents: string | null;
}

/**
 * Reads a host from the nearest copy of the directory that has seen the change `cursor`, or from the primary
 * if `isPrimaryOnly`.
 */
export function readHost(
  directory: D1Database,
  settings: Settings,
  hostname: string,
  cursor: number,
  isPrimaryOnly = false,
): Promise<ReadResult<Host>> {
  const parse = ([row]: Row[]): ReadResult<Host> => {
    const seq = row?.seq ?? 0;
    if (row === undefined || row.workspaceId === null)
      return { value: null, seq, hashes: hashHosts(hostname) };
    const linked = [row.rootHost, row.notFoundHost, row.expiredHost].filter((host) => host !== null);
    const hashes = [...hashHosts(hostname, ...linked), ...hashBlockable(row)];
    return { value: buildHost(row, row.workspaceId, settings), seq, hashes };
  };
  const isCurrent = ({ value, seq }: ReadResult<Host>) => value !== null && seq >= cursor;
  return readCurrent(directory, SELECT_HOST, [hostname], parse, isPrimaryOnly ? null : isCurrent);
}

/**
 * Hashes the keys of a host and of the hosts of its fallback URLs. If a fallback host becomes a short host,
 * this entry must be read again, because redirects to short hosts could loop.
 */
function hashHosts(...hostnames: string[]): number[] {
  return hostnames.map((hostname) => hashChangeKey(formatHostKey(hostname)));
}

/** Hashes the keys of names that may be blocked, which would block a fallback URL. */
function hashBlockable({ rootUrl, notFoundUrl, expiredUrl }: Row): number[] {
  const urls = [rootUrl, notFoundUrl, expiredUrl].filter((url) => url !== null);
  const names = new Set(urls.flatMap((url) => listHostNames(new URL(url))));
  return [...names].map((name) => hashChangeKey(formatOwnHostKey(DIRECTORY, name)));
}

/** Builds a host. Ignores blocked fallback URLs, and fallback URLs that may redirect again, perhaps back to the host. */
function buildHost(
  { workspaceName, shard, suspendedAt, documents, ...row }: Row,
  workspaceId: string,
  settings: Settings,
): Host {
  const ownHosts = new Set(JSON.parse(row.ownHosts) as string[]);
  const blockedNames = new Set(JSON.parse(row.blockedNames) as string[]);
  const toAddress = (text: string | null) => {
    if (text === null) return null;
    const url = new URL(text);
    const isRefused =
      mayRedirect(settings, ownHosts, url) || findBlockedName(blockedNames, url) !== undefined;
    return isRefused ? null : url.href;
  };
  return {
    workspaceId,
    workspaceName,
    isSuspended: suspendedAt !== null,
    shard,
    prefix: formatLinkPrefix(shard, workspaceId),
    rootUrl: toAddress(row.rootUrl),
    notFoundUrl: toAddress(row.notFoundUrl),
    expiredUrl: toAddress(row.expiredUrl),
    documents,
  };
}
