import { vi } from "vitest";
import type { LostMessage } from "./harness.ts";
import { isWriting, recordTrips, type Trip } from "./statements.ts";

/** Bindings other than databases that operations use. */
export const BINDINGS = [
  "LIMITER",
  "ENDPOINT_HEALTH",
  "PRIVATE_FILES",
  "PUBLIC_FILES",
  "DELIVERY_QUEUE",
] as const;

/** Bindings that a request used. */
export interface Use {
  /** Round trips to databases, in order. */
  trips: readonly Trip[];
  /** First use of each binding: its method, and the statements before it. */
  bindings: ReadonlyMap<(typeof BINDINGS)[number], string>;
  /** True if it used the data centre's cache. */
  isCaching: boolean;
}

/** Calls `request` with an `env` that records the used bindings, and returns the result with the record. */
export async function recordUse<Result>(
  bindings: Env,
  request: (env: Env) => Promise<Result>,
): Promise<{ result: Result; use: Use }> {
  const used = new Map<(typeof BINDINGS)[number], string>();
  const { env, trips } = recordTrips(bindings);
  const watched = BINDINGS.map((name) => {
    const note = (target: object, member: string | symbol) => {
      const past = trips.flatMap(({ statements }) => statements.map(({ sql }) => sql));
      if (!used.has(name)) used.set(name, JSON.stringify([member, past]));
      const value = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    };
    return [name, new Proxy(bindings[name], { get: note })];
  });
  const methods = (["match", "put", "delete"] as const).map((method) => vi.spyOn(caches.default, method));
  try {
    const result = await request({ ...env, ...Object.fromEntries(watched) });
    const isCaching = methods.some(({ mock }) => mock.calls.length > 0);
    // Some requests also report the counts of the isolate, after their response.
    const own = trips.filter(
      ({ statements }) => !statements.some(({ sql }) => sql.includes("request_counts")),
    );
    return { result, use: { trips: own, bindings: used, isCaching } };
  } finally {
    for (const method of methods) method.mockRestore();
  }
}

/** Message that is lost, and the number of its round trip, counted from 1. */
export interface FaultPoint {
  trip: number;
  lostMessage: LostMessage;
}

/**
 * Chooses faults that differ from each other and from earlier chosen faults, which `known` stores:
 *
 * - A read-only trip leaves the same rows, whichever of its messages is lost.
 * - Operations that have run the same statements up to a fault are in the same state: all begin with the read of the API
 *   key, and those with an Idempotency-Key with its lock.
 * - A transient failure of a read-only trip repeats only its statements, so the earlier ones don't matter.
 */
export function chooseFaults(
  trips: readonly Trip[],
  known: Set<string>,
  { isTransient = false } = {},
): FaultPoint[] {
  return trips.flatMap((trip, index) => {
    const isWrite = isWriting(trip);
    const first = isTransient && !isWrite ? index : 0;
    const past = trips.slice(first, index + 1).map(({ statements }) => statements.map(({ sql }) => sql));
    const lostMessages: LostMessage[] = isWrite ? ["request", "response"] : ["response"];
    return lostMessages.flatMap((lostMessage) => {
      const fault = JSON.stringify([lostMessage, past]);
      if (known.has(fault)) return [];
      known.add(fault);
      return { trip: index + 1, lostMessage };
    });
  });
}
