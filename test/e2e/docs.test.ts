import { execFile, execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../src/client/client.ts";
import { useChromium } from "../browser/support/chromium.ts";
import { hasChromium } from "../support/chromium.ts";
import { findSchemaFaults } from "../support/contract.ts";
import { eventually } from "../support/eventually.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { shortenReference } from "../support/reference-page.ts";
import { createTempFolder, useSharedDemo } from "./support/service.ts";

/** API reference of local development: its guides pasted into a shell, and its page in a browser. */

/** Folder in which the guides' commands run. */
const folder = createTempFolder();
const service = useSharedDemo();

let html: string;

beforeAll(async () => {
  html = await (await fetch(`${service.url}/docs`)).text();
});

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

describe("the guides, pasted into a shell", () => {
  /** Returns the code blocks of a guide as text. */
  function readBlocks(guide: string): string[] {
    const [, section = ""] =
      new RegExp(`<section class="guide" id="${guide}">(.*?)</section>`, "s").exec(html) ?? [];
    return [...section.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code = ""]) =>
      decodeEntities(code),
    );
  }

  /** Runs a block in a shell with the reader's key and variables. Returns the response bodies. */
  async function paste(code: string, variables: Record<string, string> = {}): Promise<string> {
    const filled = code.replace("KEY=svc_pk_…", `KEY=${service.key}`);
    const environment = { ...process.env, KEY: service.key, ...variables };
    const { stdout } = await promisify(execFile)("sh", ["-e", "-c", filled], {
      cwd: folder,
      env: environment,
    });
    return stdout;
  }

  /** Returns the `data` of a response body. Expects it to match the schema of that name. */
  function parseData<Name extends keyof Schemas>(body: string, name: Name): Schemas[Name] {
    const { data } = JSON.parse(body) as { data: Schemas[Name] };
    expect(findSchemaFaults({ $ref: `#/components/schemas/${name}` }, data), body).toEqual([]);
    return data;
  }

  test("the guide to the first link creates a link that redirects", async () => {
    const [first = ""] = readBlocks("first-link");
    const link = parseData(await paste(first), "Link");
    expect(link.short_url).toBe(`${service.url}/sale`);
    const visited = await service.visit(`localhost:${service.port}`, "/sale");
    expect(visited.headers.get("Location")).toBe("https://example.com/sale");
  });

  test("the guide to routing rules redirects a Canadian iPhone to its own page", async () => {
    const [rules = ""] = readBlocks("routing-rules");
    const { short_code: code } = parseData(await paste(rules), "Link");
    const headers = {
      "CF-IPCountry": "CA",
      "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)",
    };
    const visited = await service.visit(`localhost:${service.port}`, `/${code}`, { headers });
    expect(visited.headers.get("Location")).toBe("https://example.com/ios");
  });

  test("the guide to QR designs writes the QR code to a file", async () => {
    const [design = ""] = readBlocks("qr-design");
    await paste(design);
    expect(readFileSync(join(folder, "qr.svg"), "utf8")).toMatch(/^<svg .*#0b5d51.*<\/svg>\s*$/s);
  });

  test("the guide to webhooks creates an endpoint, and both verifiers reject forged deliveries", async () => {
    const [create = "", byHand = "", byLibrary = ""] = readBlocks("webhook-verification");
    const { secret } = JSON.parse(await paste(create)).data as { secret: string };
    const body = '{"event":"webhook.test"}';

    const { isFromSignpost } = await import(`data:text/javascript,${encodeURIComponent(byHand)}`);
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    expect(isFromSignpost(Buffer.from(body), signature, secret)).toBe(true);
    expect(isFromSignpost(Buffer.from(`${body} `), signature, secret)).toBe(false);
    expect(isFromSignpost(Buffer.from(body), undefined, secret)).toBe(false);

    // A module from a data: URL cannot import packages, so the class is a parameter.
    const { Webhook } = await import("standardwebhooks");
    const pasted = byLibrary.replace(/import .*\n/, "");
    const verified = new Function("Webhook", "body", "headers", "secret", `${pasted}\nreturn event;`);
    const now = new Date();
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("1", now, body),
    };
    expect(verified(Webhook, body, headers, secret)).toEqual({ event: "webhook.test" });
    expect(() => verified(Webhook, `${body} `, headers, secret)).toThrow();
  });

  test("the guide to uploads uploads, confirms and publishes a file", async () => {
    const [presign = "", rest = ""] = readBlocks("uploads");
    const asset = JSON.parse(await paste(presign)).data as Schemas["Asset"] & { upload: { url: string } };
    const file = randomBytes(asset.file_size);
    writeFileSync(join(folder, "menu.pdf"), file);
    const bodies = await paste(rest, { UPLOAD_URL: asset.upload.url, ASSET_ID: asset.id });
    const [confirmed = "", published = ""] = bodies.split(/(?<=\})(?=\{"data")/);
    expect(parseData(confirmed, "Asset").status).toBe("confirmed");
    const { host, pathname } = new URL(parseData(published, "Asset").public_url ?? "");
    const read = await service.visit(host, pathname);
    expect(Buffer.compare(Buffer.from(await read.arrayBuffer()), file)).toBe(0);
  });

  test("the guide to bio pages publishes a page, also for tools that do not resolve its host", async () => {
    const [create = "", publish = "", ...others] = readBlocks("bio-pages");
    const page = parseData(await paste(create), "BioPage");
    const { html_url } = parseData(await paste(publish, { PAGE_ID: page.id }), "BioPage");
    expect(html_url).toBe(`http://bio.localhost:${service.port}/jane-doe`);
    // Uses the command in curl, because wget is not installed everywhere.
    const wget = others.find((block) => block.startsWith("wget")) ?? "";
    expect(await paste(wget.replace("wget -qO - --header", "curl -s -H"))).toMatch(
      /<h1[^>]*>.*Jane.*Doe.*<\/h1>/s,
    );
  });

  test("the guide to a menu publishes it behind a QR code, replaces it, and its scans are counted", async () => {
    const [create = "", exchange = ""] = readBlocks("menu-code");
    const menus = [randomBytes(3_000), randomBytes(4_000)] as const;
    writeFileSync(join(folder, "menu.pdf"), menus[0]);
    writeFileSync(join(folder, "new-menu.pdf"), menus[1]);
    const scan = `curl -s -o scanned.pdf -w '%{redirect_url}\\n' ${service.url}/menu`;
    const output = await paste([create, scan, exchange].join("\n"));
    const [first = "", changed = ""] = output.split("\n");
    const link = parseData(changed, "Link");
    expect(link.short_url).toBe(`${service.url}/menu`);
    expect(readFileSync(join(folder, "menu-code.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\s*$/s);
    for (const [index, url] of [first, link.destination].entries()) {
      const { host, pathname } = new URL(url);
      const read = await service.visit(host, pathname);
      expect(read.headers.get("Content-Type")).toBe("application/pdf");
      expect(Buffer.from(await read.arrayBuffer()).equals(menus[index] as Buffer)).toBe(true);
    }
    const visited = await service.visit(`localhost:${service.port}`, "/menu");
    expect(visited.headers.get("Location")).toBe(link.destination);
    await eventually(
      async () =>
        (await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: link.id } } })).data,
      (found) => found?.data.scan_count === 2,
    );
  });
});

describe("the examples of the operations, pasted into a file", () => {
  /** Returns the examples of one language by the id of the operation. */
  function readExamples(language: string): Map<string, string> {
    const sections = html.split('<section class="operation" id="').slice(1);
    const pattern = new RegExp(`data-language="${language}"><code>(.*?)</code>`, "s");
    return new Map(
      sections.flatMap((section) => {
        const code = pattern.exec(section)?.[1];
        return code === undefined ? [] : [[section.slice(0, section.indexOf('"')), decodeEntities(code)]];
      }),
    );
  }

  /** Runs a program in the reader's folder, with the key in its environment. Returns its output and error. */
  function run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const environment = { ...process.env, KEY: service.key };
    return new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env: environment }, (_error, stdout, stderr) =>
        resolve({ stdout, stderr }),
      );
    });
  }

  /** Writes the examples of these operations to files with an extension. */
  function writeExamples(examples: Map<string, string>, extension: string, ids: readonly string[]): string[] {
    return ids.map((id) => {
      writeFileSync(join(folder, `${id}.${extension}`), examples.get(id) ?? "");
      return `${id}.${extension}`;
    });
  }

  test("the JavaScript of every operation is valid, and creates a page and saves a QR code in Node", async () => {
    const examples = readExamples("javascript");
    for (const code of examples.values()) await transform(code, { format: "esm", target: "es2022" });

    const files = writeExamples(examples, "mjs", ["createBioPage", "generateQr", "getLink"]);
    const code = files.map((file) => `await import("./${file}"); console.log("=== end");`).join("\n");
    writeFileSync(join(folder, "all.mjs"), code);
    const { stdout, stderr } = await run("node", "all.mjs");
    const [created = "", saved, ...rest] = stdout.split("=== end\n");
    const { data } = await service.client.GET("/v1/bio/pages");
    expect(created).toContain(data?.data[0]?.id);
    expect(saved).toBe("");
    expect(readFileSync(join(folder, "generate.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\s*$/s);
    expect(rest).toEqual([""]);
    expect(stderr).toContain("RESOURCE_NOT_FOUND");
  });

  test.skipIf(!hasPythonRequests())(
    "the Python of every operation is valid, and creates a template and saves links",
    async () => {
      const examples = readExamples("python");
      writeFileSync(join(folder, "all.json"), JSON.stringify([...examples.values()]));
      const files = writeExamples(examples, "py", ["createQrTemplate", "exportLinks", "getLink"]);
      const lines = [
        "import ast, json, runpy",
        "for code in json.load(open('all.json')): ast.parse(code)",
        ...files.map((file) => `runpy.run_path("${file}"); print("=== end")`),
      ];
      const { stdout, stderr } = await run("python3", "-c", lines.join("\n"));
      const [created = "", saved, ...rest] = stdout.split("=== end\n");
      const { data } = await service.client.GET("/v1/qr/templates");
      expect(created, stderr).toContain(data?.data[0]?.id);
      expect(saved).toBe("");
      expect(readFileSync(join(folder, "export.csv"), "utf8")).toMatch(/^id,/);
      expect(rest).toEqual([""]);
      expect(stderr).toContain("RESOURCE_NOT_FOUND");
    },
  );
});

/** Returns true if Python 3 and its package `requests` are installed. Otherwise prints that the test is skipped. */
function hasPythonRequests(): boolean {
  try {
    // Finding the package takes a third of the time of loading it.
    const code = "import importlib.util, sys; sys.exit(importlib.util.find_spec('requests') is None)";
    execFileSync("python3", ["-c", code], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("examples in Python: SKIPPED, no python3 with the package requests found");
    return false;
  }
}

describe.skipIf(!hasChromium("the API reference in a browser"))("the API reference in a browser", () => {
  const chromium = useChromium();

  /** Responds with the page and its headers, but only with the sections of two operations. */
  async function respondShortly(route: Route): Promise<void> {
    const response = await route.fetch();
    const body = shortenReference(await response.text(), ["getWorkspace", "createLink"]);
    await route.fulfill({ response, body });
  }

  /** Opens the reference. The returned list collects errors and requests to other origins. */
  async function openReference() {
    const page = await chromium.newPage();
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (!new URL(request.url()).href.replace("blob:", "").startsWith(service.url))
        faults.push(request.url());
    });
    if (!IS_LONG) await page.route("**/docs", respondShortly);
    await page.goto(`${service.url}/docs#key=${service.key}`);
    return { page, faults };
  }

  /** Submits the form of an operation and returns the text that it shows. */
  async function tryOperation(page: Page, operationId: string): Promise<string> {
    const form = page.locator(`#${operationId} .try`);
    await form.locator("summary").click();
    await form.locator("button").click();
    await form.locator("output pre, output img").waitFor();
    return (await form.locator("output").textContent()) ?? "";
  }

  test("operations use the key of the URL fragment, and the fragment is removed", async () => {
    const { page, faults } = await openReference();
    expect(new URL(page.url()).hash).toBe("");
    expect(await tryOperation(page, "getWorkspace")).toMatch(/^200 · .*"plan": "business"/s);
    expect(await tryOperation(page, "createLink")).toMatch(/^201 · .*"short_code": "summer-sale"/s);
    expect((await service.visit("localhost", "/summer-sale")).status).toBe(302);
    expect(faults).toEqual([]);
  });
});
