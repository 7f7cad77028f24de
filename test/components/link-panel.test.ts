import { describe, expect, test } from "vitest";
import { createLink, readLink } from "../support/client-links.ts";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Link panel and bulk actions with the service's code. */

describe("the panel of a link", () => {
  const dashboard = useDashboard();
  const { open, toast } = dashboard;

  test("a rule that the form doesn't support stays as JSON, and a removed rule can be restored", async () => {
    const id = await createLink(dashboard.service.client, {
      url: "https://shop.example.com/",
      routing_rules: [{ when: { os: ["ios"] }, block: true }],
    });
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog");
    const commands = dialog.getByRole("button", { name: "Actions for rule 1" });
    await commands.click();
    await page.getByRole("menuitem", { name: "Edit as JSON" }).click();
    await dialog.getByRole("button", { name: /If the visitor uses/ }).click();
    const text = dialog.getByRole("textbox", { name: "Rule as JSON" });
    expect(JSON.parse(await text.inputValue())).toEqual({ when: { os: ["ios"] }, block: true });
    await text.fill("{");
    await dialog.getByText("Invalid JSON: ").waitFor();
    await text.fill('{ "when": { "weekday": ["mon"] }, "block": true }');
    await dialog.getByText("options the form doesn't support").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("when.weekday: Is not a known field.").waitFor();
    await commands.click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await toast("Rule removed").getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("Rule (JSON)").waitFor();
  });

  test("a pasted URL and two clicks create a link with a rule for iPhones", async () => {
    await open("/links");
    const clipboardData = { getData: () => "https://shop.example.com/summer" };
    document.body.dispatchEvent(Object.assign(new Event("paste", { bubbles: true }), { clipboardData }));
    const dialog = page.getByRole("dialog", { name: "New link" });
    const destinations = dialog.getByRole("textbox", { name: "Destination" });
    await expect.poll(() => destinations.inputValue()).toBe("https://shop.example.com/summer");
    await dialog.getByText("Rules", { exact: true }).click();
    await dialog.getByRole("button", { name: "iPhone" }).click();
    await destinations.last().fill("apps.apple.com/app/id1");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await toast(" created").getByRole("button", { name: "Copy" }).waitFor();
    const id = new URL(page.url()).searchParams.get("link") ?? "";
    expect((await readLink(dashboard.service.client, id))?.routing_rules).toEqual([
      { when: { os: ["ios"], device: ["mobile"] }, destination: "https://apps.apple.com/app/id1" },
    ]);
  });

  test("a new link takes a campaign preset, and is still there after the panel was closed", async () => {
    await open("/links?link=new");
    const dialog = page.getByRole("dialog", { name: "New link" });
    await dialog.getByRole("img", { name: "Sample QR code" }).waitFor();
    const destination = dialog.getByRole("textbox", { name: "Destination", exact: true });
    await destination.fill("https://shop.example.com/");
    await dialog.getByText("Campaign", { exact: true }).first().click();
    await dialog.getByRole("button", { name: "Print" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Continue editing" }).click();
    const tagged = "https://shop.example.com/?utm_source=poster&utm_medium=print";
    await expect.poll(() => destination.inputValue()).toBe(tagged);
  });

  test("the tester shows which rule matches a visitor, and why the others don't", async () => {
    const id = await createLink(dashboard.service.client, {
      url: "https://shop.example.com/",
      routing_rules: [
        { when: { country: ["DE"] }, destination: "https://shop.example.com/de" },
        { name: "Phones", when: { os: ["ios"] }, destination: "https://apps.apple.com/app/id1" },
        { when: { after: "2026-01-01T00:00:00Z" }, destination: "https://shop.example.com/late" },
      ],
    });
    await open(`/links?link=${id}&tab=test`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "iPhone", exact: true }).click();
    await dialog.getByRole("combobox", { name: "Country" }).fill("fr");
    await page.keyboard.press("Enter");
    await dialog.getByText("Matched rule “Phones”.").waitFor();
    await dialog.getByText("The visitor's country is France.").waitFor();
    await dialog.getByText("Also matches, but an earlier rule applies.").waitFor();
    // The visitor is in the URL, and the link's next rule matches another visitor.
    await open(location.pathname + location.search);
    await dialog.getByText("The visitor's country is France.").waitFor();
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await dialog.getByText("Matched rule “#3”.").waitFor();
  });

  test("a change is reverted from the history, and the revert is undone", async () => {
    const id = await createLink(dashboard.service.client, {
      url: "https://shop.example.com/",
      title: "First",
    });
    const path = { link_id: id };
    await dashboard.service.client.PATCH("/v1/links/{link_id}", {
      params: { path },
      body: { title: "Second" },
    });
    await open(`/links?link=${id}&tab=history`);
    const dialog = page.getByRole("dialog", { name: "Second" });
    const newest = dialog.getByRole("list", { name: "Changes" }).getByRole("listitem").first();
    await newest.getByText("First").waitFor();
    await newest.getByRole("button", { name: /^Revert/ }).click();
    await page.getByRole("dialog", { name: "First" }).waitFor();
    expect((await readLink(dashboard.service.client, id))?.title).toBe("First");
    await toast("Change reverted").getByRole("button", { name: "Undo" }).click();
    await dialog.waitFor();
    await expect.poll(async () => (await readLink(dashboard.service.client, id))?.title).toBe("Second");
  });

  test("sections summarise their fields, and times use the chosen time zone", async () => {
    const id = await createLink(dashboard.service.client, {
      url: "https://shop.example.com/",
      expires_at: "2027-07-01T10:00:00Z",
    });
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog");
    await dialog.locator("summary", { hasText: "Schedule and scan limit" }).click();
    await dialog.getByRole("combobox", { name: "Time zone" }).fill("Berlin");
    await page.keyboard.press("Enter");
    const until = dialog.getByLabel("Expires");
    await expect.poll(() => until.inputValue()).toBe("2027-07-01T12:00");
    await until.fill("2027-08-01T09:30");
    await dialog.getByText("until 1 Aug 2027, 09:30").waitFor();
    await dialog.locator("summary", { hasText: "Link preview" }).click();
    await dialog.getByRole("textbox", { name: "Description" }).fill("Half off");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => dialog.getByRole("textbox", { name: "Title" }).last().getAttribute("aria-invalid"))
      .toBe("true");
    await dialog.getByRole("textbox", { name: "Title" }).last().fill("Summer");
    await dialog.getByRole("button", { name: "Save" }).click();
    await toast("Saved").waitFor();
    expect(await readLink(dashboard.service.client, id)).toMatchObject({
      expires_at: "2027-08-01T07:30:00.000Z",
      preview: { title: "Summer", description: "Half off", image_url: null },
    });
  });

  test("all matching links get labels, and undo restores each link's own labels", async () => {
    // Most of them already have the labels and need no call.
    const links = Array.from({ length: 60 }, (_, index) => ({
      url: "https://example.com/",
      custom_slug: `mass-${index}`,
      labels: index === 0 ? ["own", "old"] : index < 5 ? ["old"] : ["sale"],
    }));
    await dashboard.service.client.POST("/v1/links/bulk", { body: { links } });
    await open("/links?search=mass-");
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByRole("button", { name: "Select all 60" }).click();
    await bar.getByText("60 selected").waitFor();
    await bar.getByRole("button", { name: "Edit labels" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit labels on 60 links" });
    await dialog.getByRole("combobox", { name: "Add" }).fill("sale");
    await page.keyboard.press("Enter");
    await dialog.getByRole("combobox", { name: "Remove" }).fill("old");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Save labels" }).click();
    await bar.getByRole("progressbar", { name: "Updating labels" }).waitFor();
    const count = async (label: string) => {
      const query = { label, search: "mass-", limit: 200 };
      const { data } = await dashboard.service.client.GET("/v1/links", { params: { query } });
      return data?.data.length;
    };
    const undo = toast("60 links updated").getByRole("button", { name: "Undo" });
    await undo.waitFor();
    expect([await count("sale"), await count("old"), await count("own")]).toEqual([60, 0, 1]);
    await undo.click();
    await toast("5 links restored").waitFor();
    expect([await count("sale"), await count("old"), await count("own")]).toEqual([55, 5, 1]);
    await page.getByRole("button", { name: "Export CSV" }).click();
    const text = await (await page.waitForDownload()).text();
    expect(text.split("\r\n")).toHaveLength(62);
    expect(text).toMatch(/^id,short_url,short_code,destination,/);
  });

  test("a viewer reads rules and history, and has no actions", async () => {
    const id = await createLink(dashboard.service.client, {
      url: "https://shop.example.com/",
      routing_rules: [{ when: { os: ["ios"] }, block: true }],
    });
    await dashboard.service.setRole("viewer");
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("If the visitor uses").waitFor();
    for (const name of ["Create link", "iPhone", "Actions for rule 1"]) {
      expect(await dialog.getByRole("button", { name }).count()).toBe(0);
    }
    await dialog.getByRole("tab", { name: "History" }).click();
    await dialog.getByText("created this link").waitFor();
    expect(await dialog.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
  });
});
