import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Webhooks and settings of the dashboard as people use them, with a receiver that answers as its path says. */

describe.skipIf(!hasChromium("webhooks and settings in a browser"))(
  "webhooks and settings in a browser",
  () => {
    const dashboard = useDashboard();
    const { service, app, open, picture, toast } = dashboard;
    let page: Page;
    let receiver: Server;
    let receiverUrl = "";
    beforeAll(async () => {
      page = dashboard.page;
      receiver = createServer((request, response) => {
        response.writeHead(request.url === "/bad" ? 500 : 200, { "Content-Type": "text/plain" });
        response.end(request.url === "/bad" ? "the database is locked" : "thank you");
      });
      await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
      receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      receiver?.closeAllConnections();
      receiver?.close();
    });

    const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 });
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

    async function createEndpoint(path: string, description: string): Promise<string> {
      const body = { url: receiverUrl + path, description };
      const { data } = await service.client.POST("/v1/webhooks", { body });
      return data?.data.id ?? "";
    }

    /** Keeps a secret that is shown once, with the keyboard. */
    async function keepSecret(name: string | RegExp): Promise<string> {
      const shown = dialog(name);
      const text = await shown.locator(".secret code").textContent();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await shown.getByText("Close once more to leave without it.").waitFor();
      await shown.getByRole("checkbox", { name: "I have kept it" }).focus();
      await page.keyboard.press("Space");
      await shown.getByRole("button", { name: "Done" }).focus();
      await page.keyboard.press("Enter");
      await shown.waitFor({ state: "detached" });
      return text ?? "";
    }

    test("the keyboard alone adds an endpoint, tests it, and reads the delivery", async () => {
      await open("/links");
      await page.keyboard.press("g");
      await page.keyboard.press("w");
      await heading("Webhooks").waitFor();
      await page.getByRole("heading", { name: "Tell your systems what happens" }).waitFor();
      await picture("webhooks-empty");
      await page.keyboard.press("c");
      await dialog("New endpoint").waitFor();
      await page.keyboard.type("ftp://receiver.example");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Order system");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      dashboard.expected = /400/;
      await page.keyboard.press("Enter");
      await dialog("New endpoint").getByText("Choose at least one event.").waitFor();
      await dialog("New endpoint")
        .getByRole("checkbox", { name: /link\.created/ })
        .focus();
      await page.keyboard.press("Space");
      await expectAccessible(page);
      await picture("webhook-new");
      await page.keyboard.press("Enter");
      const url = dialog("New endpoint").getByRole("textbox", { name: "URL" });
      await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
      await expect
        .poll(() => url.evaluate((element) => element === element.ownerDocument.activeElement))
        .toBe(true);
      await url.fill(`${receiverUrl}/good`);
      await page.keyboard.press("Enter");
      await dialog("Your endpoint is ready").waitFor();
      await picture("webhook-secret");
      expect(await keepSecret("Your endpoint is ready")).toMatch(/^whsec_/);
      await heading("Order system").waitFor();
      await button("Send test").focus();
      await page.keyboard.press("Enter");
      await page.getByText("The endpoint works").waitFor();
      await expectAccessible(page);
      await button("Details").focus();
      await page.keyboard.press("Enter");
      const delivery = dialog("webhook.test");
      await delivery.getByText("thank you").waitFor();
      await delivery.getByText('"event": "webhook.test"').waitFor();
      await expectAccessible(page);
      await picture("webhook-delivery");
      await delivery.getByRole("button", { name: "Send again" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => delivery.getByRole("listitem").count()).toBe(2);
      await page.keyboard.press("Escape");
      await delivery.waitFor({ state: "detached" });
      expect(new URL(page.url()).searchParams.has("delivery")).toBe(false);
    });

    test("failures are found by filter, sent again together, and an endpoint is paused and deleted", async () => {
      const id = await createEndpoint("/bad", "Old CRM");
      for (let count = 0; count < 3; count++)
        await service.client.POST("/v1/webhooks/{webhook_id}/test", { params: { path: { webhook_id: id } } });
      await open(`/webhooks/${id}`);
      await page.getByRole("combobox", { name: "State" }).selectOption("Retrying");
      await expect.poll(() => new URL(page.url()).searchParams.get("state")).toBe("retrying");
      await expect.poll(() => page.getByRole("row").count(), { timeout: 15_000 }).toBe(4);
      await page.getByText("Failing").waitFor({ timeout: 15_000 });
      await picture("webhook-failing");
      await page.getByRole("checkbox", { name: "Select all rows" }).click();
      const bar = page.getByRole("region", { name: "Selected deliveries" });
      await bar.getByText("3 selected").waitFor();
      await bar.getByRole("button", { name: "Send again" }).click();
      await toast("3 deliveries sent again").waitFor();
      await page.getByRole("combobox", { name: "Event" }).selectOption("link.scanned");
      await page.getByRole("heading", { name: "No delivery fits" }).waitFor();
      await button("Show all deliveries").click();

      const run = async (command: string) => {
        await button("Commands for the endpoint").click();
        await page.getByRole("menuitem", { name: command }).click();
      };
      await run("Disable");
      await page.getByText("Demo owner disabled this endpoint").waitFor();
      await expectAccessible(page);
      await picture("webhook-paused");
      await toast("Deliveries that waited have failed").getByRole("button", { name: "Undo" }).click();
      await toast("New events are delivered").waitFor();
      await run("Rotate secret");
      await dialog("Rotate the signing secret").getByRole("button", { name: "Make a new secret" }).click();
      expect(await keepSecret("The new signing secret")).toMatch(/^whsec_/);
      await run("Delete");
      await dialog("Delete Old CRM?").getByRole("button", { name: "Delete endpoint" }).click();
      await heading("Webhooks").waitFor();
      await toast("The endpoint is deleted").waitFor();
      expect(await page.getByText("Old CRM").count()).toBe(0);
    });

    test("an endpoint that the service disabled says why", async () => {
      const id = await createEndpoint("/good", "Broken");
      const { data } = await service.client.GET("/v1/webhooks/{webhook_id}", {
        params: { path: { webhook_id: id } },
      });
      const nowIso = new Date().toISOString();
      const disabled = { enabled: false, disabled_at: nowIso, skipped_count: 7, skipped_at: nowIso };
      await dashboard.context.route(`**/v1/webhooks/${id}`, (route) =>
        route.fulfill({ json: { ...data, data: { ...data?.data, ...disabled } } }),
      );
      await open(`/webhooks/${id}`);
      await page.getByText("after 100 failed attempts in a row").waitFor();
      await page.getByText("7 events were not delivered").waitFor();
      await expectAccessible(page);
      await picture("webhook-disabled");
    });

    test("a key is made, rotated and revoked with the keyboard", async () => {
      await open("/settings/keys");
      await page.keyboard.press("c");
      await dialog("New API key").waitFor();
      await page.keyboard.press("Enter");
      await dialog("New API key").getByText("Give the key a name").waitFor();
      await page.keyboard.type("Reports");
      await dialog("New API key")
        .getByRole("radio", { name: /Choose/ })
        .focus();
      await page.keyboard.press("Space");
      await dialog("New API key")
        .getByRole("checkbox", { name: /See scans/ })
        .focus();
      await page.keyboard.press("Space");
      await expectAccessible(page);
      await picture("key-new");
      await page.keyboard.press("Enter");
      expect(await keepSecret("Reports is ready")).toMatch(/^svc_pk_/);
      const row = page.getByRole("row", { name: /Reports/ });
      await row.getByText("links:read, analytics:read").waitFor();
      const run = async (command: string) => {
        await row.getByRole("button", { name: "Commands for Reports" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("menuitem", { name: command }).focus();
        await page.keyboard.press("Enter");
      };
      await run("Rotate");
      const rotation = dialog("Rotate Reports");
      await rotation.getByRole("combobox").selectOption("0");
      await rotation.getByRole("button", { name: "Make a new key" }).click();
      expect(await keepSecret("The new key of Reports")).toMatch(/^svc_pk_/);
      await run("Revoke");
      await dialog("Revoke Reports?").getByText("It was never used.").waitFor();
      await expectAccessible(page);
      await dialog("Revoke Reports?").getByRole("button", { name: "Revoke key" }).click();
      await row.waitFor({ state: "detached" });
      await button("Show 2 former").click();
      await expect.poll(() => page.getByRole("row", { name: /Reports/ }).count()).toBe(2);
      await picture("keys");
    });

    test("a domain shows its record, what the resolver said, and checks documents", async () => {
      await open("/settings/domains");
      await page.keyboard.press("c");
      await dialog("Add a domain").waitFor();
      await page.keyboard.type("go.shoes-of-acme.com");
      await page.keyboard.press("Enter");
      await page.getByText("_signpost.go.shoes-of-acme.com").waitFor();
      const { data } = await service.client.GET("/v1/domains", { params: { query: {} } });
      const pending = data?.data.find(({ status }) => status === "pending");
      await dashboard.context.route("**/verify", (route) =>
        route.fulfill({ json: { data: pending, meta: { warnings: ["There is no TXT record yet."] } } }),
      );
      await button("Check now").click();
      await page.locator("main").getByText("There is no TXT record yet.").waitFor();
      await expectAccessible(page);
      await picture("domains");
      await button("Settings of go.shoes-of-acme.com").click();
      const panel = dialog("go.shoes-of-acme.com");
      await panel.getByRole("textbox", { name: "Home" }).fill("https://example.com/");
      await panel.locator("summary", { hasText: "Android" }).click();
      const document = panel.getByRole("textbox", { name: /assetlinks/ });
      await document.fill("{}");
      await panel.getByText("It has to be a list of objects").waitFor();
      await document.fill('[{"relation": []}]');
      await panel.getByText("17 bytes of 128 KiB").waitFor();
      await expectAccessible(page);
      await picture("domain-panel");
      await panel.getByRole("button", { name: "Save" }).click();
      await toast("Visitors see it within 35 seconds").waitFor();
      await panel.getByRole("button", { name: "Remove domain" }).click();
      await dialog("Remove go.shoes-of-acme.com?").getByRole("button", { name: "Remove domain" }).click();
      await page.getByText("_signpost.go.shoes-of-acme.com").waitFor({ state: "detached" });
    });

    test("the log shows what changed, leads to it, and takes a change of a link back", async () => {
      const { data } = await service.client.POST("/v1/links", {
        body: { url: "https://example.com/", custom_slug: "logged", title: "Before", labels: ["a"] },
      });
      const path = { link_id: data?.data.id ?? "" };
      await service.client.PATCH("/v1/links/{link_id}", {
        params: { path },
        body: { title: "After", labels: ["b"] },
      });
      await open("/settings/audit?type=link");
      const entry = page.getByRole("listitem").filter({ hasText: "changed link" }).first();
      await entry.locator("summary").focus();
      await page.keyboard.press("Enter");
      await entry.getByText("Before").waitFor();
      await expectAccessible(page);
      await picture("audit");
      await entry.getByRole("button", { name: "Revert" }).click();
      await toast("Reverted").waitFor();
      await page.getByText("reverted a change of").first().waitFor();
      const link = await service.client.GET("/v1/links/{link_id}", { params: { path } });
      expect(link.data?.data).toMatchObject({ title: "Before", labels: ["a"] });
      await entry.getByRole("button", { name: "Its whole history" }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get("resource")).toBe(path.link_id);
      await expect
        .poll(() => page.getByRole("listitem").filter({ hasText: "link" }).count())
        .toBeGreaterThan(2);
      const download = page.waitForEvent("download");
      await button("CSV of what is shown").click();
      expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
    });

    const SETTINGS = ["workspace", "usage", "domains", "keys", "people", "sessions", "audit"];

    test("the screens of the settings have no violation", async () => {
      await open("/settings");
      for (const section of SETTINGS) {
        await page.getByRole("navigation", { name: "Settings" }).locator(`a[href$="/${section}"]`).click();
        await expect.poll(() => page.title()).toMatch(/ · Settings · Signpost$/);
        await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
        await expectAccessible(page);
        await picture(`settings-${section}-light`);
      }
    });

    test.each(["light", "dark"] as const)(
      "the screens of webhooks have no violation in %s",
      async (theme) => {
        await page.emulateMedia({ colorScheme: theme });
        const { data } = await service.client.GET("/v1/webhooks");
        const id = data?.data.find(({ description }) => description === "Order system")?.id;
        for (const [name, path] of [
          ["webhooks", "/webhooks"],
          ["webhook", `/webhooks/${id}`],
        ] as const) {
          await open(path);
          await page.getByText("Order system").first().waitFor();
          await expectAccessible(page);
          await picture(`${name}-${theme}`);
        }
        await page.emulateMedia({ colorScheme: null });
      },
    );

    test("a viewer sees what others may change, and a sentence about the rest", async () => {
      const { data } = await service.client.GET("/v1/workspace");
      const shown = { id: data?.data.id, slug: "demo", name: "Demo", plan: "business", role: "viewer" };
      const person = { id: shown.id, email: "vi@demo.example", name: "Vi", role: "viewer", scopes: [] };
      await dashboard.context.route(/\/v1\/session$/, (route) =>
        route.fulfill({ json: { data: { ...person, workspace: shown, workspaces: [shown] }, meta: {} } }),
      );
      await open("/settings/keys");
      await page.getByText("API keys are for owners").waitFor();
      await open("/settings/domains");
      await page.getByText("Owners of this workspace add and change domains.").waitFor();
      expect(await button("Add domain").count()).toBe(0);
      await open("/webhooks");
      expect(await button("Add endpoint").count()).toBe(0);
      await page.getByRole("link", { name: "Order system" }).click();
      await heading("Order system").waitFor();
      await page.getByRole("row").nth(1).waitFor();
      expect(await button("Send test").count()).toBe(0);
      expect(await page.getByRole("checkbox").count()).toBe(0);
    });

    test("a phone reaches everything by touch in the dark, without sideways scrolling", async () => {
      const small = await dashboard.openPhone();
      await small.emulateMedia({ colorScheme: "dark" });
      await open("/webhooks", small);
      await expectNoSidewaysScrolling(small);
      await expectAccessible(small);
      await picture("webhooks-phone", small);
      await small.getByRole("link", { name: "Order system" }).tap();
      await small.getByRole("heading", { name: "Order system", level: 1 }).waitFor();
      await small.getByRole("button", { name: "Send test" }).tap();
      await small.getByText("The endpoint works").waitFor();
      await expectNoSidewaysScrolling(small);
      await picture("webhook-phone", small);
      for (const section of SETTINGS) {
        await open(`/settings/${section}`, small);
        await expectNoSidewaysScrolling(small);
        await expectAccessibleLook(small);
        await picture(`settings-${section}-phone`, small);
      }
      await small.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Sessions" }).tap();
      await expect.poll(() => small.url()).toBe(app("/settings/sessions"));
      await small.context().close();
    });
  },
);
