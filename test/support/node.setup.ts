import { expect } from "vitest";
import { checkLeftovers } from "./leftovers.ts";
// Defines the globals of Workers before the first file of the process, whichever that is.
import "./memory-workers.ts";

const { testPath = "" } = expect.getState();
if (testPath.includes("/test/worker/")) {
  // These files share the bindings in memory, as they share an isolate in workerd.
  const { prepareWorkerFile } = await import("./worker-file.ts");
  await prepareWorkerFile();
} else if (testPath.includes("/test/unit/")) {
  checkLeftovers({ "process.env": process.env, "crypto.subtle": crypto.subtle });
}
