import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../src/client/client.ts";
import { schemaFaults } from "../support/contract.ts";
import { freePort, freshFolder, type RunningService, startService } from "./support/service.ts";

/** The reference of a local start: what its guides say to paste, pasted; and the page in a browser. */

const folder = freshFolder();
const work = join(folder, "work");
let service: RunningService;

beforeAll(async () => {
  mkdirSync(work);
  service = await startService(join(folder, "state"), await freePort());
}, 150_000);
afterAll(() => service?.stop());

describe("the guides, pasted into a shell", () => {
  let html: string;

  beforeAll(async () => {
    html = await (await fetch(`${service.url}/docs`)).text();
  });

  /** The blocks of code of a guide, as a reader copies them. */
  function blocksOf(guide: string): string[] {
    const [, section = ""] =
      new RegExp(`<section class="guide" id="${guide}">(.*?)</section>`, "s").exec(html) ?? [];
    return [...section.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code = ""]) =>
      code
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&"),
    );
  }

  /** Runs a block in a shell, with what its reader has filled in; answers with the body of each answer. */
  async function paste(code: string, filledIn: Record<string, string> = {}): Promise<string> {
    const filled = code.replace("KEY=svc_pk_…", `KEY=${service.key}`);
    const environment = { ...process.env, KEY: service.key, ...filledIn };
    const { stdout } = await promisify(execFile)("sh", ["-e", "-c", filled], { cwd: work, env: environment });
    return stdout;
  }

  /** The `data` of an answer, which fits the schema of that name. */
  function dataOf<Name extends keyof Schemas>(answer: string, name: Name): Schemas[Name] {
    const { data } = JSON.parse(answer) as { data: Schemas[Name] };
    expect(schemaFaults({ $ref: `#/components/schemas/${name}` }, data), answer).toEqual([]);
    return data;
  }

  test("the first link redirects", async () => {
    const [first = ""] = blocksOf("first-link");
    const link = dataOf(await paste(first), "Link");
    expect(link.short_url).toBe(`${service.url}/sale`);
    const visited = await service.visit(`localhost:${service.port}`, "/sale");
    expect(visited.headers.get("Location")).toBe("https://example.com/sale");
  });

  test("the routing rules send a Canadian iPhone to its own page", async () => {
    const [rules = ""] = blocksOf("routing-rules");
    const { short_code: code } = dataOf(await paste(rules), "Link");
    const headers = {
      "CF-IPCountry": "CA",
      "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)",
    };
    const visited = await service.visit(`localhost:${service.port}`, `/${code}`, { headers });
    expect(visited.headers.get("Location")).toBe("https://example.com/ios");
  });

  test("the QR code is written to its file", async () => {
    const [design = ""] = blocksOf("qr-design");
    await paste(design);
    expect(readFileSync(join(work, "qr.svg"), "utf8")).toMatch(/^<svg .*#0b5d51.*<\/svg>\s*$/s);
  });

  test("the webhook is made, and both verifiers tell its deliveries from forgeries", async () => {
    const [create = "", byHand = "", byLibrary = ""] = blocksOf("webhook-verification");
    const { secret } = JSON.parse(await paste(create)).data as { secret: string };
    const body = '{"event":"webhook.test"}';

    const { isFromSignpost } = await import(`data:text/javascript,${encodeURIComponent(byHand)}`);
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    expect(isFromSignpost(Buffer.from(body), signature, secret)).toBe(true);
    expect(isFromSignpost(Buffer.from(`${body} `), signature, secret)).toBe(false);
    expect(isFromSignpost(Buffer.from(body), undefined, secret)).toBe(false);

    // A module that is text finds no package, so the class is handed to it.
    const { Webhook } = await import("standardwebhooks");
    const pasted = byLibrary.replace(/import .*\n/, "");
    const verified = new Function("Webhook", "body", "headers", "secret", `${pasted}\nreturn event;`);
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("1", new Date(), body),
    };
    expect(verified(Webhook, body, headers, secret)).toEqual({ event: "webhook.test" });
    expect(() => verified(Webhook, `${body} `, headers, secret)).toThrow();
  });

  test("a file goes up, is confirmed and is published", async () => {
    const [presign = "", rest = ""] = blocksOf("uploads");
    const asset = JSON.parse(await paste(presign)).data as Schemas["Asset"] & { upload: { url: string } };
    const file = randomBytes(asset.file_size);
    writeFileSync(join(work, "menu.pdf"), file);
    const answers = await paste(rest, { UPLOAD_URL: asset.upload.url, ASSET_ID: asset.id });
    const [confirmed = "", published = ""] = answers.split(/(?<=\})(?=\{"data")/);
    expect(dataOf(confirmed, "Asset").status).toBe("confirmed");
    const { host, pathname } = new URL(dataOf(published, "Asset").public_url ?? "");
    const read = await service.visit(host, pathname);
    expect(Buffer.compare(Buffer.from(await read.arrayBuffer()), file)).toBe(0);
  });
});

/** Runs where Chromium is installed; elsewhere it says that it did not. */
const CHROMIUM = "/usr/bin/chromium";
const CHROMIUM_ARGS = [
  ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
  ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
];
if (!existsSync(CHROMIUM)) {
  console.warn("the reference in a browser: SKIPPED, no Chromium found (Debian: apt-get install chromium)");
}

describe.skipIf(!existsSync(CHROMIUM))("the reference in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  });
  afterAll(() => browser?.close());

  /** A page that has opened the reference, and what it complained of or asked others for. */
  async function open(options: Parameters<Browser["newPage"]>[0] = {}) {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!new URL(request.url()).href.replace("blob:", "").startsWith(service.url))
        complaints.push(request.url());
    });
    await page.goto(`${service.url}/docs#key=${service.key}`);
    return { page, complaints };
  }

  /** Sends the form of an operation, and answers with what it shows. */
  async function tryOut(page: Page, operationId: string): Promise<string> {
    const form = page.locator(`#${operationId} .try`);
    await form.locator("summary").click();
    await form.locator("button").click();
    await form.locator("output pre, output img").waitFor();
    return (await form.locator("output").textContent()) ?? "";
  }

  test("an operation is tried with the key of the address, which is gone from it", async () => {
    const { page, complaints } = await open();
    expect(new URL(page.url()).hash).toBe("");
    expect(await tryOut(page, "getWorkspace")).toMatch(/^200 · .*"plan": "business"/s);
    expect(await tryOut(page, "createLink")).toMatch(/^201 · .*"short_code": "summer-sale"/s);
    expect((await service.visit("localhost", "/summer-sale")).status).toBe(302);
    expect(complaints).toEqual([]);
  });

  test("the contents are filtered by name and by address", async () => {
    const { page } = await open();
    await page.locator("#filter").fill("bulk/status");
    expect(await page.locator("nav li:visible").count()).toBe(1);
    await page.locator("#filter").fill("routing");
    expect(await page.locator("nav li:visible").allTextContents()).toContain("Routing rules");
  });

  test.each(["light", "dark"] as const)("it is accessible in %s, and on a telephone", async (colorScheme) => {
    for (const viewport of [
      { width: 1400, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { page } = await open({ colorScheme, viewport });
      // The policy of the page permits no other script; the debugger's own evaluation is not under it.
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
      });
      expect(violations).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      await page.close();
    }
  });
});
