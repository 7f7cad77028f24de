import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFitsPhone, expectNoSidewaysScrolling } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { createLink, readLink } from "../support/client-links.ts";
import { useDashboard } from "./support/dashboard.ts";

/** The dashboard on a phone of 360 pixels, used by touch. The tests share one page, because loading it takes long. */

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const PREVIEW = "iframe[title='Page preview']";

describe.skipIf(!hasChromium("the dashboard on a phone"))("the dashboard on a phone", () => {
  const dashboard = useDashboard();
  const { service, open, follow } = dashboard;
  let small: Page;
  let saleId = "";
  beforeAll(async () => {
    saleId = await createLink(service.client, {
      url: "https://shop.example.com/",
      custom_slug: "sale",
      title: "Sale",
    });
    const headers = { "User-Agent": IPHONE };
    expect((await service.visit(service.host, "/sale", { headers })).status).toBe(302);
    small = await dashboard.openPhone();
    await open("/links", small);
  });

  test("the settings and a new link are reached through the drawer", async () => {
    await small.getByRole("button", { name: "Menu", exact: true }).tap();
    await small.getByRole("dialog").getByRole("link", { name: "Links" }).waitFor();
    await expectFitsPhone(small);
    await small.getByRole("dialog").getByRole("link", { name: "Settings" }).tap();
    await small.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Sessions" }).tap();
    await expect.poll(() => small.url()).toBe(dashboard.app("/settings/sessions"));
    await small.getByRole("button", { name: "Menu", exact: true }).tap();
    await small.getByRole("dialog").getByRole("link", { name: "Links" }).tap();
    await small.getByRole("button", { name: "Create link" }).first().tap();
    const dialog = small.getByRole("dialog", { name: "New link" });
    await dialog.getByRole("textbox", { name: "Destination" }).fill("https://example.com/phone");
    await dialog.getByRole("button", { name: "Create link" }).tap();
    await small
      .getByRole("dialog")
      .getByRole("img", { name: /QR code of http/ })
      .waitFor();
  });

  test("the page editor shows either the form or the preview", async () => {
    const links = [{ label: "Reserve", url: "https://example.com/reserve" }];
    const body = { title: "Café Marlene", page_data: { theme: "sunrise" as const, links } };
    const { data } = await service.client.POST("/v1/bio/pages", { body });
    await follow(`/pages/${data?.data.id}`, small);
    await small.getByRole("button", { name: /^Reserve/ }).tap();
    const label = small.getByRole("textbox", { name: "Label" });
    await label.fill("Reserve a table");
    await small.getByRole("radio", { name: "Preview" }).check();
    await small.locator("[data-device]").waitFor();
    expect(await label.isVisible()).toBe(false);
    const readShown = () => small.frameLocator(PREVIEW).locator(".link").allTextContents();
    await expect.poll(readShown).toContain("Reserve a table");
    await expectFitsPhone(small);
  });

  test("the chart works by touch, without sideways scrolling", async () => {
    // The scan is counted within seconds.
    await expect
      .poll(async () => (await readLink(service.client, saleId))?.scan_count, { interval: 400 })
      .toBe(1);
    await follow(`/links/${saleId}`, small);
    const chart = small.getByRole("slider", { name: "Sale (chart)" });
    await chart.locator("canvas").waitFor();
    await chart.tap();
    const readout = small.locator("[data-ui=chart-readout]");
    await readout.waitFor();
    // Browsers send events of a mouse after a tap, the last one when it has left.
    await chart.locator(".u-over").dispatchEvent("mouseleave");
    await readout.waitFor();
    await expectNoSidewaysScrolling(small);
    await small.getByRole("heading", { level: 1 }).tap();
    await readout.waitFor({ state: "detached" });
    await small.getByRole("radio", { name: "Last 7 days" }).tap();
    await expect.poll(() => new URL(small.url()).searchParams.get("range")).toBe("7d");
  });

  test("the QR studio shows the code above the fields", async () => {
    await follow("/qr", small);
    const code = small.getByRole("img", { name: /^QR code of/ });
    await code.waitFor();
    const soft = small.getByRole("radio", { name: "Soft" });
    await soft.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await soft.tap();
    // The code stays visible while the fields scroll below it.
    await expect.poll(async () => (await code.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    await expect.poll(() => new URL(small.url()).searchParams.get("design")).toContain("kextra-rounded");
  });

  test("a rule is dragged by touch, with the animation of moved rules", async () => {
    await small.emulateMedia({ reducedMotion: "no-preference" });
    const rule = (os: string) => ({ when: { os: [os] }, destination: `https://${os}.example.com/` });
    const routing_rules = ["ios", "android", "windows"].map(rule);
    const id = await createLink(service.client, { url: "https://shop.example.com/", routing_rules });
    await follow(`/links?link=${id}`, small);
    const list = small.getByRole("list", { name: "Rules" });
    await list.getByText("Windows", { exact: true }).scrollIntoViewIfNeeded();
    await expectFitsPhone(small);
    const from = await small.getByRole("button", { name: "Move rule 3" }).boundingBox();
    const to = await small.getByRole("button", { name: "Move rule 1" }).boundingBox();
    if (from === null || to === null) throw new Error("the handles are not in sight");
    const finger = await small.context().newCDPSession(small);
    const touch = (type: "touchStart" | "touchMove", y: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x: from.x + 8, y }] });
    await touch("touchStart", from.y + 8);
    for (let step = 1; step <= 6; step++) {
      await touch("touchMove", from.y + 8 + ((to.y - 8 - from.y) * step) / 6);
    }
    // The finger rests before it is lifted. Otherwise Chromium takes the drag for a fling, and ignores taps for half a second.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => list.getByRole("listitem").first().textContent()).toMatch(/Windows/);
    await small.getByRole("button", { name: "Save", exact: true }).tap();
    await expect
      .poll(async () => (await readLink(service.client, id))?.routing_rules.map(({ when }) => when.os))
      .toEqual([["windows"], ["ios"], ["android"]]);
    await small.emulateMedia({ reducedMotion: "reduce" });
  });

  test("links are imported", async () => {
    await follow("/import", small);
    const buffer = Buffer.from("url,slug,title\r\nhttps://example.com/phone,phone-1,By phone");
    await small
      .locator("input[type=file]")
      .setInputFiles({ name: "phone.csv", mimeType: "text/csv", buffer });
    await small.getByRole("table", { name: "Rows in the file" }).waitFor();
    await expectFitsPhone(small);
    await small.getByRole("button", { name: "Import 1 link" }).tap();
    await small.getByRole("heading", { name: "1 link imported" }).waitFor();
    await expectFitsPhone(small);
  });
});
