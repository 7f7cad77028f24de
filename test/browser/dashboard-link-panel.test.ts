import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFitsPhone } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Link panel in a browser, with the animations of dialogs, toasts and moved rules. */

/** Label of the focused field, or null while a button or nothing has the focus. */
const FOCUSED_FIELD = "document.activeElement.labels?.[0]?.textContent ?? null";

describe.skipIf(!hasChromium("the panel of a link"))("the panel of a link in a browser", () => {
  const dashboard = useDashboard({ hasMotion: true });
  const { service, open, toast } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  async function createLink(body: Record<string, unknown>): Promise<string> {
    const { data } = await service.client.POST("/v1/links", { body: body as { url: string } });
    return data?.data.id ?? "";
  }

  async function readLink(id: string) {
    const { data } = await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } });
    return data?.data;
  }

  test("rules are added, reordered and corrected by keyboard alone", async () => {
    const id = await createLink({
      url: "https://shop.example.com/",
      routing_rules: [{ when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" }],
    });
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Country", exact: true }).press("Enter");
    await expect.poll(() => page.evaluate(FOCUSED_FIELD)).toBe("Country");
    for (const typed of ["at", "germa"]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
    }
    await dialog.getByText("If the visitor is in Austria or Germany").waitFor();
    await dialog.getByRole("button", { name: "Move rule 2" }).press("Alt+ArrowUp");
    await dialog.getByText("rule 2: position 1 of 2").waitFor({ state: "attached" });
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Move rule 1");
    dashboard.expected = /400/;
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    // The service's error appears at the field of the rule, which has the focus.
    await expect.poll(() => page.evaluate(FOCUSED_FIELD)).toBe("Destination");
    await dialog.getByText("Must be an http or https URL.").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.type("shop.example.com/dach");
    await page.keyboard.press("Enter");
    await toast("Saved").waitFor();
    expect((await readLink(id))?.routing_rules).toEqual([
      { when: { country: ["AT", "DE"] }, destination: "https://shop.example.com/dach" },
      { when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
    ]);
  });

  test("a rule is dragged by touch at 360 pixels", async () => {
    const rule = (os: string) => ({ when: { os: [os] }, destination: `https://${os}.example.com/` });
    const id = await createLink({
      url: "https://shop.example.com/",
      routing_rules: ["ios", "android", "windows"].map(rule),
    });
    const small = await dashboard.openPhone();
    await open(`/links?link=${id}`, small);
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
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => list.getByRole("listitem").first().textContent()).toMatch(/Windows/);
    // Browsers ignore a tap immediately after a movement, which no hand could make.
    await small.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(async () => (await readLink(id))?.routing_rules.map(({ when }) => when.os))
      .toEqual([["windows"], ["ios"], ["android"]]);
  });
});
