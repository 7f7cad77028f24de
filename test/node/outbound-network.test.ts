import { createServer } from "node:http";
import { Miniflare } from "miniflare";
import { afterAll, expect, test } from "vitest";
import { readLocalConfig } from "../../src/cli/local-config.ts";
import { createOutboundWorker } from "../../src/cli/worker-runner.ts";

/** Addresses that the service of `npm start` reaches, although a public name may resolve to any of them. */

const server = createServer((_, response) => response.end("private"));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as { port: number };

const contents = `export default {
  fetch: async (request) => fetch(new URL(request.url).searchParams.get("url")).catch(() => new Response("refused")),
}`;
const config = readLocalConfig();
const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } = config;
const outbound = createOutboundWorker(config, { OIDC_ISSUER: `http://127.0.0.1:${port}/` });
const manifest = { mainModule: "worker.js", modules: { "worker.js": { type: "esm" as const, contents } } };
const miniflare = new Miniflare({
  cf: false,
  workers: [
    {
      config: { name: "service", compatibilityDate, compatibilityFlags, manifest },
      dev: { outboundService: { type: "worker", worker: outbound.config.name ?? "" } },
    },
    outbound,
  ],
});
afterAll(async () => {
  await miniflare.dispose();
  server.close();
});

test.each([
  ["a private address", "is refused", "localhost", "refused"],
  ["the operator's identity provider", "reaches it", "127.0.0.1", "private"],
])("a request to %s %s", async (_, __, host, text) => {
  const url = encodeURIComponent(`http://${host}:${port}/`);
  const response = await miniflare.dispatchFetch(`http://service.test/?url=${url}`);
  expect(await response.text()).toBe(text);
});
