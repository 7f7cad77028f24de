/** What a request asks of storage, counted at its bindings. */
export interface Trips {
  /** Round trips to D1: a `batch` is one. */
  d1: number;
  /** Rows that D1 says it read. */
  rowsRead: number;
  /** Calls of Durable Objects' methods. */
  durableObject: number;
}

type Counted = Pick<Env, "DB" | "LIMITER">;

/** The same bindings, and what has been asked of them since. */
export function countTrips<Bindings extends Counted>(bindings: Bindings): { env: Bindings; trips: Trips } {
  const trips: Trips = { d1: 0, rowsRead: 0, durableObject: 0 };
  const DB = watchTrips(bindings.DB, async (make) => {
    trips.d1 += 1;
    const answer = await make();
    trips.rowsRead += rowsReadFor(answer);
    return answer;
  });
  const LIMITER = watchCalls(bindings.LIMITER, () => {
    trips.durableObject += 1;
  });
  return { env: { ...bindings, DB, LIMITER }, trips };
}

function rowsReadFor(answer: unknown): number {
  const results = [answer].flat() as ({ meta?: { rows_read?: number } } | null)[];
  return results.reduce((sum, result) => sum + (result?.meta?.rows_read ?? 0), 0);
}

const TRIPS = new Set(["all", "first", "run", "raw", "batch", "exec"]);

const originals = new WeakMap<object, object>();

/** D1 takes only its own statements in a batch, no proxies of them. */
function unwatched(statement: object): object {
  return originals.get(statement) ?? statement;
}

/** A D1 whose every round trip is made by `around`. */
export function watchTrips<Target extends object>(
  target: Target,
  around: (make: () => unknown) => unknown,
): Target {
  const watched = withMethods(target, (name, method) => (...args) => {
    const make = () => method(...args.map((arg) => (Array.isArray(arg) ? arg.map(unwatched) : arg)));
    const result = TRIPS.has(name) ? around(make) : make();
    const isBuilder = ["prepare", "bind", "withSession"].includes(name);
    return isBuilder ? watchTrips(result as object, around) : result;
  });
  originals.set(watched, target);
  return watched;
}

/** Durable Objects of whose calls `onCall` hears. */
function watchCalls<Namespace extends object>(namespace: Namespace, onCall: () => void): Namespace {
  const ofObject = (_: string, method: Method): Method => {
    return (...args) => {
      onCall();
      return method(...args);
    };
  };
  return withMethods(
    namespace,
    (_, find) =>
      (...args) =>
        withMethods(find(...args) as object, ofObject),
  );
}

type Method = (...args: unknown[]) => unknown;

/** The same object with other methods. */
function withMethods<Target extends object>(
  target: Target,
  make: (name: string, method: Method) => Method,
): Target {
  return new Proxy(target, {
    get(object, property) {
      const member = Reflect.get(object, property);
      if (typeof member !== "function") return member;
      // Not bind: of a Durable Object's stub that, too, would be a call to it.
      return make(String(property), (...args) => Reflect.apply(member, object, args));
    },
  });
}
