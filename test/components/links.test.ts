import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chooseCompact } from "../../src/dashboard/session/density-choice.ts";
import { createLink } from "../support/client-links.ts";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** List of links and link panel with the service's code. */

describe("links", () => {
  const dashboard = useDashboard();
  const { open, route, unrouteAll, toast } = dashboard;

  const create = (body: object) => createLink(dashboard.service.client, body);

  test("an empty workspace offers an example", async () => {
    await open("/links");
    await page.getByRole("button", { name: "Use an example" }).click();
    await page
      .getByRole("dialog")
      .getByRole("img", { name: /QR code of http/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Example: what is a signpost?" }).waitFor();
  });

  test("the panel writes campaign parameters into the destination and keeps unsaved changes", async () => {
    const id = await create({
      url: "https://shop.example.com/?a=1",
      custom_slug: "campaign",
      title: "Campaign",
    });
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog", { name: "Campaign" });
    await dialog.locator("summary", { hasText: "Campaign" }).click();
    await dialog.getByRole("textbox", { name: "Source" }).fill("flyer");
    const destination = dialog.getByRole("textbox", { name: "Destination" });
    expect(await destination.inputValue()).toBe("https://shop.example.com/?a=1&utm_source=flyer");
    await page.keyboard.press("Escape");
    await toast("Not saved").getByRole("button", { name: "Continue editing" }).click();
    expect(await destination.inputValue()).toBe("https://shop.example.com/?a=1&utm_source=flyer");
    await dialog.getByRole("button", { name: "Save" }).click();
    await toast("Saved").waitFor();
    const path = { link_id: id };
    const { data } = await dashboard.service.client.GET("/v1/links/{link_id}", { params: { path } });
    expect(data?.data.destination).toBe("https://shop.example.com/?a=1&utm_source=flyer");
  });

  test("a duplicate begins with the fields of the link, and gets its own short code", async () => {
    await create({
      url: "https://example.com/offer",
      custom_slug: "offer",
      title: "Spring offer",
      labels: ["print"],
      max_scans: 5,
    });
    await open("/links?search=offer");
    await page.getByRole("button", { name: "Actions for offer" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("textbox", { name: "Destination" }).inputValue()).toBe(
      "https://example.com/offer",
    );
    await dialog.getByRole("button", { name: "Create link" }).click();
    await toast("created").waitFor();
    const { data } = await dashboard.service.client.GET("/v1/links", { params: { query: { limit: 2 } } });
    const [copy, original] = data?.data ?? [];
    expect(copy).toMatchObject({ title: "Spring offer", labels: ["print"], max_scans: 5 });
    expect(copy?.short_code).not.toBe(original?.short_code);
  });

  test("a broken destination is shown in the overview and on the link's page", async () => {
    const id = await create({ url: "https://example.com/", custom_slug: "unreachable" });
    // The service has checked no destination, so its responses are changed.
    route(/\/v1\/links/, async (request) => {
      const url = new URL(request.url);
      url.searchParams.delete("destination_status");
      const response = await dashboard.service.send(new Request(url, request));
      const text = await response.text();
      return new Response(
        text.replaceAll('"destination_status":null', '"destination_status":"broken"'),
        response,
      );
    });
    await open("/overview");
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("links have a broken destination.").waitFor();
    await open(`/links/${id}`);
    await page.getByRole("region", { name: "Link details" }).getByText("Broken", { exact: true }).waitFor();
    unrouteAll();
  });

  test("rows stay compact when the list is opened again, and labels have the same colour everywhere", async () => {
    const id = await create({ url: "https://example.com/", custom_slug: "dense", labels: ["café"] });
    await open("/links?search=dense");
    await page.getByRole("button", { name: "Compact rows" }).click();
    await open("/links?search=dense");
    const table = page.getByRole("table", { name: "Links" });
    expect(await table.getAttribute("data-compact")).toBe("true");
    expect(localStorage.getItem("signpost-rows")).toBe("compact");
    const readHue = () =>
      page.locator("[data-ui=badge]", { hasText: "café" }).locator("i").getAttribute("data-hue");
    const hue = await readHue();
    await open(`/links/${id}`);
    expect(await readHue()).toBe(hue);
    chooseCompact(false);
    await open("/links?search=dense");
    await page.getByRole("link", { name: "café" }).click();
    await expect.poll(() => location.search).toBe("?label=caf%C3%A9");
  });

  test("bulk actions can be undone, also a deletion", async () => {
    for (const slug of ["many-1", "many-2", "many-3"])
      await create({ url: "https://example.com/", custom_slug: slug });
    await open("/links?search=many-");
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByRole("checkbox", { name: "Select many-3" }).click();
    await page.getByRole("checkbox", { name: "Select many-1" }).click({ modifiers: ["Shift"] });
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByText("3 selected").waitFor();
    await bar.getByRole("button", { name: "Disable" }).click();
    await toast("3 links disabled").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.locator("[data-ui=badge] *", { hasText: /^Disabled$/ }).count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    const remove = async () => {
      await bar.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "No links match your filters" }).waitFor();
    };
    await remove();
    await toast("3 links deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    await remove();
    await toast("3 links deleted").getByRole("button", { name: "Dismiss" }).click();
    const query = { search: "many-" };
    const count = async () =>
      (await dashboard.service.client.GET("/v1/links", { params: { query } })).data?.data.length;
    await expect.poll(count).toBe(0);
  });

  test("destinations of a selection are edited in five clicks, with a preview, and restored by undo", async () => {
    const links = Array.from({ length: 30 }, (_, n) => ({
      url: `https://old.example.com/${n}?a=1`,
      custom_slug: `edit-${n}`,
    }));
    await dashboard.service.client.POST("/v1/links/bulk", { body: { links } });
    const query = { search: "edit-", limit: 100 };
    const listDestinations = async () => {
      const { data } = await dashboard.service.client.GET("/v1/links", { params: { query } });
      return new Set(data?.data.map(({ destination }) => destination));
    };
    await open("/links?search=edit-");
    await expect.poll(() => page.getByRole("row").count()).toBe(31);
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 30 links" });
    await dialog.getByRole("textbox", { name: "Source" }).fill("poster");
    await dialog.getByText("30 links of 30 will change.").waitFor();
    await dialog.getByText("https://old.example.com/7?a=1&utm_source=poster").waitFor();
    await dialog.getByRole("radio", { name: "Find and replace" }).click();
    await dialog.getByRole("textbox", { name: "Find in destinations" }).fill("old.example.com/1");
    await dialog.getByRole("textbox", { name: "Replace with" }).fill("new.example.com/1");
    await dialog.getByText("11 links of 30 will change.").waitFor();
    await dialog.getByRole("button", { name: "Change 11 links" }).click();
    await toast("30 links changed").waitFor();
    const before = new Set(links.map(({ url }) => url));
    const after = new Set(links.map(({ url }) => url.replace("old.example.com/1", "new.example.com/1")));
    expect(await listDestinations()).toEqual(after);
    await toast("30 links changed").getByRole("button", { name: "Undo" }).click();
    await expect.poll(listDestinations).toEqual(before);
  });

  test("a link is renamed in its panel, which then shows the former code", async () => {
    const id = await create({ url: "https://example.com/", custom_slug: "former", aliases: ["_a"] });
    await create({ url: "https://example.com/", custom_slug: "occupied" });
    await open(`/links?link=${id}`);
    const panel = page.getByRole("dialog", { name: "/former" });
    await panel.getByText("/_a").waitFor();
    await panel.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog", { name: "Rename /former" });
    await dialog.getByText("keeps working").waitFor();
    await dialog.getByRole("textbox", { name: "Short code" }).fill("occupied");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.getByText("is already used").waitFor();
    await dialog.getByRole("textbox", { name: "Short code" }).fill("latest");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await toast("Renamed to /latest. /former keeps working.").waitFor();
    await page.getByRole("dialog", { name: "/latest" }).locator("bdi", { hasText: "/former" }).waitFor();
  });

  test("a deletion of one link can be undone", async () => {
    await create({ url: "https://example.com/", custom_slug: "gone" });
    await open("/links?search=gone");
    const row = page.getByRole("row", { name: /gone/ });
    await row.getByRole("button", { name: "Actions for gone" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    await toast("/gone deleted").getByRole("button", { name: "Undo" }).click();
    await toast("/gone restored").waitFor();
    await row.waitFor();
  });

  test("a deletion has reached its workspace before the person switches", async () => {
    const id = await create({ url: "https://example.com/", custom_slug: "left" });
    await dashboard.addWorkspace("Second");
    let status: number | undefined;
    const load = vi.spyOn(location, "assign").mockImplementation(async (url) => {
      const params = { path: { link_id: id } };
      status = (await dashboard.service.client.GET("/v1/links/{link_id}", { params })).response.status;
      await dashboard.goto(String(url));
    });
    await open("/links?search=left");
    await page.getByRole("button", { name: "Actions for left" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await toast("/left deleted").waitFor();
    await page.getByRole("button", { name: /Demo business/ }).click();
    await page.getByRole("menuitemradio", { name: "Second" }).click();
    await page.getByRole("button", { name: /Second business/ }).waitFor();
    expect(page.url()).toBe(`${location.origin}/links`);
    expect(status).toBe(404);
    load.mockRestore();
    for (const storage of [sessionStorage, localStorage]) storage.clear();
  });

  test("a link's menu opens its analytics and its QR code", async () => {
    const id = await create({ url: "https://example.com/", custom_slug: "leads" });
    for (const [command, path] of [
      ["View analytics", `/links/${id}`],
      ["Design QR code", `/qr?link=${id}`],
    ] as const) {
      await open("/links?search=leads");
      await page.getByRole("button", { name: "Actions for leads" }).click();
      await page.getByRole("menuitem", { name: command }).click();
      await expect.poll(() => page.url()).toBe(`${location.origin}${path}`);
    }
  });

  /** Makes requests for the list of links fail. */
  function failLists(status: number, code: string, headers: Record<string, string> = {}): void {
    const error = { code, message: `Told by the service: ${code}.`, status };
    route(/\/v1\/links\?/, () =>
      Response.json({ error, meta: { request_id: "request-7" } }, { status, headers }),
    );
  }

  test("a failure shows the request ID, and the list can be loaded again", async () => {
    failLists(500, "INTERNAL_ERROR");
    await open("/links");
    await page.getByText("Request ID: request-7").waitFor();
    unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row").nth(1).waitFor();
  });

  test("a rate limit shows a countdown", async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    failLists(429, "BURST_LIMIT_EXCEEDED", { "Retry-After": "2" });
    await open("/links");
    const retry = page.getByRole("button", { name: /Try again/ });
    await expect.poll(() => retry.textContent()).toBe("Try again in 2s");
    expect(await retry.getAttribute("aria-disabled")).toBe("true");
    unrouteAll();
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => retry.textContent()).toBe("Try again in 1s");
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => retry.textContent()).toBe("Try again");
    await retry.click();
    await page.getByRole("row").nth(1).waitFor();
  });

  test("an offline page shows a banner", async () => {
    await open("/links");
    dispatchEvent(new Event("offline"));
    await page.getByText("You're offline").waitFor();
    dispatchEvent(new Event("online"));
    await page.getByText("You're offline").waitFor({ state: "detached" });
  });

  test("a person without a membership sees that there is no workspace", async () => {
    const error = { code: "NOT_A_MEMBER", message: "No." };
    route(/\/v1\/session$/, () => Response.json({ error, meta: {} }, { status: 403 }));
    await open("/links");
    await page.getByRole("heading", { name: "No workspace", exact: true }).waitFor();
  });
});
