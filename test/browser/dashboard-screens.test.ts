import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { useDashboard } from "./support/dashboard.ts";

/**
 * Every screen of the dashboard: layout shifts, accessibility, and width on a phone. Tests of single screens need not check
 * this again, except for what opens during them.
 */

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
/** Layout shift of a screen that is too small to notice. */
const SHIFT_MAX = 0.01;

/** Records layout shifts of a page with their size, including those since it was loaded. */
const WATCH_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push({ value, moved: sources.map(({ node }) => node?.className || node?.nodeName).join(", ") });
  }).observe({ type: "layout-shift", buffered: true });
`;
/** Waits until the last drawn frame has been reported. */
const DRAWN =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))))";

/**
 * Screens that a desktop and a phone open by a page load. The others are opened by navigation, which takes half of the
 * time.
 */
const LOADED = { desktop: 4, phone: 1 };
/**
 * Screens with other components in an empty workspace. The long run also checks the lists, whose empty state is among
 * the components of `/components`.
 */
const EMPTY = [
  ...["/overview", "/qr"],
  ...(IS_LONG ? ["/links", "/pages", "/assets", "/analytics", "/webhooks"] : []),
];

describe.skipIf(!hasChromium("screens of the dashboard"))("screens of the dashboard", () => {
  const dashboard = useDashboard();
  const { service, open, follow } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  test("no screen has a violation in an empty workspace", async () => {
    await open("/overview");
    for (const path of EMPTY) {
      await follow(path);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await expectAccessible(page, ["main"]);
    }
  });

  /** Resources of the workspace, at least one of each kind. */
  async function fillWorkspace() {
    const { client } = service;
    const rules = [
      { when: { country: ["DE"] }, destination: "https://shop.example.com/de" },
      { name: "Phones", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
    ];
    const url = "https://shop.example.com/";
    const body = { url, custom_slug: "sale", title: "Summer sale", routing_rules: rules };
    const link = await client.POST("/v1/links", { body: body as { url: string } });
    await client.POST("/v1/links", { body: { url, custom_slug: "menu" } });
    const trashed = await client.POST("/v1/links", { body: { url, custom_slug: "trashed" } });
    const trashedPath = { link_id: trashed.data?.data.id ?? "" };
    await client.DELETE("/v1/links/{link_id}", { params: { path: trashedPath } });
    const path = { link_id: link.data?.data.id ?? "" };
    await client.PATCH("/v1/links/{link_id}", { params: { path }, body: { labels: ["print"] } });
    const visit = await service.visit(service.host, "/sale", { headers: { "User-Agent": IPHONE } });
    expect(visit.status).toBe(302);
    const links = [
      { label: "Menu", url: "https://example.com/menu", highlight: true },
      { label: "Visit", type: "heading" as const },
      { label: "Reserve", url: "https://example.com/reserve", ends_at: "2099-01-01T00:00:00Z" },
    ];
    const bioPage = await client.POST("/v1/bio/pages", {
      body: { title: "Walk", page_data: { theme: "sunrise", links } },
    });
    const endpoint = await client.POST("/v1/webhooks", {
      body: { url: "http://127.0.0.1:9/", description: "Walk" },
    });
    const params = { path: { webhook_id: endpoint.data?.data.id ?? "" } };
    await client.POST("/v1/webhooks/{webhook_id}/test", { params });
    await client.POST("/v1/qr/templates", { body: { name: "Walk", design: {} } });
    await client.POST("/v1/domains", { body: { hostname: `walk.${service.slug}.example` } });
    const size = { filename: "notes.txt", mime_type: "text/plain", file_size: 4 };
    const { data: asset } = await client.POST("/v1/assets/presign", { body: size });
    const { upload } = asset?.data ?? {};
    await fetch(upload?.url ?? "", { method: "PUT", headers: upload?.headers ?? {}, body: "text" });
    const assetPath = { path: { asset_id: asset?.data.id ?? "" } };
    await client.POST("/v1/assets/{asset_id}/confirm", { params: assetPath });
    await expect
      .poll(async () => {
        const { data } = await client.GET("/v1/links/{link_id}", { params: { path } });
        return data?.data.scan_count;
      })
      .toBe(1);
    return { link: path.link_id, bioPage: bioPage.data?.data.id, endpoint: params.path.webhook_id };
  }

  /** Returns the path of every screen: the screens of the navigation, and one of each resource. */
  async function listScreens(): Promise<string[]> {
    const ids = await fillWorkspace();
    await open("/settings");
    const entries = await page
      .locator("nav[aria-label=Main] a, nav[aria-label=Settings] a")
      .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute("href") ?? ""));
    return [
      // It shows the screen of `/settings/workspace`.
      ...entries.filter((path) => path !== "/settings"),
      ...[`/links/${ids.link}`, `/pages/${ids.bioPage}`, `/webhooks/${ids.endpoint}`],
      // Screens in other states, and parts of screens that a URL opens.
      ...[
        `/links?link=${ids.link}`,
        `/links?link=${ids.link}&tab=test`,
        `/links?link=${ids.link}&tab=history`,
      ],
      ...["design", "sharing", "visits"].map((tab) => `/pages/${ids.bioPage}?tab=${tab}`),
      ...[`/pages/${ids.bioPage}?block=1`, "/analytics?before=on&view=table"],
      ...["/analytics?range=custom&from=2026-01-05&to=2026-02-20", "/assets?kind=document&view=table"],
      ...[
        "/qr?view=print&mm=200",
        "/qr?view=many",
        "/qr?design=fdddddd_c123456",
        "/import?tab=export",
        "/pages?new=musician",
      ],
      ...["/components", "/nothing-here"],
    ];
  }

  test("screens have no layout shift and no violation, on a desktop and on a phone in the dark theme", async () => {
    const screens = await listScreens();
    expect(screens.length).toBeGreaterThan(35);
    const small = await dashboard.openPhone();
    const restless: unknown[] = [];
    for (const on of [page, small]) {
      const loaded = on === small ? LOADED.phone : LOADED.desktop;
      for (const [index, path] of screens.entries()) {
        const isState = path.includes("?");
        // Other states of a screen have the same components, so one theme and one width are enough for them.
        if (isState && on === page && !IS_LONG) continue;
        if (on === small) await on.emulateMedia({ colorScheme: isState ? "light" : "dark" });
        if (index < loaded) {
          await open(path, on);
          // Not as an initial script, which the page would keep for the next test file.
          await on.evaluate(WATCH_SHIFTS);
        } else await follow(path, on);
        await on.evaluate(DRAWN);
        const shifts = (await on.evaluate("shifts.splice(0)")) as { value: number; moved: string }[];
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        // Another state of a screen may have another height.
        if (sum > SHIFT_MAX && !isState) restless.push({ path, isPhone: on === small, shifts });
        // The navigation next to the screens is the same.
        const within = index === 0 ? undefined : ["main", "dialog"];
        if (on === small) await expectNoSidewaysScrolling(on);
        // The document was checked on the desktop, and the dark theme has the same colours there.
        if (on === small && !isState) await expectAccessibleLook(on, within);
        else await expectAccessible(on, within);
      }
    }
    expect(restless).toEqual([]);
  }, 300_000);
});
