import { describe, expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Overview, link detail and analytics, over the code of the service. */

describe("reports", () => {
  const dashboard = useDashboard();
  const { open, route, unrouteAll } = dashboard;
  test("an empty workspace has first steps, and nothing to count", async () => {
    await page.goto(app("/"));
    await page.waitForURL(/\/overview$/);
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByText("0 of 5 done").waitFor();
    await poll(() => page.getByText("All is well").count()).toBe(1);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Nothing to count yet" }).waitFor();
  });

  test("a counter moves when the short link is opened, and gives way to the report", async () => {
    saleId = await createLink("sale", "Summer sale");
    await open(`/links/${saleId}`);
    await page.getByRole("heading", { name: "No scans yet" }).waitFor();
    expect(await page.getByRole("status", { name: "0 scans" }).textContent()).toBe("0");
    await scan("sale", "DE", IPHONE);
    await page.getByRole("heading", { name: "There it is" }).waitFor();
    await page.getByRole("slider", { name: "Summer sale, chart" }).waitFor();
    expect(await stat("Of all time")).toBe("1");
    expect(await page.title()).toBe("Summer sale · Signpost");
  });

  test("the keyboard alone reads the chart, its table, ranges and filters", async () => {
    menuId = await createLink("menu", "Menu");
    for (const country of ["DE", "DE", "AT"]) await scan("sale", country, WINDOWS);
    await scan("menu", "FR", IPHONE);
    await scan("menu", "FR", CRAWLER);
    // The scans are counted within seconds.
    await poll(async () => {
      const { data } = await dashboard.service.client.GET("/v1/links", { params: { query: {} } });
      return data?.data.map(({ scan_count }) => scan_count);
    }).toEqual([1, 4]);
    await open("/analytics");
    await page.keyboard.press("r");
    await poll(() => stat("Scans")).toBe("5");
    const chart = page.getByRole("slider", { name: "Scans, chart" });
    await chart.focus();
    await page.keyboard.press("ArrowRight");
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/ 20\d\d\. Scans: 5$/);
    await page.locator(".chart-readout").waitFor();
    await page.keyboard.press("ArrowLeft");
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Scans: 0$/);
    await page.keyboard.press("Home");
    await poll(() => chart.getAttribute("aria-valuenow")).toBe("0");
    await page.keyboard.press("Escape");
    await page.locator(".chart-readout").waitFor({ state: "detached" });
    // Screen readers have the table beside the chart; the button shows it to everybody.
    const table = page.getByRole("region", { name: "Scans, table" });
    expect(await table.getByRole("row").count()).toBe(31);
    await page.getByRole("button", { name: "Show as table" }).focus();
    await page.keyboard.press("Enter");
    await poll(() => parameter("view")).toBe("table");
    expect(await table.getByRole("row").nth(1).textContent()).toMatch(/5$/);
    await page.getByRole("button", { name: "Show as chart" }).click();
    // The days of the last week.
    await page.getByRole("radio", { name: "Last 30 days" }).focus();
    await page.keyboard.press("ArrowLeft");
    await poll(() => parameter("range")).toBe("7d");
    await page.keyboard.press("ArrowLeft");
    await poll(() => parameter("range")).toBe("24h");
    await poll(() => chart.getAttribute("aria-valuemax")).toBe("23");
    const germany = page.getByRole("button", { name: "Germany", exact: true });
    await germany.focus();
    await page.keyboard.press("Enter");
    await poll(() => parameter("country")).toBe("DE");
    await poll(() => stat("Scans")).toBe("3");
    expect(await germany.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Remove the filter Country: Germany" }).press("Enter");
    await poll(() => stat("Scans")).toBe("5");
    await page.getByRole("combobox", { name: "Requests by" }).selectOption("bot");
    await poll(() => stat("Scans")).toBe("1");
    await page.getByRole("button", { name: "Clear" }).click();
    expect(parameter("traffic")).toBeNull();
    await page.getByRole("tab", { name: "Systems" }).click();
    await page.getByRole("button", { name: "Windows" }).waitFor();
    expect(parameter("devices")).toBe("os");
  });

  test("dates of a custom range stay focused while they are typed, and are in the address", async () => {
    await open("/analytics?range=custom&from=2026-01-05&to=2026-02-20");
    const first = page.getByLabel("First day");
    expect(await first.inputValue()).toBe("2026-01-05");
    await first.focus();
    await first.fill("2026-01-06");
    await poll(() => parameter("from")).toBe("2026-01-06");
    expect(await first.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await first.fill("2026-02-21");
    await page.getByText("Must not be after the last day.").waitFor();
    expect(parameter("from")).toBe("2026-01-06");
    await page.getByRole("radio", { name: "Last 7 days" }).check();
    expect(parameter("from")).toBeNull();
  });

  test("what is shown is saved as CSV", async () => {
    await open("/analytics?range=7d");
    const [chart] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("region", { name: "Scans over time" }).getByRole("button", { name: "CSV" }).click(),
    ]);
    const lines = (await readFile(await chart.path(), "utf8")).split("\r\n");
    expect([lines[0], lines.length]).toEqual(["date,Scans", 9]);
    expect(lines[7]).toMatch(/^\d{4}-\d\d-\d\d,5$/);
    const [links] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("region", { name: "Links by scans" }).getByRole("button", { name: "CSV" }).click(),
    ]);
    expect((await readFile(await links.path(), "utf8")).split("\r\n").slice(0, 2)).toEqual([
      "link_id,short_code,destination,scans",
      `${saleId},sale,https://shop.example.com/sale,4`,
    ]);
    const [places] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save countries as CSV" }).click(),
    ]);
    expect(places.suggestedFilename()).toMatch(/^scans-countries-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(await places.path(), "utf8")).toBe(
      "country,name,scans\r\nDE,Germany,3\r\nAT,Austria,1\r\nFR,France,1\r\n",
    );
  });

  test("a link is compared with another, and its QR code is had as a file", async () => {
    await open(`/links/${saleId}`);
    const field = page.getByRole("combobox", { name: "Compare with" });
    await field.focus();
    await page.keyboard.type("men");
    await page.getByRole("option", { name: "Menu (/menu)" }).waitFor();
    await page.keyboard.press("Enter");
    await poll(() => parameter("compare")).toBe(menuId);
    const chart = page.getByRole("slider", { name: "Summer sale, chart" });
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Summer sale: 4, Menu: 1$/);
    await page.getByRole("switch", { name: "Period before" }).click();
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Period before: 0, Menu: 1$/);
    await page.getByRole("button", { name: "Remove Menu (/menu)" }).click();
    expect(parameter("compare")).toBeNull();
    await page.getByRole("button", { name: "Download" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "PNG, 512 pixels" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("sale.png");
    expect((await readFile(await file.path())).subarray(1, 4).toString()).toBe("PNG");
    const edit = page.getByRole("link", { name: "Edit" });
    expect(await edit.getAttribute("href")).toBe(`/links?link=${saleId}`);
    expect(await page.getByRole("link", { name: "QR studio" }).last().getAttribute("href")).toBe(
      `/qr?link=${saleId}`,
    );
  });

  test("every report tells the limits of the plan, and counts down to the end of a pause", async () => {
    // A page with a clock of its own: nobody waits for half a minute.
    const other = await context.newPage();
    await other.clock.install();
    const errors = {
      PLAN_LIMIT_EXCEEDED: { status: 403, headers: {} },
      BURST_LIMIT_EXCEEDED: { status: 429, headers: { "Retry-After": "30" } },
    };
    for (const path of ["/overview", "/analytics", `/links/${saleId}`]) {
      for (const [code, { status, headers }] of Object.entries(errors)) {
        const error = { code, message: `Told by the service: ${code}.`, status };
        await other.route(/\/v1\/analytics\//, (route) =>
          route.fulfill({ status, headers, json: { error, meta: { request_id: "request-9" } } }),
        );
        await other.goto(app(path));
        const notices = other.locator("main .notice", { hasText: code });
        await notices.first().waitFor();
        if (status === 403) {
          expect(await notices.first().getByRole("link", { name: "See usage" }).count()).toBe(1);
          expect(await notices.getByRole("button").count()).toBe(0);
        } else {
          const retry = notices.first().getByRole("button", { name: /^Try again in \d+ s$/ });
          await retry.waitFor();
          expect(await retry.getAttribute("aria-disabled")).toBe("true");
          await other.unrouteAll();
          await other.clock.fastForward(31_000);
          const count = await notices.count();
          await notices.first().getByRole("button", { name: "Try again", exact: true }).click();
          await poll(() => notices.count()).toBeLessThan(count);
        }
        await other.unrouteAll();
      }
    }
    await other.close();
  });

  test("faults say what to do, and the rest of the screen stays", async () => {
    await failSeries(500, "INTERNAL_ERROR");
    await page.goto(app("/analytics"));
    const report = page.getByRole("region", { name: "Scans over time" });
    await report.getByText("Request request-9").waitFor();
    await page.getByRole("button", { name: "Germany", exact: true }).waitFor();
    unrouteAll();
    await report.getByRole("button", { name: "Try again" }).click();
    await report.getByRole("slider").waitFor();

    await failSeries(403, "FEATURE_NOT_AVAILABLE");
    await page.keyboard.press("r");
    await report.getByText("FEATURE_NOT_AVAILABLE").waitFor();
    await report.getByRole("link", { name: "See usage" }).waitFor();
    unrouteAll();

    const details = [{ field: "country", message: "has too many scans to look through" }];
    await failSeries(400, "VALIDATION_ERROR", details);
    await page.goto(app("/analytics?country=DE&range=7d"));
    await report.getByText("country: Has too many scans to look through.").waitFor();
    unrouteAll();
    await report.getByRole("button", { name: "Show the last 30 days" }).click();
    expect(new URL(page.url()).search).toBe("");

    await page.goto(app(`/links/${saleId.replace(/.{4}$/, "0000")}`));
    await page.getByRole("heading", { name: "This link does not exist" }).waitFor();
  });
});
