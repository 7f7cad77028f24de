import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { deleteEndpoints, migrate } from "./databases.ts";
import { checkLeftovers } from "./leftovers.ts";
import { forgetFeed } from "./redirects.ts";

/** Set once the databases have their tables: files that share an isolate share them. */
const state = globalThis as { hasTables?: boolean };

if (!state.hasTables) {
  await migrate();
  state.hasTables = true;
}
// Each file starts without links, hosts and logged errors in the isolate's memory, and without a change feed
// in the data centre.
forgetAll();
await forgetFeed();
forgetRecurringErrors();
afterAll(deleteEndpoints);

const bindings = Object.entries(env).filter(
  (entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null,
);
checkLeftovers({
  env,
  ...Object.fromEntries(bindings.map(([name, binding]) => [`env.${name}`, binding])),
  "crypto.subtle": crypto.subtle,
  "caches.default": caches.default,
});
