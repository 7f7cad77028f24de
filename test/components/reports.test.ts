import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Overview, link detail and analytics with the service's code. */

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("reports", () => {
  const dashboard = useDashboard();
  const { goto, open, route, unrouteAll } = dashboard;
  let saleId = "";
  afterEach(() => {
    vi.useRealTimers();
  });

  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

  test("an empty workspace shows first steps and no scans", async () => {
    await open("/");
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    await page.getByText("0 of 5 done").waitFor();
    await page.getByText("Nothing needs your attention.").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "No scans yet" }).waitFor();
  });

  test("the overview shows its lower parts once the parts above have their final height", async () => {
    const release = Promise.withResolvers<void>();
    const { service } = dashboard;
    await service.client.POST("/v1/domains", { body: { hostname: "go.shoes-of-acme.com" } });
    route(/\/v1\/domains/, async (request) => {
      await release.promise;
      return service.send(request);
    });
    await goto("/overview");
    const grid = page.locator("[data-ui=report-grid]");
    await expect.poll(() => page.locator("[data-ui=report-grid] dl").count()).toBeGreaterThan(0);
    await page.getByText("0 of 5 done").waitFor();
    expect(await grid.getAttribute("hidden")).not.toBeNull();
    release.resolve();
    await page.getByText("go.shoes-of-acme.com isn't verified yet, so links don't work on it.").waitFor();
    expect(await grid.getAttribute("hidden")).toBeNull();
  });

  describe("with scans", () => {
    beforeAll(async () => {
      const { client, visit } = dashboard.service;
      const body = { url: "https://shop.example.com/sale", custom_slug: "sale", title: "Summer sale" };
      saleId = (await client.POST("/v1/links", { body })).data?.data.id ?? "";
      const headers = { "User-Agent": WINDOWS, "CF-IPCountry": "DE" };
      expect((await visit("sale", headers)).status).toBe(302);
      // A scan is sent to the queue with the other scans of its second.
      await vi.waitFor(
        async () => {
          const { data } = await client.GET("/v1/links", { params: { query: {} } });
          expect(data?.data[0]?.scan_count).toBe(1);
        },
        { timeout: 20_000, interval: 50 },
      );
    });

    test("dates of a custom range stay focused during input, and are stored in the URL", async () => {
      await open("/analytics?range=custom&from=2026-01-05&to=2026-02-20");
      const first = page.getByLabel("Start date");
      expect(await first.inputValue()).toBe("2026-01-05");
      await first.fill("2026-01-06");
      await expect.poll(() => parameter("from")).toBe("2026-01-06");
      expect(document.activeElement).toBe(await first.element());
      await first.fill("2026-02-21");
      await page.getByText("Choose a start date before the end date.").waitFor();
      expect(parameter("from")).toBe("2026-01-06");
      await page.getByRole("radio", { name: "Last 7 days" }).check();
      expect(parameter("from")).toBeNull();
    });

    test("up to five links are compared with their totals, each once", async () => {
      const { client, visit } = dashboard.service;
      const ids: string[] = [];
      for (const title of ["Menu", "Poster"]) {
        const body = { url: "https://shop.example.com/", custom_slug: title.toLowerCase(), title };
        ids.push((await client.POST("/v1/links", { body })).data?.data.id ?? "");
      }
      expect((await visit("menu", { "User-Agent": WINDOWS })).status).toBe(302);
      await open(`/links/${saleId}?compare=${[ids[0], saleId, ids[1], ids[0]].join(",")}`);
      const legend = page.getByRole("region", { name: "Scans over time" }).getByRole("list");
      await expect.poll(() => legend.textContent()).toMatch(/^Summer sale1Menu[01]Poster0$/);
      const stats = page.locator("dl", { hasText: "Counted once a day" });
      await expect.poll(() => stats.textContent()).toMatch(/^Scans1.*Visitors1Counted/);
      await page.getByRole("button", { name: "Remove Menu (/menu)" }).click();
      expect(parameter("compare")).toBe(ids[1]);
      await expect.poll(() => legend.textContent()).toBe("Summer sale1Poster0");
    });

    test("a link is compared with a chosen link and the previous period, and its QR code is downloaded", async () => {
      const body = { url: "https://shop.example.com/", custom_slug: "brochure", title: "Brochure" };
      const { data } = await dashboard.service.client.POST("/v1/links", { body });
      await open(`/links/${saleId}`);
      await page.getByRole("combobox", { name: "Compare with" }).fill("broch");
      await page.getByRole("option", { name: "Brochure (/brochure)" }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => parameter("compare")).toBe(data?.data.id);
      const chart = page.getByRole("slider", { name: "Summer sale (chart)" });
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Summer sale: 1, Brochure: 0$/);
      await page.getByRole("switch", { name: "Previous period" }).click();
      await expect
        .poll(() => chart.getAttribute("aria-valuetext"))
        .toMatch(/Summer sale: 1, Previous period: 0, Brochure: 0$/);
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByRole("menuitem", { name: "PNG, 512 pixels" }).click();
      const file = await page.waitForDownload();
      expect(file.name).toBe("sale.png");
      expect(Buffer.from(await file.bytes()).toString("latin1", 1, 4)).toBe("PNG");
      const edit = page.getByRole("link", { name: "Edit" });
      expect(await edit.getAttribute("href")).toBe(`/links?link=${saleId}`);
      const studio = page.getByRole("link", { name: "QR studio" }).last();
      expect(await studio.getAttribute("href")).toBe(`/qr?link=${saleId}`);
    });

    test("reports are exported as CSV", async () => {
      await open("/analytics?range=7d&country=DE");
      const save = async (region: string) => {
        await page.getByRole("region", { name: region }).getByRole("button", { name: "CSV" }).click();
        return (await (await page.waitForDownload()).text()).split("\r\n");
      };
      const chart = await save("Scans over time");
      expect([chart[0], chart.length]).toEqual(["date,Scans,visitors", 9]);
      expect(chart[7]).toMatch(/^\d{4}-\d\d-\d\d,1,1$/);
      expect(await save("Links by scans")).toEqual([
        "link_id,short_code,destination,scans,visitors",
        `${saleId},sale,https://shop.example.com/sale,1,1`,
        "",
      ]);
      await page.getByRole("button", { name: "Export countries as CSV" }).click();
      const countries = await page.waitForDownload();
      expect(countries.name).toMatch(/^scans-countries-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
      expect(await countries.text()).toBe("country,name,scans,visitors\r\nDE,Germany,1,1\r\n");
    });

    test("a label and a source narrow a report to the links of a campaign, with their UTM values", async () => {
      const { client, visit } = dashboard.service;
      const url = "https://shop.example.com/?utm_campaign=spring%20sale";
      const body = { url, custom_slug: "flyer", title: "Flyer", labels: ["spring"] };
      expect((await client.POST("/v1/links", { body })).response.status).toBe(201);
      expect((await visit("FLYER", { "User-Agent": WINDOWS, "CF-IPCountry": "FR" })).status).toBe(302);
      await open("/analytics");
      await page.getByRole("combobox", { name: "Label" }).fill("spri");
      await page.getByRole("option", { name: "spring", exact: true }).click();
      expect(parameter("label")).toBe("spring");
      await page.getByRole("heading", { name: "Links labelled “spring”" }).waitFor();
      const grid = page.locator("[data-ui=report-grid]");
      const refresh = async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return grid.textContent();
      };
      await expect.poll(refresh, { timeout: 20_000 }).toContain("spring sale100%1");
      expect(await refresh()).toMatch(/France100%1.*QR code100%1/);
      expect(await page.getByRole("button", { name: "Germany", exact: true }).count()).toBe(0);
      await page.getByRole("combobox", { name: "Source" }).selectOption("page");
      expect(parameter("source")).toBe("page");
      await expect.poll(() => grid.textContent()).not.toContain("100%");
      await page.getByRole("button", { name: "Clear filters" }).click();
      expect([parameter("label"), parameter("source")]).toEqual([null, null]);
    });

    const LIMITS = {
      PLAN_LIMIT_EXCEEDED: { status: 403, headers: {} },
      BURST_LIMIT_EXCEEDED: { status: 429, headers: { "Retry-After": "30" } },
    };

    test.each(["/overview", "/analytics", "/links/"])(
      "%s shows the plan's limits, and counts down to the end of a pause",
      async (path) => {
        vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
        for (const [code, { status, headers }] of Object.entries(LIMITS)) {
          const error = { code, message: `Told by the service: ${code}.`, status };
          const body = { error, meta: { request_id: "request-9" } };
          route(/\/v1\/analytics\//, () => Response.json(body, { status, headers }));
          await goto(path === "/links/" ? `/links/${saleId}` : path);
          const notices = page.locator("main [data-ui=notice]", { hasText: code });
          await notices.first().waitFor();
          if (status === 403) {
            expect(await notices.first().getByRole("link", { name: "View usage" }).count()).toBe(1);
            expect(await notices.getByRole("button").count()).toBe(0);
          } else {
            const retry = notices.first().getByRole("button", { name: /^Try again in \d+s$/ });
            expect(await retry.getAttribute("aria-disabled")).toBe("true");
            unrouteAll();
            vi.advanceTimersByTime(30_000);
            const count = await notices.count();
            await notices.first().getByRole("button", { name: "Try again", exact: true }).click();
            await expect.poll(() => notices.count()).toBeLessThan(count);
          }
          unrouteAll();
        }
      },
    );

    test("a report is shared from a link in three clicks, listed with its URL, and revoked", async () => {
      await open("/links");
      await page.getByRole("button", { name: "Actions for sale" }).click();
      await page.getByRole("menuitem", { name: "Share report" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create report" }).click();
      const shared = page.getByRole("dialog", { name: "Report shared" });
      const url = await shared.locator("[data-ui=secret] code").textContent();
      expect(url).toMatch(/\/reports\/[\w-]{43}$/);
      await shared.getByRole("button", { name: "Done" }).click();

      await open("/settings/reports");
      const row = page.getByRole("row", { name: "Summer sale" });
      await row.getByText("1 link · last 30 days").waitFor();
      expect(await row.getByRole("link", { name: "Summer sale" }).getAttribute("href")).toBe(url);
      await page.getByRole("button", { name: "Revoke Summer sale" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke report" }).click();
      await page.getByText("No shared reports yet").waitFor();
    });

    test("a report on a label has the chosen dates, expiry and password", async () => {
      await open("/settings/reports");
      await page.getByRole("button", { name: "Share label" }).click();
      const dialog = page.getByRole("dialog", { name: "Share report" });
      await dialog.getByRole("combobox", { name: "Label" }).fill("print");
      await page.keyboard.press("Enter");
      await dialog.getByRole("combobox", { name: "Period" }).selectOption("Custom dates");
      await dialog.getByRole("button", { name: "Create report" }).click();
      await dialog.getByText("Choose a start date and an end date.").waitFor();
      await dialog.getByLabel("From").fill("2026-02-01");
      await dialog.getByLabel("To").fill("2026-02-28");
      await dialog.getByRole("combobox", { name: "Expires" }).selectOption("In 30 days");
      await dialog.getByRole("textbox", { name: "Password" }).fill("abc");
      await dialog.getByRole("button", { name: "Create report" }).click();
      await dialog.getByText(/at least 4 characters/).waitFor();
      await dialog.getByRole("textbox", { name: "Password" }).fill("open sesame");
      await dialog.getByRole("button", { name: "Create report" }).click();
      await page.getByRole("dialog", { name: "Report shared" }).getByRole("button", { name: "Done" }).click();
      await page
        .getByRole("row", { name: "print" })
        .getByText("label print · 2026-02-01 to 2026-02-28 · with a password")
        .waitFor();
    });

    test("errors say what to do, and the rest of the screen stays", async () => {
      const failSeries = (status: number, code: string, details?: unknown) => {
        const error = { code, message: `Told by the service: ${code}.`, status, details };
        const body = { error, meta: { request_id: "request-9" } };
        route(/\/v1\/analytics\/timeseries/, () => Response.json(body, { status }));
      };
      failSeries(500, "INTERNAL_ERROR");
      await open("/analytics");
      const report = page.getByRole("region", { name: "Scans over time" });
      await report.getByText("Request ID: request-9").waitFor();
      await page.getByRole("button", { name: "Germany", exact: true }).waitFor();
      unrouteAll();
      await report.getByRole("button", { name: "Try again" }).click();
      await report.getByText("Request ID: request-9").waitFor({ state: "detached" });

      failSeries(403, "FEATURE_NOT_AVAILABLE");
      await page.keyboard.press("r");
      await report.getByText("FEATURE_NOT_AVAILABLE").waitFor();
      await report.getByRole("link", { name: "View usage" }).waitFor();
      unrouteAll();

      const details = [{ field: "country", message: "matches too many scans" }];
      failSeries(400, "VALIDATION_ERROR", details);
      await open("/analytics?country=DE&range=7d");
      await report.getByText("country: Matches too many scans.").waitFor();
      unrouteAll();
      await report.getByRole("button", { name: "Show the last 30 days" }).click();
      expect(new URL(page.url()).search).toBe("");

      await open(`/links/${saleId.replace(/.{4}$/, "0000")}`);
      await page.getByRole("heading", { name: "Link not found" }).waitFor();
    });
  });
});
