import { type DatabaseBindings, mapDatabases } from "../../src/db/shards.ts";

/** Accesses to storage, counted at the bindings. */
export interface Trips {
  /** Round trips to D1. A `batch` counts as one. */
  d1: number;
  /** Rows read, as D1 reports them. `raw`, which Drizzle selects with, reports none. */
  rowsRead: number;
  /** Rows written, as D1 reports and bills them, including index rows. */
  rowsWritten: number;
  /** Calls to Durable Object methods. */
  durableObject: number;
  /**
   * Length of the longest chain of trips to D1 and Durable Objects in which each trip begins after the
   * previous one has ended. Trips that overlap are one level. Trips that end after the response, as reported
   * by {@link markAnswered}, do not count, because no request waits for them.
   */
  depth: number;
}

type Counted = DatabaseBindings & Pick<Env, "LIMITER" | "ENDPOINT_HEALTH">;

/** Returns copies of the bindings that count the accesses to them. */
export function countTrips<Bindings extends Counted>(bindings: Bindings): { env: Bindings; trips: Trips } {
  const trips: Trips = { d1: 0, rowsRead: 0, rowsWritten: 0, durableObject: 0, depth: 0 };
  let isAnswered = false;
  const goDeeper = async (makeTrip: () => unknown) => {
    const level = trips.depth + 1;
    try {
      return await makeTrip();
    } finally {
      if (!isAnswered) trips.depth = Math.max(trips.depth, level);
    }
  };
  const databases = watchDatabases(bindings, async (makeTrip) => {
    trips.d1 += 1;
    const result = await goDeeper(makeTrip);
    trips.rowsRead += sumRows(result, "rows_read");
    trips.rowsWritten += sumRows(result, "rows_written");
    return result;
  });
  const callObject = (makeCall: () => unknown) => {
    trips.durableObject += 1;
    return goDeeper(makeCall);
  };
  const LIMITER = watchCalls(bindings.LIMITER, callObject);
  const ENDPOINT_HEALTH = watchCalls(bindings.ENDPOINT_HEALTH, callObject);
  const env = { ...databases, LIMITER, ENDPOINT_HEALTH };
  answers.set(env, () => {
    isAnswered = true;
  });
  return { env, trips };
}

/** Functions to call when the request of an `env` has been answered. */
const answers = new WeakMap<object, () => void>();

/** Reports to the counters of an `env`, if any, that its request has been answered. */
export function markAnswered(env: object): void {
  answers.get(env)?.();
}

type RowCount = "rows_read" | "rows_written";

function sumRows(result: unknown, name: RowCount): number {
  const results = [result].flat() as ({ meta?: Partial<Record<RowCount, number>> } | null)[];
  return results.reduce((sum, result) => sum + (result?.meta?.[name] ?? 0), 0);
}

const TRIPS = new Set(["all", "first", "run", "raw", "batch", "exec"]);

const originals = new WeakMap<object, object>();

/** Returns the statement behind a proxy, because a D1 batch only accepts its own statements. */
function unwrapStatement(statement: object): object {
  return originals.get(statement) ?? statement;
}

/** Returns copies of the bindings in which `around` performs every round trip to a database. */
export function watchDatabases<Bindings extends DatabaseBindings>(
  bindings: Bindings,
  around: (makeTrip: () => unknown) => unknown,
): Bindings {
  return mapDatabases(bindings, (d1) => watchTrips(d1, around));
}

/** Wraps D1 so that every round trip goes through `around`, which performs it by calling its argument. */
export function watchTrips<Target extends object>(
  target: Target,
  around: (makeTrip: () => unknown) => unknown,
): Target {
  const watched = withMethods(target, (name, method) => (...args) => {
    const callMethod = () =>
      method(...args.map((arg) => (Array.isArray(arg) ? arg.map(unwrapStatement) : arg)));
    // From time to time, a request reports the counts of its isolate. That trip isn't its own.
    if (name === "prepare" && String(args[0]).includes("request_counts")) return callMethod();
    const result = TRIPS.has(name) ? around(callMethod) : callMethod();
    const isBuilder = ["prepare", "bind", "withSession"].includes(name);
    return isBuilder ? watchTrips(result as object, around) : result;
  });
  originals.set(watched, target);
  return watched;
}

/** Wraps a Durable Object namespace so that `around` performs every method call of its objects. */
export function watchCalls<Namespace extends object>(
  namespace: Namespace,
  around: (makeCall: () => unknown, method: string) => unknown,
): Namespace {
  const watchMethod = (name: string, method: Method): Method => {
    return (...args) => around(() => method(...args), name);
  };
  return withMethods(
    namespace,
    (_, find) =>
      (...args) =>
        withMethods(find(...args) as object, watchMethod),
  );
}

type Method = (...args: unknown[]) => unknown;

/** Wraps an object so that `wrap` replaces each of its methods. */
function withMethods<Target extends object>(
  target: Target,
  wrap: (name: string, method: Method) => Method,
): Target {
  return new Proxy(target, {
    get(object, property) {
      const member = Reflect.get(object, property);
      if (typeof member !== "function") return member;
      // Not `member.bind()`, which a Durable Object stub would treat as a remote method call.
      return wrap(String(property), (...args) => Reflect.apply(member, object, args));
    },
  });
}
