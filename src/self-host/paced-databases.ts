import { memoizeByObject } from "../core/memo.ts";
import { sleep } from "../core/timeout.ts";
import { type Attempt, wrapDatabase } from "../db/retrying-database.ts";
import { type DatabaseBindings, mapDatabases } from "../db/shards.ts";

/**
 * Databases that let requests get their turn. workerd handles everything in one thread, and looks for new requests only
 * when nothing else is left to do. Databases on the same machine never make it wait. So without a timer after each call,
 * requests would wait until all sweeps of the cron have ended, or until a whole workspace is copied.
 */

/** Returns bindings whose databases wait for a timer after each call. Wraps each `env` object of an isolate once. */
export const pauseCalls = memoizeByObject(<Bindings extends DatabaseBindings>(env: Bindings): Bindings => {
  const pause: Attempt = async (_isReadOnly, run) => {
    const result = await run();
    await sleep(0);
    return result;
  };
  return mapDatabases(env, (d1) => wrapDatabase(d1, pause));
});

/**
 * Returns bindings whose databases also run one call after another, for work that begins many calls together. The
 * result is for one event of the Worker, because an event must not wait for promises of another one.
 */
export function queueCalls<Bindings extends DatabaseBindings>(env: Bindings): Bindings {
  let last: Promise<unknown> = Promise.resolve();
  const queue: Attempt = (_isReadOnly, run) => {
    const result = last.then(run);
    const pause = () => sleep(0);
    last = result.then(pause, pause);
    return result;
  };
  return mapDatabases(env, (d1) => wrapDatabase(d1, queue));
}
