import { logError } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";

/** Freshness in an isolate's memory of a name, and of a read that failed. */
const NAME_MS = MINUTE_MS;
const FAILURE_MS = 5 * SECOND_MS;
/** Timeout of the database. An error page without the name is better than one that comes late. */
const READ_TIMEOUT_MS = SECOND_MS;
const ENTRIES_MAX = 1_000;

interface MemoryEntry {
  name: string | null;
  freshUntilMs: number;
}

const memory = new Map<string, MemoryEntry>();

/**
 * Returns the name of the workspace that a host belongs to: from this isolate's memory, else from the database. Returns
 * null if the host belongs to none or the database does not respond. Only error pages use this; redirects do without.
 */
export async function findWorkspaceName(
  d1: D1Database,
  hostname: string,
  nowMs: number,
): Promise<string | null> {
  const entry = memory.get(hostname);
  if (entry !== undefined && nowMs < entry.freshUntilMs) return entry.name;
  try {
    const name = await withTimeout(readWorkspaceName(d1, hostname), READ_TIMEOUT_MS);
    remember(hostname, { name, freshUntilMs: nowMs + NAME_MS });
    return name;
  } catch (error) {
    logError("the workspace of a host cannot be read", error);
    const name = entry?.name ?? null;
    remember(hostname, { name, freshUntilMs: nowMs + FAILURE_MS });
    return name;
  }
}

// Raw SQL: importing Drizzle would make the first error page of an isolate slower, for one statement.
const SELECT_NAME =
  "SELECT w.name FROM domains d JOIN workspaces w ON w.id = d.workspace_id WHERE d.hostname = ?1";

async function readWorkspaceName(d1: D1Database, hostname: string): Promise<string | null> {
  return d1.withSession("first-unconstrained").prepare(SELECT_NAME).bind(hostname).first<string>("name");
}

function remember(hostname: string, entry: MemoryEntry): void {
  memory.delete(hostname);
  if (memory.size >= ENTRIES_MAX) memory.delete(memory.keys().next().value as string);
  memory.set(hostname, entry);
}
