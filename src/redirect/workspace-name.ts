import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { estimateTextBytes } from "../core/heap-size.ts";
import { HOSTNAME_MAX_LENGTH } from "../core/hosts.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { UnknownLimit } from "./unknown-limit.ts";

/** Time for which an isolate remembers a name, and a failed read. */
const NAME_MS = MINUTE_MS;
const FAILURE_MS = 5 * SECOND_MS;
/** Timeout of the database. An error page without the name is better than a late one. */
const READ_TIMEOUT_MS = SECOND_MS;
const MEMORY_BYTES_MAX = 500_000;
const ENTRY_BYTES = 64;

interface MemoryEntry {
  name: string | null;
  freshUntilMs: number;
}

const memory = new ByteBoundedMap<MemoryEntry>(MEMORY_BYTES_MAX);

/** Visit whose error page shows the name of the host's workspace. */
interface NamedVisit {
  directory: D1Database;
  hostname: string;
  unknownLimit: UnknownLimit;
  nowMs: number;
}

/**
 * Returns the name of a host's workspace from the isolate's memory or from the database. Returns null if no
 * workspace has the host, if the database doesn't respond, or if the visitor tried too many unknown codes or
 * hosts. Only used by error pages, so that redirects don't pay for it.
 */
export async function findWorkspaceName({
  directory,
  hostname,
  unknownLimit,
  nowMs,
}: NamedVisit): Promise<string | null> {
  const entry = memory.get(hostname);
  if (entry !== undefined && nowMs < entry.freshUntilMs) return entry.name;
  if (hostname.length > HOSTNAME_MAX_LENGTH || unknownLimit.retryAfterSeconds > 0) return null;
  try {
    const name = await withTimeout(readWorkspaceName(directory, hostname), READ_TIMEOUT_MS);
    remember(hostname, { name, freshUntilMs: nowMs + NAME_MS });
    if (name === null) await unknownLimit.count();
    return name;
  } catch (error) {
    logRecurringError("the name of a workspace could not be read", error);
    const name = entry?.name ?? null;
    remember(hostname, { name, freshUntilMs: nowMs + FAILURE_MS });
    return name;
  }
}

// Raw SQL, because importing Drizzle for one statement would slow down an isolate's first error page.
const SELECT_NAME =
  "SELECT w.name FROM domains d JOIN workspaces w ON w.id = d.workspace_id WHERE d.hostname = ?1";

async function readWorkspaceName(directory: D1Database, hostname: string): Promise<string | null> {
  return directory
    .withSession("first-unconstrained")
    .prepare(SELECT_NAME)
    .bind(hostname)
    .first<string>("name");
}

function remember(hostname: string, entry: MemoryEntry): void {
  memory.set(hostname, entry, ENTRY_BYTES + estimateTextBytes(entry.name ?? ""));
}
