import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Webhooks of the dashboard in a browser, with a receiver. */

describe.skipIf(!hasChromium("webhooks in a browser"))("webhooks in a browser", () => {
  const dashboard = useDashboard();
  const { open } = dashboard;
  let page: Page;
  let receiver: Server;
  let receiverUrl = "";
  beforeAll(async () => {
    page = dashboard.page;
    receiver = createServer((_, response) => {
      response.end("thank you");
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

  /** Stores a secret that is only shown once, with the keyboard. */
  async function keepSecret(name: string | RegExp): Promise<string> {
    const shown = dialog(name);
    const text = await shown.locator("[data-ui=secret] code").textContent();
    await expectAccessible(page, ["dialog[open]"]);
    await shown.getByRole("checkbox", { name: "I've saved it" }).focus();
    await page.keyboard.press("Space");
    await shown.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await shown.waitFor({ state: "detached" });
    return text ?? "";
  }

  test("an endpoint is added and tested, and its delivery read, by keyboard alone", async () => {
    await open("/links");
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await heading("Webhooks").waitFor();
    await page.getByRole("heading", { name: "Get notified of events" }).waitFor();
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
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.press("Enter");
    const url = dialog("New endpoint").getByRole("textbox", { name: "URL" });
    await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
    await expect
      .poll(() => url.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await url.fill(`${receiverUrl}/good`);
    await page.keyboard.press("Enter");
    await dialog("Endpoint created").waitFor();
    expect(await keepSecret("Endpoint created")).toMatch(/^whsec_/);
    await heading("Order system").waitFor();
    await button("Send test").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Test delivered").waitFor();
    await button("Details").focus();
    await page.keyboard.press("Enter");
    const delivery = dialog("webhook.test");
    await delivery.getByText("thank you").waitFor();
    await delivery.getByText('"event": "webhook.test"').waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await delivery.getByRole("button", { name: "Resend" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => delivery.getByRole("listitem").count()).toBe(2);
    await page.keyboard.press("Escape");
    await delivery.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.has("delivery")).toBe(false);
  });
});
