import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { beforeAll, describe, expect, test } from "vitest";
import { buildSignatureHeaders } from "../../src/webhooks/signature.ts";
import { eventually } from "../support/eventually.ts";
import { createTempFolder, findFreePort, useService } from "./support/service.ts";

/** Package `@signpost/client` as its users get it: packed, installed alone in an empty project, and called. */

const PROJECT = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const service = useService();
const folder = createTempFolder();
let tarball: string;

beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, "./src/client"], {
    cwd: PROJECT,
  });
  tarball = join(folder, stdout.trim().split("\n").at(-1) ?? "");
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "user/package.json"), '{ "type": "module", "private": true }');
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], {
    cwd: join(folder, "user"),
  });
}, 120_000);

/** Examples of the package's README, by their headings. */
function readExamples(): Map<string, string> {
  const text = readFileSync(join(PROJECT, "src/client/README.md"), "utf8");
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const code = /```js\n([\s\S]*?)```/.exec(section)?.[1];
      return code === undefined ? [] : [[section.split("\n")[0] ?? "", code]];
    }),
  );
}

const examples = readExamples();
const SERVER = "Verify a webhook";

/** Writes a module of the installed package's user. */
function writeModule(name: string, code: string): string {
  const file = join(folder, "user", name);
  writeFileSync(file, code);
  return file;
}

const environment = () => ({ ...process.env, SIGNPOST_API_URL: service.url, SIGNPOST_KEY: service.key });

test("the package has no fault that publint or arethetypeswrong know, and no file but its own", async () => {
  const { messages } = await publint({ pkgDir: join(folder, "user/node_modules/@signpost/client") });
  expect(messages).toEqual([]);
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  // The package has modules only, which `require` of Node.js 20 cannot load.
  const problems =
    "problems" in result ? result.problems.filter(({ kind }) => kind !== "CJSResolvesToESM") : null;
  expect(problems).toEqual([]);
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, "user/node_modules/@signpost/client/package.json"), "utf8"),
  );
  expect(Object.keys(dependencies)).toEqual(["openapi-fetch"]);
});

test.each([...examples.keys()].filter((title) => title !== SERVER))(
  "the README's example runs: %s",
  async (title) => {
    const file = writeModule("example.js", examples.get(title) ?? "");
    const { stdout } = await run(process.execPath, [file], { env: environment() });
    expect(stdout.trim()).not.toBe("");
  },
);

describe("the README's receiver", () => {
  const secret = `whsec_${btoa("a secret of the receiver")}`;

  test("accepts the service's deliveries, and no others", async () => {
    const port = await findFreePort();
    const file = writeModule("receiver.js", examples.get(SERVER) ?? "");
    const env = { ...process.env, SIGNPOST_WEBHOOK_SECRET: secret, PORT: String(port) };
    const receiver: ChildProcess = spawn(process.execPath, [file], { env, stdio: "inherit" });
    try {
      const body = '{"event":"webhook.test","timestamp":"2026-11-21T12:00:00.000Z","data":{}}';
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const headers = await buildSignatureHeaders({ deliveryId: "msg_1", timestampSeconds, body }, [secret]);
      const deliver = (text: string) =>
        fetch(`http://localhost:${port}/`, { method: "POST", headers, body: text }).then(
          ({ status }) => status,
          () => null,
        );
      expect(
        await eventually(
          () => deliver(body),
          (status) => status !== null,
        ),
      ).toBe(204);
      expect(await deliver(body.replace("test", "fake"))).toBe(401);
    } finally {
      receiver.kill();
    }
  });
});

test.each(["nodenext", "bundler"])("the types compile in a project of its own (%s)", async (resolution) => {
  const file = writeModule(
    "typed.ts",
    `import { createSignpostClient, listAll, verifyWebhook, type WebhookEvent } from "@signpost/client";
const signpost = createSignpostClient({ apiUrl: "https://api.example", key: "key" });
for await (const link of listAll(signpost, "/v1/links", { query: { archived: "true" } })) {
  const count: number = link.scan_count;
  // @ts-expect-error: a link has no such field
  link.clicks + count;
}
// @ts-expect-error: a key is no list
listAll(signpost, "/v1/workspace");
const event: WebhookEvent = await verifyWebhook("", {}, "");
if (event.event === "link.scanned") event.data.country?.toUpperCase();
// @ts-expect-error: the body is missing
await signpost.POST("/v1/links", {});
`,
  );
  const module = resolution === "bundler" ? "esnext" : resolution;
  const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022", "--types", ""];
  await run(
    process.execPath,
    [
      join(PROJECT, "node_modules/typescript/bin/tsc"),
      ...options,
      ...["--lib", "es2022,dom,dom.iterable,dom.asynciterable", "--module", module],
      ...["--moduleResolution", resolution, file],
    ],
    { cwd: join(folder, "user") },
  ).catch(({ stdout }) => expect.fail(stdout));
});

test("the package is bundled for browsers, and only with what is used", async () => {
  const file = writeModule("page.js", 'export { createSignpostClient } from "@signpost/client";');
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  const code = outputFiles[0]?.text ?? "";
  expect(code).toContain("Idempotency-Key");
  expect(code).not.toContain("whsec_");
  expect(code.length).toBeLessThan(12_000);
});
