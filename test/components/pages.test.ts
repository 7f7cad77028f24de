import { describe, expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Bio pages in the dashboard, over the code of the service: list and editor. */

describe("bio pages", () => {
  const dashboard = useDashboard();
  const { open, route, unrouteAll, toast } = dashboard;
  test("faults stand at the fields, in the tab that has them", async () => {
    await openEditor(cafeId, "?tab=design");
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await page.getByRole("textbox", { name: "Background", exact: true }).fill("fff");
    await text.fill("#bbbbbb");
    await page.getByText("Must have a contrast of at least 4.5").waitFor();
    await page.getByRole("tab", { name: "Content" }).click();
    await page.getByRole("button", { name: /^Reserve/ }).click();
    await page.getByRole("textbox", { name: "Address" }).fill("no address");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an http, https, mailto or tel URL.").waitFor();
    await page.getByRole("tab", { name: "Design (1 to correct)" }).waitFor();
    await soon(() => page.evaluate("document.activeElement.value")).toBe("no address");
    await page.getByRole("button", { name: "Commands for this page" }).click();
    await page.getByRole("menuitem", { name: "Discard changes" }).click();
    await soon(() => page.getByRole("button", { name: "Saved" }).count()).toBe(1);
  });

  test("changes outlive the screen and a reload", async () => {
    await openEditor(cafeId);
    await page.getByRole("textbox", { name: "Title" }).fill("Café Marlene & Co");
    await page.getByRole("link", { name: "Bio pages" }).first().click();
    await toast("Not saved. Your changes are kept.").getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await toast("Saved").waitFor();
    expect((await readPage(cafeId)).title).toBe("Café Marlene & Co");
  });

  test("a page is duplicated, and a deletion can be undone", async () => {
    await open("/pages");
    const cards = page.locator(".page-card");
    const count = await cards.count();
    const openMenu = () =>
      page
        .getByRole("button", { name: /^Commands for Night Ferry/ })
        .first()
        .click();
    await openMenu();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await soon(() => cards.count()).toBe(count + 1);
    await openMenu();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await soon(() => cards.count()).toBe(count);
    await toast("is deleted").getByRole("button", { name: "Undo" }).click();
    await soon(() => cards.count()).toBe(count + 1);
  });

  test("viewers see pages without commands, and nobody an empty list without a way on", async () => {
    const session = await page.evaluate<{ data: { workspaces: { role: string }[] } }>(
      "fetch('/v1/session').then((response) => response.json())",
    );
    for (const workspace of session.data.workspaces) workspace.role = "viewer";
    route(/\/v1\/session$/, (route) => route.fulfill({ json: session }));
    await openEditor(cafeId);
    expect(await page.getByRole("button", { name: /Save|Publish|Add link|Undo/ }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Title" }).isDisabled()).toBe(true);
    await open("/pages");
    expect(await page.getByRole("button", { name: /Create/ }).count()).toBe(0);
    unrouteAll();
    route(/\/v1\/bio\/pages\?/, (route) =>
      route.fulfill({
        json: { data: [], meta: { request_id: "request-7", total: 0, limit: 24, offset: 0 } },
      }),
    );
    await open("/pages");
    await page.getByRole("button", { name: "Create your first page" }).waitFor();
    await open("/pages/unknown");
    await page.getByRole("link", { name: "Go to your pages" }).waitFor();
  });
});
