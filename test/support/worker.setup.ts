import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { migrate } from "./databases.ts";
import { prepareWorkerFile } from "./worker-file.ts";

/** In workerd, files share the databases, because a reset takes a second there. In memory, each file begins with empty ones. */
const state = globalThis as { hasTables?: boolean };
const isInMemory = env.TEST_MIGRATIONS.directory === undefined;

if (isInMemory) await reset();
else if (!state.hasTables) {
  await migrate();
  state.hasTables = true;
}
await prepareWorkerFile();
