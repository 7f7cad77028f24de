import { formatLinkPrefix } from "../../src/change-feed/change-key.ts";
import type { Host } from "../../src/resolving/host-read.ts";

/** Returns a host without settings, as used by redirects. */
export function buildPlainHost(workspaceId: string, shard: number): Host {
  return {
    workspaceId,
    workspaceName: "Acme",
    isSuspended: false,
    shard,
    prefix: formatLinkPrefix(shard, workspaceId),
    rootUrl: null,
    notFoundUrl: null,
    expiredUrl: null,
    documents: null,
  };
}
