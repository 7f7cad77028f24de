import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, freshFolder, type RunningService, startService } from "./support/service.ts";

/** The reference in a real browser. Runs where Chromium is installed; elsewhere it says that it did not. */
const CHROMIUM = "/usr/bin/chromium";
const CHROMIUM_ARGS = [
  ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
  ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
];
if (!existsSync(CHROMIUM)) {
  console.warn("the reference in a browser: SKIPPED, no Chromium found (Debian: apt-get install chromium)");
}

describe.skipIf(!existsSync(CHROMIUM))("the reference in a browser", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startService(freshFolder(), await freePort()),
      chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS }),
    ]);
  }, 150_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

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
