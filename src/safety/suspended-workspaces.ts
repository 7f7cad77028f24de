import { openDataCentre } from "../caching/data-centre.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";

/**
 * Suspended workspaces, for surfaces that don't read the directory otherwise. Each isolate uses the list for 5
 * seconds and each data centre for 20, so that with 5 seconds of replica lag, suspensions apply within 35 seconds.
 */
const MEMORY_MS = 5 * SECOND_MS;
const CACHE_MS = 20 * SECOND_MS;
const CACHE_KEY = "suspended-workspaces";

const SELECT_SUSPENDED = "SELECT id FROM workspaces WHERE suspended_at IS NOT NULL";

/** List of suspended workspaces, with the time of its database read. */
interface SuspendedList {
  ids: readonly string[];
  readAtMs: number;
}

/** Cache of this isolate. Kept while the directory fails. */
let known: { ids: ReadonlySet<string>; freshUntilMs: number } | undefined;

/** Returns the ids of suspended workspaces. If the directory fails, returns the last list. Never throws. */
export async function findSuspended(
  directory: D1Database,
  settings: Settings,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): Promise<ReadonlySet<string>> {
  if (known !== undefined && nowMs < known.freshUntilMs) return known.ids;
  const dataCentre = openDataCentre(settings);
  try {
    let list = await dataCentre.read<SuspendedList>(CACHE_KEY);
    if (list === undefined || nowMs >= list.readAtMs + CACHE_MS) {
      list = { ids: await readSuspended(directory), readAtMs: nowMs };
      waitUntil(dataCentre.write(CACHE_KEY, list, CACHE_MS));
    }
    known = { ids: new Set(list.ids), freshUntilMs: nowMs + MEMORY_MS };
  } catch (error) {
    logRecurringError("the suspended workspaces could not be read", error);
  }
  return known?.ids ?? new Set();
}

async function readSuspended(directory: D1Database): Promise<string[]> {
  const session = directory.withSession("first-unconstrained");
  const { results } = await session.prepare(SELECT_SUSPENDED).all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Clears this isolate's list. Tests use it to reach the layers below. */
export function forgetSuspended(): void {
  known = undefined;
}
