import { sleep } from "../core/timeout.ts";
import { type Attempt, wrapDatabase } from "../db/retrying-database.ts";
import { type DatabaseBindings, mapDatabases } from "../db/shards.ts";

/**
 * Returns bindings whose databases run one call after another, with a timer in between. workerd handles everything in one
 * thread, and looks for new requests only when nothing else is left to do. Databases on the same machine never make it wait, so
 * without a timer requests would wait until all sweeps of the cron have ended, or until a whole workspace is copied.
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
