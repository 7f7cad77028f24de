import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Bio pages in the dashboard with the service's code: list and editor. */

describe("bio pages", () => {
  const dashboard = useDashboard();
  const { open, toast } = dashboard;

  // Previews are frames, which are not loaded here. happy-dom reports this.
  beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  afterAll(() => void vi.restoreAllMocks());

  async function createPage(title: string, own: Record<string, unknown> = {}): Promise<string> {
    const links = [
      { label: "Menu", url: "https://example.com/menu", highlight: true },
      { label: "Visit", type: "heading" as const },
      { label: "Reserve", url: "https://example.com/reserve" },
    ];
    const body = { title, page_data: { theme: "sunrise", links, ...own } };
    const { data } = await dashboard.service.client.POST("/v1/bio/pages", { body });
    return data?.data.id ?? "";
  }

  test("an empty list offers to create a page", async () => {
    await open("/pages");
    await page.getByRole("button", { name: "Create your first page" }).waitFor();
  });

  test("errors appear next to their fields, and the tab counts them", async () => {
    await open(`/pages/${await createPage("Café Marlene")}?tab=design`);
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await page.getByRole("textbox", { name: "Background", exact: true }).fill("fff");
    await text.fill("#bbbbbb");
    await page.getByText("Must have a contrast ratio of at least 4.5").waitFor();
    await page.getByRole("tab", { name: "Content" }).click();
    await page.getByRole("button", { name: /^Reserve/ }).click();
    await page.getByRole("textbox", { name: "URL" }).fill("not a URL");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an http, https, mailto or tel URL.").waitFor();
    await page.getByRole("tab", { name: "Design (1 to fix)" }).waitFor();
    await expect.poll(() => (document.activeElement as HTMLInputElement).value).toBe("not a URL");
    await page.getByRole("button", { name: "Actions for this page" }).click();
    await page.getByRole("menuitem", { name: "Discard changes" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Saved" }).count()).toBe(1);
  });

  async function readPage(page_id: string) {
    const params = { path: { page_id } };
    return (await dashboard.service.client.GET("/v1/bio/pages/{page_id}", { params })).data?.data;
  }

  test("links are reordered, and every step can be undone", async () => {
    const id = await createPage("Café Marlene", { own: { kept: true } });
    await open(`/pages/${id}?block=0`);
    const listBlocks = () =>
      [...document.querySelectorAll("[data-handle]")].map((handle) =>
        handle.getAttribute("aria-label")?.slice("Move ".length),
      );
    await page.getByRole("button", { name: "Move Menu" }).press("End");
    await expect.poll(listBlocks).toEqual(["Visit", "Reserve", "Menu"]);
    // The open block stays open, and the URL follows.
    await expect.poll(() => page.url()).toMatch(/block=2$/);
    await page.getByRole("textbox", { name: "Label" }).fill("Today’s menu");
    await expect.poll(listBlocks).toEqual(["Visit", "Reserve", "Today’s menu"]);
    await page.keyboard.press("ControlOrMeta+Z");
    await page.keyboard.press("ControlOrMeta+Z");
    await expect.poll(listBlocks).toEqual(["Menu", "Visit", "Reserve"]);
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await expect.poll(listBlocks).toEqual(["Visit", "Reserve", "Menu"]);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect.poll(listBlocks).toEqual(["Visit", "Reserve"]);
    await toast(" removed").getByRole("button", { name: "Undo" }).click();
    await expect.poll(listBlocks).toEqual(["Visit", "Reserve", "Menu"]);
    await page.keyboard.press("ControlOrMeta+S");
    await toast("Saved").waitFor();
    const { links, own } = (await readPage(id))?.page_data ?? {};
    expect(links).toMatchObject([{ label: "Visit" }, { label: "Reserve" }, { label: "Menu" }]);
    expect(own).toEqual({ kept: true });
  });

  test("changes survive leaving the screen and a reload, before which the browser asks", async () => {
    const id = await createPage("Café Marlene");
    await open(`/pages/${id}`);
    await page.getByRole("textbox", { name: "Title" }).fill("Café Marlene & Co");
    await page.getByRole("link", { name: "Bio pages" }).first().click();
    await toast("Not saved. Your changes are still here.")
      .getByRole("button", { name: "Continue editing" })
      .click();
    const heading = page.getByRole("heading", { name: "Café Marlene & Co" });
    await heading.waitFor();
    expect(dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
    await open(`/pages/${id}`);
    await heading.waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await toast(/^Saved/).waitFor();
    expect((await readPage(id))?.title).toBe("Café Marlene & Co");
    expect(dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  });

  test("a page is duplicated, and a deletion can be undone", async () => {
    await createPage("Night Ferry");
    await open("/pages");
    const cards = page.locator("main li h2");
    const count = await cards.count();
    const openMenu = () =>
      page
        .getByRole("button", { name: /^Actions for Night Ferry/ })
        .first()
        .click();
    await openMenu();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await expect.poll(() => cards.count()).toBe(count + 1);
    await openMenu();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect.poll(() => cards.count()).toBe(count);
    await toast(" deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => cards.count()).toBe(count + 1);
  });

  test("viewers see pages without actions", async () => {
    const id = await createPage("Café Marlene");
    await dashboard.service.setRole("viewer");
    await open(`/pages/${id}`);
    expect(await page.getByRole("button", { name: /Save|Publish|Add link|Undo/ }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Title" }).isDisabled()).toBe(true);
    await open("/pages");
    expect(await page.getByRole("button", { name: /Create/ }).count()).toBe(0);
    await open("/pages/unknown");
    await page.getByRole("link", { name: "View all pages" }).waitFor();
  });
});
