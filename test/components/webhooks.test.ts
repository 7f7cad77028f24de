import { beforeEach, describe, expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Webhooks of the dashboard with the service's code. */

describe("webhooks", () => {
  const dashboard = useDashboard();
  const { open, route, toast } = dashboard;
  const heading = (name: string) => page.getByRole("heading", { name });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

  // Receiver whose response depends on its path.
  beforeEach(() => {
    route(/^http:\/\/127\.0\.0\.1:9\/bad$/, () => new Response("the database is locked", { status: 500 }));
    route(/^http:\/\/127\.0\.0\.1:9\/good$/, () => new Response("thank you"));
  });

  async function createEndpoint(path: string, description: string): Promise<string> {
    const body = { url: `http://127.0.0.1:9${path}`, description };
    const { data } = await dashboard.service.client.POST("/v1/webhooks", { body });
    return data?.data.id ?? "";
  }

  /** Stores a secret that is only shown once. */
  async function keepSecret(name: string | RegExp): Promise<string> {
    const shown = dialog(name);
    const text = await shown.locator("[data-ui=secret] code").textContent();
    await page.keyboard.press("Escape");
    await shown.getByText("Close again to leave without saving it.").waitFor();
    await shown.getByRole("checkbox", { name: "I've saved it" }).click();
    await shown.getByRole("button", { name: "Done" }).click();
    await shown.waitFor({ state: "detached" });
    return text;
  }

  test("the list reads the endpoints with their last deliveries in one call", async () => {
    for (const [path, name] of [
      ["/good", "Working"],
      ["/bad", "Broken"],
    ] as const) {
      const webhook_id = await createEndpoint(path, name);
      for (let count = 0; count < 3; count++)
        await dashboard.service.client.POST("/v1/webhooks/{webhook_id}/test", {
          params: { path: { webhook_id } },
        });
    }
    const asked: string[] = [];
    route(/\/v1\/webhooks/, (request) => {
      asked.push(request.url);
      return dashboard.service.send(request);
    });
    await open("/webhooks");
    const row = (name: string) => page.getByRole("row", { name });
    await row("Working").getByRole("img", { name: "Last 3 deliveries: 3 delivered" }).waitFor();
    await row("Broken").getByRole("img", { name: "Last 3 deliveries: 3 retrying" }).waitFor();
    await row("Broken").getByText("Failing").waitFor();
    expect(asked).toHaveLength(1);
  });

  test("failed deliveries are filtered and resent together, and an endpoint is disabled and deleted", async () => {
    const id = await createEndpoint("/bad", "Old CRM");
    for (let count = 0; count < 3; count++)
      await dashboard.service.client.POST("/v1/webhooks/{webhook_id}/test", {
        params: { path: { webhook_id: id } },
      });
    await open(`/webhooks/${id}`);
    await page.getByRole("combobox", { name: "Status" }).selectOption("Retrying");
    await expect.poll(() => new URL(page.url()).searchParams.get("state")).toBe("retrying");
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByText("Failing").waitFor();
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    const bar = page.getByRole("region", { name: "Selected deliveries" });
    await bar.getByText("3 selected").waitFor();
    await bar.getByRole("button", { name: "Resend" }).click();
    await toast("3 deliveries resent").waitFor();
    await page.getByRole("combobox", { name: "Event" }).selectOption("link.scanned");
    await page.getByRole("heading", { name: "No deliveries match your filters" }).waitFor();
    await button("Clear filters").last().click();

    const run = async (command: string) => {
      await button("Actions for the endpoint").click();
      await page.getByRole("menuitem", { name: command }).click();
    };
    await run("Disable");
    await page.getByText("Demo owner disabled this endpoint").waitFor();
    await toast("Pending deliveries were marked as failed").getByRole("button", { name: "Undo" }).click();
    await toast("It will receive new events").waitFor();
    await run("Rotate secret");
    await dialog("Rotate signing secret").getByRole("button", { name: "Rotate secret" }).click();
    expect(await keepSecret("New signing secret")).toMatch(/^whsec_/);
    await run("Delete");
    await dialog("Delete Old CRM?").getByRole("button", { name: "Delete endpoint" }).click();
    await heading("Webhooks").waitFor();
    await toast("Endpoint deleted").waitFor();
    expect(await page.getByText("Old CRM").count()).toBe(0);
  });

  test("a delivery is resent from its panel, which shows both attempts", async () => {
    const id = await createEndpoint("/good", "Shop");
    const params = { path: { webhook_id: id } };
    await dashboard.service.client.POST("/v1/webhooks/{webhook_id}/test", { params });
    await open(`/webhooks/${id}`);
    await page.getByRole("row").nth(1).getByRole("button").click();
    const panel = dialog("webhook.test");
    await panel.getByText("thank you").waitFor();
    await expect.poll(() => panel.getByRole("listitem").count()).toBe(1);
    await panel.getByRole("button", { name: "Resend" }).click();
    await toast("Delivery resent").waitFor();
    await expect.poll(() => panel.getByRole("listitem").count()).toBe(2);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.has("delivery")).toBe(false);
  });

  test("an endpoint that Signpost disabled shows the reason", async () => {
    const id = await createEndpoint("/good", "Broken");
    const { data } = await dashboard.service.client.GET("/v1/webhooks/{webhook_id}", {
      params: { path: { webhook_id: id } },
    });
    const nowIso = new Date().toISOString();
    const disabled = { enabled: false, disabled_at: nowIso, skipped_count: 7, skipped_at: nowIso };
    route(new RegExp(`/v1/webhooks/${id}$`), () =>
      Response.json({ ...data, data: { ...data?.data, ...disabled } }),
    );
    await open(`/webhooks/${id}`);
    await page.getByText("after 100 consecutive failed attempts").waitFor();
    await page.getByText("7 events weren't delivered").waitFor();
  });

  test("a key is created, rotated and revoked with the keyboard", async () => {
    await open("/settings/keys");
    await page.keyboard.press("c");
    await dialog("New API key").waitFor();
    await page.keyboard.press("Enter");
    await dialog("New API key").getByText("Enter a name").waitFor();
    await page.keyboard.type("Reports");
    await dialog("New API key")
      .getByRole("radio", { name: /Custom/ })
      .focus();
    await page.keyboard.press(" ");
    await dialog("New API key")
      .getByRole("checkbox", { name: /View scans/ })
      .focus();
    await page.keyboard.press(" ");
    await page.keyboard.press("Enter");
    expect(await keepSecret("Reports created")).toMatch(/^svc_pk_/);
    const row = page.getByRole("row", { name: /Reports/ });
    await row.getByText("links:read, analytics:read").waitFor();
    const run = async (command: string) => {
      await row.getByRole("button", { name: "Actions for Reports" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: command }).focus();
      await page.keyboard.press("Enter");
    };
    await run("Rotate");
    const rotation = dialog("Rotate Reports");
    await rotation.getByRole("combobox").selectOption("0");
    await rotation.getByRole("button", { name: "Rotate key" }).click();
    expect(await keepSecret("New key for Reports")).toMatch(/^svc_pk_/);
    await run("Revoke");
    await dialog("Revoke Reports?").getByText("It has never been used.").waitFor();
    await dialog("Revoke Reports?").getByRole("button", { name: "Revoke key" }).click();
    await row.waitFor({ state: "detached" });
    await button("Show 2 inactive").click();
    await expect.poll(() => page.getByRole("row", { name: /Reports/ }).count()).toBe(2);
  });

  test("a domain shows its record and the resolver's answer, and validates documents", async () => {
    await open("/settings/domains");
    await page.keyboard.press("c");
    await dialog("Add domain").waitFor();
    await page.keyboard.type("go.shoes-of-acme.com");
    await page.keyboard.press("Enter");
    await page.getByText("_signpost.go.shoes-of-acme.com").waitFor();
    const { data } = await dashboard.service.client.GET("/v1/domains", { params: { query: {} } });
    const pending = data?.data.find(({ status }) => status === "pending");
    route(/\/verify$/, () =>
      Response.json({ data: pending, meta: { warnings: ["No TXT record was found yet."] } }),
    );
    await button("Verify now").click();
    await page.locator("main").getByText("No TXT record was found yet.").waitFor();
    await button("Settings for go.shoes-of-acme.com").click();
    const panel = dialog("go.shoes-of-acme.com");
    await panel.getByRole("textbox", { name: "Root page" }).fill("https://example.com/");
    await panel.locator("summary", { hasText: "Android" }).click();
    const links = panel.getByRole("textbox", { name: /assetlinks/ });
    await links.fill("{}");
    await panel.getByText("Must be a JSON array of objects").waitFor();
    await links.fill('[{"relation": []}]');
    await panel.getByText("17 bytes of 128 KiB").waitFor();
    await panel.getByRole("button", { name: "Save" }).click();
    await toast("Changes take effect within 35 seconds").waitFor();
    await panel.getByRole("button", { name: "Remove domain" }).click();
    await dialog("Remove go.shoes-of-acme.com?").getByRole("button", { name: "Remove domain" }).click();
    await page.getByText("_signpost.go.shoes-of-acme.com").waitFor({ state: "detached" });
  });

  test("the audit log shows what changed, links to it and reverts a change of a link", async () => {
    const { data } = await dashboard.service.client.POST("/v1/links", {
      body: { url: "https://example.com/", custom_slug: "logged", title: "Before", labels: ["a"] },
    });
    const path = { link_id: data?.data.id ?? "" };
    await dashboard.service.client.PATCH("/v1/links/{link_id}", {
      params: { path },
      body: { title: "After", labels: ["b"] },
    });
    await open("/settings/audit?type=link");
    const entry = page.getByRole("listitem").filter({ hasText: "changed link" }).first();
    await entry.locator("summary").focus();
    await page.keyboard.press("Enter");
    await entry.getByText("Before").waitFor();
    await entry.getByRole("button", { name: "Revert" }).click();
    await toast("Change reverted").waitFor();
    await page.getByText("reverted a change to").first().waitFor();
    const link = await dashboard.service.client.GET("/v1/links/{link_id}", { params: { path } });
    expect(link.data?.data).toMatchObject({ title: "Before", labels: ["a"] });
    await entry.getByRole("button", { name: "Full history" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("resource")).toBe(path.link_id);
    await expect
      .poll(() => page.getByRole("listitem").filter({ hasText: "link" }).count())
      .toBeGreaterThan(2);
    await button("Export CSV").click();
    expect((await page.waitForDownload()).name).toMatch(/^audit-log-.*\.csv$/);
  });

  test("a viewer reads webhooks, and settings say who can change them", async () => {
    const id = await createEndpoint("/good", "Order system");
    const params = { path: { webhook_id: id } };
    await dashboard.service.client.POST("/v1/webhooks/{webhook_id}/test", { params });
    await dashboard.service.setRole("viewer");
    await open("/settings/keys");
    await page.getByText("Only owners can manage API keys").waitFor();
    await open("/settings/domains");
    await page.getByText("Only owners can add or change domains.").waitFor();
    expect(await button("Add domain").count()).toBe(0);
    await open("/webhooks");
    expect(await button("Add endpoint").count()).toBe(0);
    await page.getByRole("link", { name: "Order system" }).click();
    await heading("Order system").waitFor();
    await page.getByRole("row").nth(1).waitFor();
    expect(await button("Send test").count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });
});
