import { hmacSha256Hex } from "../core/crypto.ts";
import worker from "../index.ts";
import { CONTROL_HEADER } from "./control-header.ts";
import { handleControl } from "./control-worker.js";

export * from "../index.ts";

/** Worker of `npm run dev`: the service, and control requests of commands on its port. Never deployed. */
export default {
  ...worker,
  async fetch(request, env, context) {
    const secret = request.headers.get(CONTROL_HEADER);
    if (secret !== null && secret === (await hmacSha256Hex(env.UPLOAD_SECRET, CONTROL_HEADER))) {
      return handleControl(request, env);
    }
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
