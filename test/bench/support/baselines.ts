import { build } from "esbuild";
import { type Runtime, startBaseline } from "./runtime.ts";

/** Workers that do nothing but answer, to be measured beside ours. */

/** A bare Worker that answers a constant 302. */
export function startBareBaseline(): Promise<Runtime> {
  return startBaseline(`export default {
    fetch: () => new Response(null, { status: 302, headers: { Location: "https://example.com/" } }),
  };`);
}

/** The same as one Hono route, bundled as it would be deployed. */
export async function startHonoBaseline(): Promise<Runtime> {
  const contents = `import { Hono } from "hono";
    const app = new Hono();
    app.get("/:code", (c) => c.redirect("https://example.com/", 302));
    export default app;`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, format: "esm", target: "es2024" },
  });
  return startBaseline(outputFiles[0]?.text ?? "");
}
