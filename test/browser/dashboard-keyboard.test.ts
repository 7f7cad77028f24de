import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { createLink, readLink } from "../support/client-links.ts";
import { useDashboard } from "./support/dashboard.ts";

/**
 * Charts, the panel of a link, webhooks and imports in a browser, by keyboard alone. All tests use one page, because a page
 * load takes long.
 */

const URL_OF_SHOP = "https://shop.example.com/";
/** Label of the focused field, or null while a button or nothing has the focus. */
const FOCUSED_FIELD = "document.activeElement.labels?.[0]?.textContent ?? null";

describe.skipIf(!hasChromium("the dashboard by keyboard"))("the dashboard by keyboard", () => {
  const dashboard = useDashboard();
  const { service, open, follow, toast } = dashboard;
  let page: Page;
  let receiver: Server;
  let receiverUrl = "";
  beforeAll(async () => {
    page = dashboard.page;
    receiver = createServer((_, response) => {
      response.end("thank you");
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    receiver?.closeAllConnections();
    receiver?.close();
  });

  const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

  test("the chart, its table and filters work by keyboard alone", async () => {
    const id = await createLink(service.client, { url: URL_OF_SHOP, custom_slug: "sale" });
    for (const country of ["DE", "FR"]) {
      const headers = { "CF-IPCountry": country };
      expect((await service.visit(service.host, "/sale", { headers })).status).toBe(302);
    }
    await open(`/links/${await createLink(service.client, { url: URL_OF_SHOP, custom_slug: "unseen" })}`);
    await page.getByRole("heading", { name: "No scans yet" }).waitFor();
    await expectAccessible(page, ["main"]);
    // The scans are counted within seconds.
    await expect
      .poll(async () => (await readLink(service.client, id))?.scan_count, { interval: 400 })
      .toBe(2);
    await follow("/analytics");
    const chart = page.getByRole("slider", { name: "Scans (chart)" });
    await chart.focus();
    // A key does nothing before the chart is drawn.
    await chart.locator("canvas").waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/ 20\d\d\. Scans: 2$/);
    await page.locator("[data-ui=chart-readout]").waitFor();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Scans: 0$/);
    await page.keyboard.press("Home");
    await expect.poll(() => chart.getAttribute("aria-valuenow")).toBe("0");
    await page.keyboard.press("Escape");
    await page.locator("[data-ui=chart-readout]").waitFor({ state: "detached" });
    // Screen readers get the table next to the chart; the button shows it to everyone.
    await page.getByRole("button", { name: "Show as table" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Scans (table)" }).getByRole("row").first().waitFor();
    const germany = page.getByRole("button", { name: "Germany", exact: true });
    await germany.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove filter: Country Germany" }).waitFor();
    expect(await germany.getAttribute("aria-pressed")).toBe("true");
    // Until a report is loaded, the previous one is shown dimmed.
    await page.getByRole("button", { name: "France", exact: true }).waitFor({ state: "detached" });
    await page
      .locator("main dl")
      .filter({ hasText: /Scans1/ })
      .first()
      .waitFor();
    await expectAccessible(page, ["main"]);
  });

  test("rules are added, reordered and corrected by keyboard alone", async () => {
    const id = await createLink(service.client, {
      url: URL_OF_SHOP,
      routing_rules: [{ when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" }],
    });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await follow(`/links?link=${id}`);
    const panel = page.getByRole("dialog");
    await panel.getByRole("button", { name: "Country", exact: true }).press("Enter");
    await expect.poll(() => page.evaluate(FOCUSED_FIELD)).toBe("Country");
    for (const typed of ["at", "germa"]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
    }
    await panel.getByText("If the visitor is in Austria or Germany").waitFor();
    await panel.getByRole("button", { name: "Move rule 2" }).press("Alt+ArrowUp");
    await panel.getByText("rule 2: position 1 of 2").waitFor({ state: "attached" });
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Move rule 1");
    dashboard.expected = /400/;
    await panel.getByRole("button", { name: "Save" }).press("Enter");
    // The service's error appears at the field of the rule, which has the focus.
    await expect.poll(() => page.evaluate(FOCUSED_FIELD)).toBe("Destination");
    await panel.getByText("Must be an http or https URL.").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.insertText("shop.example.com/dach");
    await page.keyboard.press("Enter");
    await toast("Saved").waitFor();
    expect((await readLink(service.client, id))?.routing_rules).toEqual([
      { when: { country: ["AT", "DE"] }, destination: "https://shop.example.com/dach" },
      { when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
    ]);
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  test("an endpoint is added and tested, and its delivery read, by keyboard alone", async () => {
    await follow("/links");
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await heading("Webhooks").waitFor();
    await page.getByRole("heading", { name: "Get notified of events" }).waitFor();
    await page.keyboard.press("c");
    await dialog("New endpoint").waitFor();
    await page.keyboard.insertText("ftp://receiver.example");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("Order system");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    dashboard.expected = /400/;
    await page.keyboard.press("Enter");
    await dialog("New endpoint").getByText("Choose at least one event.").waitFor();
    await dialog("New endpoint")
      .getByRole("checkbox", { name: /link\.created/ })
      .focus();
    await page.keyboard.press("Space");
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.press("Enter");
    const url = dialog("New endpoint").getByRole("textbox", { name: "URL" });
    await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
    await expect
      .poll(() => url.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await url.fill(`${receiverUrl}/good`);
    await page.keyboard.press("Enter");
    const secret = dialog("Endpoint created");
    expect(await secret.locator("[data-ui=secret] code").textContent()).toMatch(/^whsec_/);
    await expectAccessible(page, ["dialog[open]"]);
    await secret.getByRole("checkbox", { name: "I've saved it" }).focus();
    await page.keyboard.press("Space");
    await secret.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await secret.waitFor({ state: "detached" });
    await heading("Order system").waitFor();
    await button("Send test").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Test delivered").waitFor();
    await button("Details").focus();
    await page.keyboard.press("Enter");
    const delivery = dialog("webhook.test");
    await delivery.getByText("thank you").waitFor();
    await delivery.getByText('"event": "webhook.test"').waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.press("Escape");
    await delivery.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.has("delivery")).toBe(false);
  });

  const table = () => page.getByRole("table", { name: "Rows in the file" });
  const total = (name: string) => page.getByRole("radio", { name });
  const focusedText = () => page.evaluate<string>("document.activeElement.textContent");

  async function findLinks(label: string) {
    const query = { label, limit: 100 } as const;
    return (await service.client.GET("/v1/links", { params: { query } })).data?.data ?? [];
  }

  test("the sample is imported and its report downloaded by keyboard alone, and a second import creates nothing", async () => {
    await follow("/overview");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByText("Don't have a file yet?").waitFor();
    await page.getByRole("button", { name: "Preview import" }).press("Enter");
    await expect.poll(focusedText).toBe("signpost-sample.csv");
    await table().waitFor();
    expect(await table().getByRole("row").count()).toBe(4);
    await expectAccessible(page, ["main"]);
    await page.getByRole("button", { name: "Import 3 links" }).press("Enter");
    await expect.poll(focusedText).toBe("3 links imported");
    await expectAccessible(page, ["main"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download report" }).press("Enter"),
    ]);
    const report = readFileSync(await download.path(), "utf8");
    expect(report.match(/,created,/g)).toHaveLength(3);
    const [sale] = await findLinks("2027");
    expect(sale).toMatchObject({
      short_code: "summer-sale",
      title: "Summer sale",
      labels: ["print", "2027"],
    });

    await page.getByRole("button", { name: "Import another file" }).press("Enter");
    await expect.poll(focusedText).toBe("Import and export");
    await page.getByRole("button", { name: "Preview import" }).press("Enter");
    await total("3 already exist").waitFor();
    await page.getByText("Nothing to import").waitFor();
  });
});
