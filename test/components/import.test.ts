import { afterEach, describe, expect, test } from "vitest";
import { takeFile } from "../../src/dashboard/screens/import/import-store.ts";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Import and export with the service's code: a file, its plan, the run and its result. */

describe("imports", () => {
  const dashboard = useDashboard();
  const { open, route, unrouteAll } = dashboard;

  // A file stays selected after leaving its screen.
  afterEach(() => takeFile(null));

  const csv = (name: string, ...lines: string[]) => ({
    name,
    mimeType: "text/csv",
    buffer: lines.join("\r\n"),
  });
  const choose = (file: ReturnType<typeof csv>) => page.locator("input[type=file]").setInputFiles(file);
  const table = () => page.getByRole("table", { name: "Rows in the file" });
  const total = (name: string) => page.getByRole("radio", { name });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const focusedText = () => document.activeElement?.textContent;

  async function findLinks(label: string) {
    const query = { label, limit: 100 } as const;
    return (await dashboard.service.client.GET("/v1/links", { params: { query } })).data?.data ?? [];
  }

  test("a file in the wrong format shows an error with its line, and the chosen source stays", async () => {
    await open("/import?source=bitly");
    await page.getByText(/Bitly's dashboard/).waitFor();
    await choose(csv("page.csv", "<!doctype html>", "<p>Sign in</p>"));
    await page.getByText("Can't read this file").waitFor();
    await page.getByText("Line 1: found a page of HTML or XML, expected CSV, JSON or SQL.").waitFor();
    expect(await page.getByRole("combobox", { name: "Source" }).inputValue()).toBe("bitly");
    await page.getByRole("button", { name: "Choose another file" }).press("Enter");
    await page.getByText("Don't have a file yet?").waitFor();
  });

  test("columns with unknown names are mapped, and a change of options updates the plan", async () => {
    await dashboard.service.client.POST("/v1/links", {
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
    await expect.poll(() => destination.getAttribute("aria-invalid")).toBe("true");
    await destination.selectOption("Adresse");
    await page.getByText("https://example.com/other").first().waitFor();
    await page.getByRole("combobox", { name: "Short code", exact: true }).selectOption("Kürzel");
    await total("1 with conflicts").waitFor();
    await total("1 invalid").waitFor();
    await total("1 with conflicts").check();
    expect(parameter("show")).toBe("conflict");
    expect(await table().getByRole("row").count()).toBe(2);
    await table().getByText("already redirects to https://example.com/taken").waitFor();

    const way = page.getByRole("combobox", { name: "If a short code is already taken" });
    await way.selectOption("fail");
    await page.getByText("1 row has a conflict", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Import 1/ }).getAttribute("aria-disabled")).toBe("true");
    await way.selectOption("suffix");
    await total("2 to create").check();
    await table().getByText("/taken-2").waitFor();
    expect(parameter("conflict")).toBe("suffix");
    const labels = page.getByRole("combobox", { name: "Add labels to all imported links" });
    await labels.fill("umzug");
    await labels.press("Enter");
    await page.getByRole("button", { name: "Import 2 links" }).click();
    await page.getByRole("link", { name: "View links labelled “umzug”" }).click();
    await page.getByRole("button", { name: "Ärger" }).waitFor();
    expect(await findLinks("umzug")).toHaveLength(2);
  });

  test("a running import warns before the page closes, and a stopped one continues without creating a link twice", async () => {
    const lines = Array.from(
      { length: 450 },
      (_, index) => `https://example.com/${index},bulk-${index},bulk`,
    );
    await open("/import");
    await choose(csv("bulk.csv", "url,slug,labels", ...lines));
    await page.getByRole("button", { name: "Import 450 links" }).waitFor();
    await expect.poll(() => table().getByRole("row").count()).toBe(101);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => table().getByRole("row").count()).toBe(201);
    // The first calls wait until the import is stopped.
    const release = Promise.withResolvers<void>();
    let heldCount = 0;
    route(/\/v1\/links\/bulk$/, async (request) => {
      heldCount += 1;
      await release.promise;
      return dashboard.service.send(request);
    });
    await page.getByRole("button", { name: "Import 450 links" }).click();
    await expect.poll(() => heldCount).toBe(3);
    expect(focusedText()).toBe("Stop");
    const isAsked = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isAsked()).toBe(true);
    await page.getByRole("button", { name: "Stop" }).press("Enter");
    release.resolve();
    await page.getByRole("heading", { name: /^Import stopped: \d+ links imported$/ }).waitFor();
    expect(isAsked()).toBe(false);
    unrouteAll();
    await page.getByRole("button", { name: /^Import remaining \d+ links$/ }).press("Enter");
    await expect.poll(focusedText).toBe("450 links imported");
    await total("450 created").waitFor();
    const { data } = await dashboard.service.client.GET("/v1/links", {
      params: { query: { search: "bulk-", limit: 1 } },
    });
    expect(data?.meta.total).toBe(450);
  });

  test("a rejected import shows what to do and can be continued", async () => {
    await open("/import");
    await choose(csv("lost.csv", "url,slug", "https://example.com/lost,lost-1"));
    await page.getByRole("button", { name: "Import 1 link" }).waitFor();
    const error = { code: "PLAN_LIMIT_EXCEEDED", message: "The plan allows no more" };
    route(/\/v1\/links\/bulk$/, () => Response.json({ error, meta: {} }, { status: 403 }));
    await page.getByRole("button", { name: "Import 1 link" }).press("Enter");
    await page.getByText("The plan allows no more. Import the same file again next month").waitFor();
    unrouteAll();
    await page.getByRole("button", { name: "Import remaining 1 link" }).press("Enter");
    await expect.poll(focusedText).toBe("1 link imported");
  });

  test("viewers export all links, and a plan without exports or bulk actions shows a notice", async () => {
    await dashboard.service.setRole("viewer");
    await open("/import");
    await page.getByText("You have view-only access.").waitFor();
    expect(await page.locator("input[type=file]").count()).toBe(0);
    await page.getByRole("button", { name: "Export links as CSV" }).press("Enter");
    const download = await page.waitForDownload();
    expect(download.name).toMatch(/^links-\d{4}-\d\d-\d\d\.csv$/);
    expect(await download.text()).toMatch(/^id,short_url,short_code,/);

    await dashboard.service.setRole("owner");
    await dashboard.service.setPlan("free");
    await open("/import?tab=export");
    await page.getByText("CSV export isn't included in your plan (free).").waitFor();
    expect(await page.getByRole("button", { name: "Export links as CSV" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByRole("button", { name: "Preview import" }).click();
    await page.getByText("doesn't include bulk actions").waitFor();
  });
});
