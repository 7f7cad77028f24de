import type { BrowserContext, Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Import and export as people use them: a file, its plan, the run, its end. */

/** Time until something is there on a busy machine. */
const SOON = { timeout: 20_000 };

describe.skipIf(!hasChromium("imports in a browser"))("imports in a browser", () => {
  const dashboard = useDashboard();
  const { service, open, picture } = dashboard;
  let context: BrowserContext;
  let page: Page;
  beforeAll(() => {
    ({ context, page } = dashboard);
  });

  const csv = (name: string, ...lines: string[]) => ({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\r\n")),
  });
  const choose = (file: ReturnType<typeof csv>, on = page) =>
    on.locator("input[type=file]").setInputFiles(file);
  const table = (on = page) => on.getByRole("table", { name: "Rows of the file" });
  const total = (name: string) => page.getByRole("radio", { name });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const focusedText = () => page.evaluate<string>("document.activeElement.textContent");

  async function findLinks(label: string) {
    const query = { label, limit: 100 } as const;
    return (await service.client.GET("/v1/links", { params: { query } })).data?.data ?? [];
  }

  test("the keyboard alone imports the sample, saves the report, and a repetition makes nothing", async () => {
    await open("/overview");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByText("No file at hand?").waitFor();
    await expectAccessible(page);
    await picture("import-start");
    await page.getByRole("button", { name: "See what it would do" }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("signpost-sample.csv");
    await table().waitFor();
    expect(await table().getByRole("row").count()).toBe(4);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Import 3 links" }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("3 links were made");
    await expectAccessible(page);
    await picture("import-done");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the report" }).press("Enter"),
    ]);
    const report = (await (await download.createReadStream()).toArray()).join("");
    expect(report.match(/,created,/g)).toHaveLength(3);
    const [sale] = await findLinks("2027");
    expect(sale).toMatchObject({
      short_code: "summer-sale",
      title: "Summer sale",
      labels: ["print", "2027"],
    });

    await page.getByRole("button", { name: "Import another file" }).press("Enter");
    await expect.poll(focusedText).toBe("Import and export");
    await page.getByRole("button", { name: "See what it would do" }).press("Enter");
    await total("3 exist already").waitFor();
    await page.getByText("There is nothing to make").waitFor();
  });

  test("a file of a wrong format is told with its line, and what was chosen is kept", async () => {
    await open("/import?source=bitly");
    await page.getByText(/Bitly's dashboard/).waitFor();
    await choose(csv("page.csv", "<!doctype html>", "<p>Sign in</p>"));
    await page.getByText("This file cannot be read").waitFor();
    await page.getByText("Line 1: found a page of HTML or XML, expected CSV or JSON.").waitFor();
    expect(await page.getByRole("combobox", { name: "Comes from" }).inputValue()).toBe("bitly");
    await expectAccessible(page);
    await picture("import-fault");
    await page.getByRole("button", { name: "Another file" }).press("Enter");
    await page.getByText("No file at hand?").waitFor();
  });

  test("columns with unknown names are mapped, and conflicts are planned again at once", async () => {
    await service.client.POST("/v1/links", {
      body: { url: "https://example.com/taken", custom_slug: "taken" },
    });
    await open("/import");
    await choose(
      csv(
        "spalten.csv",
        "Adresse;Kürzel;Name",
        "https://example.com/other;taken;Ärger",
        "https://example.com/free;frei-1;Frei",
        "kein Link;frei-2;Leer",
      ),
    );
    const destination = page.getByRole("combobox", { name: "Destination", exact: true });
    await expect.poll(() => destination.getAttribute("aria-invalid"), SOON).toBe("true");
    await expectAccessible(page);
    await picture("import-columns");
    await destination.selectOption("Adresse");
    await page.getByText("https://example.com/other").first().waitFor();
    await page.getByRole("combobox", { name: "Short code", exact: true }).selectOption("Kürzel");
    await total("1 in conflict").waitFor();
    await total("1 cannot be read").waitFor();
    await total("1 in conflict").check();
    expect(parameter("show")).toBe("conflict");
    expect(await table().getByRole("row").count()).toBe(2);
    await table().getByText("leads to https://example.com/taken").waitFor();
    await picture("import-conflict");

    const way = page.getByRole("combobox", { name: "If another link has the short code" });
    await way.selectOption("fail");
    await page.getByText("A row is in conflict", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Import 1/ }).getAttribute("aria-disabled")).toBe("true");
    await way.selectOption("suffix");
    await total("2 to be made").check();
    await table().getByText("/taken-2").waitFor();
    expect(parameter("conflict")).toBe("suffix");
    const labels = page.getByRole("combobox", { name: "Labels for all of them" });
    await labels.fill("umzug");
    await labels.press("Enter");
    await page.getByRole("button", { name: "Import 2 links" }).click();
    await page.getByRole("link", { name: "Show links with “umzug”" }).click();
    await page.getByRole("button", { name: "Ärger" }).waitFor();
    expect(await findLinks("umzug")).toHaveLength(2);
  });

  test("an import is stopped, asks before the page is left, and goes on without making anything twice", async () => {
    const lines = Array.from(
      { length: 450 },
      (_, index) => `https://example.com/${index},bulk-${index},bulk`,
    );
    await open("/import");
    await choose(csv("bulk.csv", "url,slug,labels", ...lines));
    await page.getByRole("button", { name: "Import 450 links" }).waitFor();
    await expect.poll(() => table().getByRole("row").count(), SOON).toBe(101);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => table().getByRole("row").count(), SOON).toBe(201);
    // The first calls wait until the import is stopped.
    const held: Route[] = [];
    await context.route(/\/v1\/links\/bulk$/, (route) => void held.push(route));
    await page.getByRole("button", { name: "Import 450 links" }).click();
    await expect.poll(() => held.length, SOON).toBe(3);
    expect(await focusedText()).toBe("Stop");
    const isAsked =
      "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()";
    expect(await page.evaluate(isAsked)).toBe(true);
    await expectAccessible(page);
    await picture("import-running");
    await page.getByRole("button", { name: "Stop" }).press("Enter");
    await Promise.all(held.map((route) => route.continue()));
    await page.getByRole("heading", { name: /^Stopped: \d+ links were made$/ }).waitFor(SOON);
    expect(await page.evaluate(isAsked)).toBe(false);
    await expectAccessible(page);
    await picture("import-stopped");
    await context.unrouteAll();
    await page.getByRole("button", { name: /^Go on with \d+ links$/ }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("450 links were made");
    await total("450 made").waitFor();
    const { data } = await service.client.GET("/v1/links", {
      params: { query: { search: "bulk-", limit: 1 } },
    });
    expect(data?.meta.total).toBe(450);
  });

  test("a refusal ends the import with what to do, and a way on", async () => {
    await open("/import");
    await choose(csv("lost.csv", "url,slug", "https://example.com/lost,lost-1"));
    await page.getByRole("button", { name: "Import 1 link" }).waitFor();
    dashboard.expected = /403/;
    await context.route(/\/v1\/links\/bulk$/, (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: "PLAN_LIMIT_EXCEEDED", message: "The plan allows no more" }, meta: {} },
      }),
    );
    await page.getByRole("button", { name: "Import 1 link" }).press("Enter");
    await page.getByText("The plan allows no more. Go on next month").waitFor();
    await context.unrouteAll();
    await page.getByRole("button", { name: "Go on with 1 link" }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("1 link was made");
  });

  test("a finger imports at 360 pixels, in the dark too", async () => {
    const small = await dashboard.openPhone();
    await small.emulateMedia({ colorScheme: "dark" });
    await open("/import", small);
    await small.getByRole("radio", { name: "Short.io" }).tap();
    await small.getByText(/api\.short\.io/).waitFor();
    await expectNoSidewaysScrolling(small);
    await expectAccessibleLook(small);
    await picture("import-phone", small);
    await small.getByRole("radio", { name: "Detect" }).tap();
    await choose(csv("phone.csv", "url,slug,title", "https://example.com/phone,phone-1,By phone"), small);
    await table(small).waitFor();
    await expectNoSidewaysScrolling(small);
    await expectAccessibleLook(small);
    await picture("import-phone-plan", small);
    await small.getByRole("button", { name: "Import 1 link" }).tap();
    await small.getByRole("heading", { name: "1 link was made" }).waitFor();
    await expectAccessibleLook(small);
    await picture("import-phone-done", small);
    await small.getByRole("tab", { name: "Export" }).tap();
    await expectNoSidewaysScrolling(small);
    await expectAccessibleLook(small);
    await small.context().close();
  });

  test("viewers export all links; a plan without exports and bulk operations says so", async () => {
    const session = await page.evaluate<{ data: { workspaces: { role: string; plan: string }[] } }>(
      "fetch('/v1/session').then((response) => response.json())",
    );
    const show = async (change: Partial<{ role: string; plan: string }>) => {
      for (const workspace of session.data.workspaces) Object.assign(workspace, change);
      await context.route(/\/v1\/session$/, (route) => route.fulfill({ json: session }));
    };
    await show({ role: "viewer" });
    await open("/import");
    await page.getByText("You are a viewer here.").waitFor();
    expect(await page.locator("input[type=file]").count()).toBe(0);
    await expectAccessible(page);
    await picture("export");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save links as CSV" }).press("Enter"),
    ]);
    expect(download.suggestedFilename()).toMatch(/^links-\d{4}-\d\d-\d\d\.csv$/);
    const text = (await (await download.createReadStream()).toArray()).join("");
    expect(text).toMatch(/^id,short_url,short_code,/);

    await show({ role: "owner", plan: "free" });
    await open("/import?tab=export");
    await page.getByText("The plan “free” has no export as CSV.").waitFor();
    expect(await page.getByRole("button", { name: "Save links as CSV" }).count()).toBe(0);
    const { data: usage } = await service.client.GET("/v1/workspace/usage");
    const free = { ...usage, data: { ...usage?.data, plan: "free" } };
    await context.route(/\/v1\/workspace\/usage$/, (route) => route.fulfill({ json: free }));
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByRole("button", { name: "See what it would do" }).click();
    await page.getByText("has no commands for many links").waitFor();
    await expectAccessible(page);
  });
});
