import { build } from "esbuild";
import { type Runtime, startBaseline } from "./runtime.ts";

/** Starts a Worker without a framework that returns a constant 302. */
export function startBareBaseline(): Promise<Runtime> {
  return startBaseline(`export default {
    fetch: () => new Response(null, { status: 302, headers: { Location: "https://example.com/" } }),
  };`);
}

/** Starts a Worker with one Hono route that returns a constant 302. */
export async function startHonoBaseline(): Promise<Runtime> {
  return startBaseline(await bundleHonoBaseline());
}

/** Bundles a Worker with one Hono route that returns a constant 302 as for a deployment. */
export async function bundleHonoBaseline(): Promise<string> {
  const contents = `import { Hono } from "hono";
    const app = new Hono();
    app.get("/:code", (c) => c.redirect("https://example.com/", 302));
    export default app;`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, minify: true, format: "esm", target: "es2024" },
  });
  return outputFiles[0]?.text ?? "";
}
