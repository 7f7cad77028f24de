import { migrate } from "./databases.ts";
import { prepareWorkerFile } from "./worker-file.ts";

/** Set once the databases have their tables: files that share an isolate share them. */
const state = globalThis as { hasTables?: boolean };

if (!state.hasTables) {
  await migrate();
  state.hasTables = true;
}
await prepareWorkerFile();
