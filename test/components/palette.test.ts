import { expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Command palette with the service's code. */

const dashboard = useDashboard();
const input = page.getByRole("combobox", { name: "Search links, screens and actions" });
const options = page.getByRole("option");

async function openPalette(): Promise<void> {
  await page.keyboard.press("Control+K");
  await input.waitFor();
}

/** Returns the text of the option that Enter runs. */
async function readActive(): Promise<string> {
  const id = await input.getAttribute("aria-activedescendant");
  return page.locator(`[id="${id}"][aria-selected="true"]`).textContent();
}

test("the palette opens links by code or title, screens and actions by keyboard alone", async () => {
  const body = { url: "https://example.com/autumn", custom_slug: "autumn-24", title: "Harvest festival" };
  const { data } = await dashboard.service.client.POST("/v1/links", { body });
  await dashboard.open("/settings");
  await openPalette();
  await page.keyboard.type("bio");
  expect(await readActive()).toContain("Bio pages");
  await page.keyboard.press("ArrowDown");
  expect(await readActive()).toContain("Create bio page");
  await page.keyboard.press("ArrowUp");
  expect(await readActive()).toContain("Bio pages");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await openPalette();
  await page.keyboard.type("zzz");
  await page.getByRole("status").filter({ hasText: "No matches" }).waitFor();
  await input.fill("dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => document.documentElement.dataset.theme).toBe("dark");
  await openPalette();
  for (const text of ["harvest", "autumn-2"]) {
    await input.fill(text);
    await options.filter({ hasText: "/autumn-24 → example.com/autumn" }).waitFor();
    expect(await readActive()).toContain("Harvest festival");
  }
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain(`/links/${data?.data.id}`);
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("the palette sends one search for what was typed last, and offers viewers no changes", async () => {
  const searches: string[] = [];
  dashboard.route(/\/v1\/links\?.*search=/, ({ url }) => {
    searches.push(new URL(url).searchParams.get("search") ?? "");
    return Response.json({ data: [], meta: { total: 0, total_is_capped: false, next_before: null } });
  });
  await dashboard.service.setRole("viewer");
  await dashboard.open("/settings");
  await openPalette();
  await page.keyboard.type("create");
  await page.getByRole("status").filter({ hasText: "No matches" }).waitFor();
  expect(searches).toEqual(["create"]);
});
