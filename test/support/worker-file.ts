import { afterAll } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { generateUuidv7, ID_AHEAD_MAX_MS } from "../../src/core/id.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { deleteEndpoints } from "./databases.ts";
import { workerEnv } from "./harness.ts";
import { checkLeftovers } from "./leftovers.ts";
import { forgetFeed } from "./redirects.ts";

/** Lets ids continue from the clock, if a clock of a test was ahead. */
export function resetIds(): void {
  generateUuidv7(Date.now() - ID_AHEAD_MAX_MS);
}

/**
 * Prepares a file of test/worker, which shares its process or isolate with other files. It starts without links,
 * hosts and logged errors in memory, and without a change feed in the data centre.
 */
export async function prepareWorkerFile(): Promise<void> {
  forgetAll();
  resetIds();
  await forgetFeed();
  forgetRecurringErrors();
  afterAll(deleteEndpoints);

  const bindings = Object.entries(workerEnv).filter(
    (entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null,
  );
  checkLeftovers({
    env: workerEnv,
    ...Object.fromEntries(bindings.map(([name, binding]) => [`env.${name}`, binding])),
    "crypto.subtle": crypto.subtle,
    "caches.default": caches.default,
  });
}
