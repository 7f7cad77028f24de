import { execFile, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "esbuild";
import { publint } from "publint";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../src/client/cli/program.ts";
import { openTerminal } from "../../src/client/cli/terminal.ts";
import { buildSignatureHeaders } from "../../src/webhooks/signature.ts";
import { eventually } from "../support/eventually.ts";
import { FRUGAL } from "../support/frugal-compilers.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { createTempFolder, findFreePort, useService } from "./support/service.ts";

/** Package `@signpost/client` as users get it: packed, installed alone in an empty project, and called. */

const PROJECT = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const service = useService();
const folder = createTempFolder();
let tarball: string;

beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, "./src/client"], {
    cwd: PROJECT,
    env: { ...process.env, ...FRUGAL },
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

/** Writes a module that uses the installed package. */
function writeModule(name: string, code: string): string {
  const file = join(folder, "user", name);
  writeFileSync(file, code);
  return file;
}

const environment = () => ({ ...process.env, SIGNPOST_API_URL: service.url, SIGNPOST_KEY: service.key });

// The types are compiled in a separate project below. arethetypeswrong loads a compiler, which takes two seconds.
if (IS_LONG) {
  test("arethetypeswrong finds no problem in the package", async () => {
    const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    // The package only has modules, which `require` of Node.js 20 cannot load.
    const problems =
      "problems" in result ? result.problems.filter(({ kind }) => kind !== "CJSResolvesToESM") : null;
    expect(problems).toEqual([]);
  });
}

test("publint finds no problem in the package, and it contains only its own files", async () => {
  const { messages } = await publint({
    pkgDir: join(folder, "user/node_modules/@signpost/client"),
    // The installed folder only contains what was packed.
    pack: false,
  });
  expect(messages).toEqual([]);
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, "user/node_modules/@signpost/client/package.json"), "utf8"),
  );
  expect(Object.keys(dependencies)).toEqual(["openapi-fetch"]);
});

test("the README's examples run, and its receiver accepts the service's deliveries and no others", async () => {
  const titles = [...examples.keys()].filter((title) => title !== SERVER);
  const lines = titles.map((title, index) => {
    writeModule(`example-${index}.js`, examples.get(title) ?? "");
    return `await import("./example-${index}.js"); console.log("=== end");`;
  });
  writeModule("receiver.js", examples.get(SERVER) ?? "");
  const file = writeModule("examples.js", [...lines, 'await import("./receiver.js");'].join("\n"));
  const port = await findFreePort();
  const secret = `whsec_${btoa("a secret of the receiver")}`;
  const env = { ...environment(), SIGNPOST_WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.on("data", (text) => (stdout += text));
  try {
    const body = '{"event":"webhook.test","timestamp":"2026-11-21T12:00:00.000Z","data":{}}';
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = await buildSignatureHeaders({ deliveryId: "msg_1", timestampSeconds, body }, [secret]);
    const deliver = (text: string) =>
      fetch(`http://localhost:${port}/`, { method: "POST", headers, body: text }).then(
        ({ status }) => status,
        () => null,
      );
    const status = await eventually(
      () => deliver(body),
      (received) => received !== null || child.exitCode !== null,
    );
    expect(status, stdout).toBe(204);
    expect(await deliver(body.replace("test", "fake"))).toBe(401);
  } finally {
    child.kill();
  }
  const outputs = stdout.split("=== end\n").slice(0, -1);
  expect(outputs).toHaveLength(titles.length);
  for (const output of outputs) expect(output.trim()).not.toBe("");
});

// arethetypeswrong resolves the types in both ways.
const RESOLUTIONS = IS_LONG ? ["nodenext", "bundler"] : ["nodenext"];

test.each(RESOLUTIONS)("the types compile in a separate project (%s)", async (resolution) => {
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
      ...["--moduleResolution", resolution, "--singleThreaded", file],
    ],
    { cwd: join(folder, "user"), env: { ...process.env, ...FRUGAL } },
  ).catch(({ stdout }) => expect.fail(stdout));
});

test("bundles for browsers only contain the used parts of the package", async () => {
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

describe("the command", () => {
  const command = () => join(folder, "user/node_modules/.bin/signpost");
  const environment = (more: Record<string, string> = {}) => {
    const { SIGNPOST_API_URL, SIGNPOST_KEY, ...inherited } = process.env;
    return { ...inherited, XDG_CONFIG_HOME: join(folder, "config"), ...more };
  };

  interface Outcome {
    code: number;
    output: string;
    notes: string;
  }

  /** Runs the command in this process with pipes, because starting Node takes longer than most commands. */
  const signpost = (words: string[], input = "", variables = {}) => runHere(words, input, {}, variables);

  /** Does the same with streams that have the properties of a terminal of 60 columns. */
  const signpostInWindow = (words: string[], input = "") =>
    runHere(words, input, { isTTY: true, columns: 60, setRawMode() {} });

  async function runHere(words: string[], input: string, properties: object, variables = {}) {
    const outcome: Outcome = { code: 0, output: "", notes: "" };
    const streams = Object.assign(new EventEmitter(), {
      stdin: Object.assign(Readable.from([Buffer.from(input)]), properties),
      stdout: {
        ...properties,
        write: (content: string | Uint8Array) => (outcome.output += Buffer.from(content)),
      },
      stderr: Object.assign(new PassThrough(), properties),
    });
    streams.stderr.on("data", (text) => (outcome.notes += text));
    const terminal = openTerminal(streams as unknown as NodeJS.Process);
    outcome.code = await runCommand(words, terminal, environment(variables), "");
    return outcome;
  }

  /**
   * Runs the command of the installed package in a separate process. At least one test does so for each library in its
   * bundle.
   */
  function installed(words: string[], input = "") {
    return new Promise<Outcome>((resolve) => {
      const child = execFile(command(), words, { env: environment() }, (error, output, notes) =>
        resolve({ code: Number(error?.code ?? 0), output, notes }),
      );
      child.stdin?.end(input);
    });
  }

  /** Runs the command in a pseudo-terminal of 60 columns. Returns what the terminal shows. */
  async function signpostInTerminal(words: string, input = "") {
    const run = execFileWithInput(
      "script",
      ["-qec", `stty cols 60; ${command()} ${words}`, "/dev/null"],
      input,
    );
    return (await run).replaceAll("\r\n", "\n");
  }

  function execFileWithInput(file: string, words: string[], input: string): Promise<string> {
    return new Promise((resolve) => {
      const child = execFile(file, words, { env: environment() }, (_error, output) => resolve(output));
      child.stdin?.write(input);
    });
  }

  test("login reads a key from the input, and no argument or output contains it", async () => {
    expect(await signpost(["links", "list"])).toMatchObject({ code: 3, output: "" });
    const wrong = await signpost(["login", service.url], `svc_pk_abcdefgh.${"k".repeat(64)}\n`);
    expect(wrong).toMatchObject({ code: 3, notes: expect.stringContaining("INVALID_API_KEY") });
    const stored = await signpost(["login", service.url], `${service.key}\n`);
    expect(stored).toMatchObject({ code: 0, output: "", notes: expect.stringContaining("config.json") });
    expect(stored.notes).not.toContain(service.key);
    expect(await signpost(["whoami"])).toEqual({ code: 0, output: "Demo, plan business\n", notes: "" });
  });

  test("links are created, found, changed, shown, drawn and deleted in pipes", async () => {
    const made = await signpost([
      "links",
      "create",
      "https://example.com/a",
      "--slug",
      "pipes",
      "--label",
      "cli",
      "--title",
      "Pipes",
    ]);
    const shortUrl = `${service.url}/pipes`;
    expect(made).toEqual({ code: 0, output: `${shortUrl}\n`, notes: "" });
    expect(await signpost(["links", "create", "https://example.com/a", "--slug", "pipes"])).toMatchObject({
      code: 5,
      notes: expect.stringContaining("SLUG_TAKEN"),
    });
    expect((await signpost(["links", "list", "--label", "cli"])).output).toBe(
      `${new URL(shortUrl).host}/pipes\t0\tactive\thttps://example.com/a\tPipes\n`,
    );
    const rules = JSON.stringify([{ when: { os: ["ios"] }, destination: "https://example.com/ios" }]);
    const changed = await signpost(
      ["links", "update", shortUrl, "--rules", "-", "--max-scans", "9", "--title", "", "--json"],
      rules,
    );
    expect(JSON.parse(changed.output)).toMatchObject({
      title: null,
      max_scans: 9,
      routing_rules: [{ destination: "https://example.com/ios" }],
    });
    expect((await signpost(["links", "update", "pipes", "--password"], "open sesame\n")).output).toContain(
      "Password    yes",
    );
    expect((await signpost(["links", "update", "pipes", "--disable", "--json"])).output).toContain(
      '"enabled": false',
    );
    const file = join(folder, "code.png");
    expect(await signpost(["qr", "pipes", "-o", file])).toMatchObject({ code: 0, output: "" });
    expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG");
    expect((await signpost(["qr", "pipes", "--format", "svg"])).output).toMatch(/^<svg /);
    expect((await signpost(["qr", "pipes"])).code).toBe(2);
    expect((await signpost(["links", "export"])).output).toContain(`${shortUrl},pipes,`);
    const { length } = JSON.parse((await signpost(["stats", "pipes", "--json"])).output).points;
    expect(length).toBe(30);
    expect((await signpost(["stats", "--days", "2"])).output.trim().split("\n")).toHaveLength(2);
    expect((await signpost(["links", "delete", "pipes"])).code).toBe(2);
    expect((await signpost(["links", "delete", "pipes", "--yes"])).output).toContain("Deleted http://");
    expect((await signpost(["links", "get", "pipes"])).code).toBe(4);
    expect(await signpost(["links", "list", "--label", "cli", "--json"])).toMatchObject({
      code: 0,
      output: "[]\n",
    });
  });

  test("a terminal shows a table of its own width, a QR code, bars and questions", async () => {
    await signpost(["links", "create", `https://example.com/${"long/".repeat(20)}`, "--slug", "shown"]);
    const table = await signpostInTerminal("links list");
    expect(table).toMatch(/^SHORT LINK +SCANS +STATUS +DESTINATION/);
    expect(Math.max(...table.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(table).toContain("…");
    expect((await signpostInWindow(["links", "list"])).output).toBe(table);
    expect((await signpostInWindow(["qr", "shown"])).output).toContain("█ ▄▄▄▄▄ █");
    expect((await signpostInWindow(["stats"])).output).toContain("▁▁▁");
    const kept = await signpostInWindow(["links", "delete", "shown"], "n\n");
    expect(kept.notes).toContain("nothing was deleted");
    const deleted = await signpostInWindow(["links", "delete", "shown"], "y\n");
    expect(deleted.output).toContain("Deleted http://");
    const typed = await signpostInTerminal(`login ${service.url}`, `${service.key}\n`);
    expect(typed).toContain("is stored in");
  });

  test("another service's file is planned, imported, continued and compared", async () => {
    const VERDICT = "All 3 printed codes will keep working\n";
    const former = createServer((request, response) => {
      const location =
        request.url === "/Import-c" ? "https://example.com/elsewhere" : `https://example.com${request.url}`;
      response.writeHead(301, { Location: location }).end();
    });
    await new Promise<void>((resolve) => former.listen(0, "localhost", resolve));
    try {
      const { port } = former.address() as AddressInfo;
      const rows = ["a", "b", "c"].map((name) => {
        const code = `Import-${name}`;
        const title = `"Über ""${name}"""`;
        return `https://example.com/${code},${code},http://localhost:${port}/${code},${title},2024-05-01T12:00:00Z`;
      });
      const file = join(folder, "links.csv");
      writeFileSync(
        file,
        `\ufeffurl,custom_slug,former_url,title,created_at\r\n${rows.join("\r\n")}\r\nhttps://example.com/none,,,,\r\n`,
      );
      const dry = await signpost(["import", file, "--from", "csv", "--dry-run", "--json"]);
      expect(JSON.parse(dry.output).counts).toMatchObject({ create: 4, faulty: 0 });
      expect((await signpost(["links", "get", "Import-a"])).code).toBe(4);
      const report = join(folder, "report.csv");
      const made = await installed(["import", file, "--from", "csv", "--report", report]);
      expect(made).toEqual({ code: 0, output: "4 links created\n", notes: VERDICT });
      expect(readFileSync(report, "utf8")).toContain(
        `Import-a,created,${service.url}/Import-a,${service.url}/Import-a,,`,
      );
      const link = JSON.parse((await signpost(["links", "get", "Import-a", "--json"])).output);
      expect(link).toMatchObject({ title: 'Über "a"', created_at: "2024-05-01T12:00:00.000Z" });
      const again = await signpost(["import", "-", "--from", "csv"], readFileSync(file, "utf8"));
      expect(again).toEqual({ code: 0, output: "0 links created, 4 already exist\n", notes: VERDICT });
      const compared = await signpost(["import", "verify", file, "--from", "csv", "--allow-private-hosts"]);
      expect(compared.code).toBe(5);
      expect(compared.output).toBe(
        `4\thttp://localhost:${port}/Import-c\tredirected to https://example.com/elsewhere, now redirects to https://example.com/Import-c\n`,
      );
      // HEAD counts as no scan.
      expect(JSON.parse((await signpost(["links", "get", "Import-a", "--json"])).output).scan_count).toBe(0);
    } finally {
      former.close();
    }
  });

  test("links are exported as a file, and applying it changes nothing", async () => {
    for (const format of ["yaml", "json"]) {
      const file = join(folder, `links.${format}`);
      await signpost([
        "links",
        "create",
        "https://example.com/kept",
        "--slug",
        `kept-${format}`,
        "--note",
        "a\nb",
      ]);
      await signpost(["links", "update", `kept-${format}`, "--password"], "open sesame\n");
      const run = format === "yaml" ? installed : signpost;
      const exported = await run(["links", "export", "-o", file]);
      expect(exported).toEqual({ code: 0, output: "", notes: `Exported to ${file}.\n` });
      expect((await signpost(["links", "export", "--format", format])).output).toBe(
        readFileSync(file, "utf8"),
      );
      const applied = await signpost(["apply", file, "--dry-run", "--exit-code", "--prune"]);
      expect(applied).toMatchObject({ code: 0, notes: "No changes.\n" });
    }
    const [, address = ""] = /\$schema=(\S+)/.exec(readFileSync(join(folder, "links.yaml"), "utf8")) ?? [];
    const published = await (await fetch(address)).json();
    const packed = join(folder, "user/node_modules/@signpost/client/dist/links.schema.json");
    expect({ $id: address, ...JSON.parse(readFileSync(packed, "utf8")) }).toEqual(published);
  });

  test("apply shows the changes, asks for confirmation, and deletes only a confirmed number", async () => {
    const file = join(folder, "code.yaml");
    const write = (text: string) => writeFileSync(file, `version: 1\nlinks:\n${text}`);
    const { output: before } = await signpost(["links", "export", "--format", "json"]);
    const others: number = JSON.parse(before).links.length;
    write(`  - { code: first, url: "https://example.com/1", title: One }
  - { code: second, url: "https://example.com/2", enabled: false }\n`);
    const asked = await signpost(["apply", file]);
    expect(asked).toMatchObject({
      code: 2,
      notes: expect.stringContaining("nothing was changed; pass --yes"),
    });
    expect(asked.output).toContain("+ first → https://example.com/1\n    title: One\n");
    expect(asked.output).toMatch(/Plan: 2 to create, 0 to change, 0 unchanged, \d+ not in the file/);
    expect((await signpost(["apply", file, "--dry-run"])).code).toBe(0);
    expect((await signpost(["apply", file, "--dry-run", "--exit-code"])).code).toBe(7);
    expect((await signpost(["links", "get", "first"])).code).toBe(4);
    const made = await signpost(["apply", "-", "--yes"], readFileSync(file, "utf8"));
    expect([made.code, made.output.split("\n").at(-2)]).toEqual([0, "Done: 2 created, 0 changed."]);
    expect(await signpost(["apply", file, "--yes"])).toMatchObject({ code: 0, notes: "No changes.\n" });

    write(`  - { code: first, url: "https://example.com/changed", has_password: true }\n`);
    const locked = await signpost(["apply", file, "--yes"]);
    expect(locked).toMatchObject({
      code: 2,
      notes: expect.stringContaining(`${file}:3: first has no password yet`),
    });
    write(`  - { code: first, url: "https://example.com/changed" }\n`);
    const shown = await signpostInWindow(["apply", file], "n\n");
    expect(shown.output).toContain(
      "\u001b[33m~ first\u001b[0m\n    url: https://example.com/1 → https://example.com/changed",
    );
    expect(shown.notes).toContain("nothing was changed");
    const applied = await signpostInWindow(["apply", file], "y\n");
    expect(applied.output).toContain("Done: 0 created, 1 changed.");

    const number = others + 1;
    for (const words of [[], ["--yes"], ["--yes", String(number + 1)]]) {
      const refused = await signpost(["apply", file, "--prune", ...words]);
      expect([refused.code, refused.notes]).toEqual([
        2,
        expect.stringMatching(
          `nothing was changed; --prune would delete ${number} links.* --prune --yes ${number}\n$`,
        ),
      ]);
    }
    const pruned = await signpost(["--json", "apply", file, "--prune", "--yes", String(number)]);
    expect(JSON.parse(pruned.output)).toMatchObject({
      deleted: expect.arrayContaining(["second"]),
      unchanged: 1,
      applied: { created: 0, changed: 0, deleted: number, failures: [] },
    });
    expect(JSON.parse((await signpost(["links", "list", "--json"])).output)).toHaveLength(1);
  });

  test("apply names the errors of a file, and the links that the service rejects", async () => {
    const file = join(folder, "faulty.yaml");
    writeFileSync(file, "version: 1\nlinks:\n  - code: menu\n    titel: Menu\n");
    expect(await signpost(["apply", file, "--yes"])).toEqual({
      code: 2,
      output: "",
      notes: `signpost: ${file} has 2 errors; nothing was changed
  ${file}:3:5: links[0].url: is required
  ${file}:4:5: links[0].titel: is not a known field; did you mean \`title\`?\n`,
    });
    writeFileSync(file, new Uint8Array([0xff, 0xfe, 0x00]));
    expect(await signpost(["apply", file])).toMatchObject({
      code: 2,
      notes: expect.stringContaining("is not UTF-8 text"),
    });
    writeFileSync(
      file,
      `version: 1\nlinks: [{ code: loop, url: "${service.url}/loop" }, { code: fine, url: "https://a.example" }]`,
    );
    const partly = await signpost(["apply", file, "--yes"]);
    expect(partly).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/1 link could not be applied.*\n {2}create loop: url: /),
    });
    expect(partly.notes).toContain("Done: 1 created, 0 changed.");
    writeFileSync(
      file,
      'version: 1\nlinks: [{ code: v1x, url: "https://a.example" }, { code: docs, url: "https://a.example" }]',
    );
    expect((await signpost(["apply", file, "--yes"])).notes).toContain("the short code docs is reserved");
  });

  // The inspector is another client, and takes a second to start.
  test.each(
    !IS_LONG
      ? []
      : [
          [
            "Streamable HTTP",
            () => [
              ...[`${service.url}/mcp`, "--transport", "http"],
              ...["--header", `Authorization: Bearer ${service.key}`],
            ],
          ],
          ["stdio", () => [command(), "mcp"]],
        ],
  )("the MCP inspector calls a tool by %s", async (_, target) => {
    const [name, value] = ["SIGNPOST_KEY", service.key];
    const env = { ...environment(), SIGNPOST_API_URL: service.url, [name]: value };
    const words = ["--method", "tools/call", "--tool-name", "create_link"];
    // The inspector looks for its package file from the working directory.
    const { stdout } = await run(
      process.execPath,
      ["index.js", ...target(), ...words, "--tool-arg", "url=https://example.com/inspected"],
      { env, cwd: join(PROJECT, "node_modules/@modelcontextprotocol/inspector-cli/build") },
    );
    expect(JSON.parse(stdout).structuredContent.data).toMatchObject({
      destination: "https://example.com/inspected",
    });
  });

  test("a client finds a tool in the service's list and calls it by Streamable HTTP", async () => {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { Authorization: `Bearer ${service.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("create_link");
    const call = { name: "create_link", arguments: { url: "https://example.com/called" } };
    expect((await client.callTool(call)).structuredContent).toMatchObject({
      data: { destination: "https://example.com/called" },
    });
    await client.close();
  });

  test("mcp serves the service's tools on standard input and output", async () => {
    const client = new Client({ name: "test", version: "1" });
    const [name, value] = ["SIGNPOST_KEY", service.key];
    const env = { PATH: process.env.PATH ?? "", SIGNPOST_API_URL: service.url, [name]: value };
    await client.connect(new StdioClientTransport({ command: command(), args: ["mcp"], env }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("create_link");
    const made = await client.callTool({
      name: "create_link",
      arguments: { url: "https://example.com/mcp" },
    });
    const { data: link } = made.structuredContent as { data: { id: string; destination: string } };
    expect(link.destination).toBe("https://example.com/mcp");
    const picture = await client.callTool({ name: "get_link_qr_code", arguments: { link_id: link.id } });
    expect(picture.content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
    const invalid = await client.callTool({ name: "create_link", arguments: { url: "nonsense" } });
    expect(invalid).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^VALIDATION_ERROR: url/) }],
    });
    await client.close();
    const refused = await signpost(["mcp"], '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\nnonsense\n');
    expect(
      refused.output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1, result: { tools: expect.any(Array) } }),
        { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "the line is not a JSON object" } },
      ]),
    );
  });

  test("an unreachable service is reported in one sentence, and logout deletes the key", async () => {
    const away = await signpost(["links", "get", "a"], "", {
      SIGNPOST_API_URL: `http://localhost:${await findFreePort()}`,
      SIGNPOST_KEY: service.key,
    });
    expect([away.code, away.output]).toEqual([1, ""]);
    expect(away.notes).toMatch(/^signpost: can't reach the service: .+\n$/);
    await signpost(["logout"]);
    expect((await signpost(["whoami"])).code).toBe(3);
  });
});
