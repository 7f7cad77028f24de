import { describe, expect, test } from "vitest";
import { createLink } from "../support/client-links.ts";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** The trash in the settings, and deletions in the audit log, with the service's code. */

describe("the trash", () => {
  const dashboard = useDashboard();
  const { open, toast } = dashboard;

  const create = (body: object) =>
    createLink(dashboard.service.client, { url: "https://example.com/", ...body });

  async function deleteLink(link_id: string): Promise<void> {
    await dashboard.service.client.DELETE("/v1/links/{link_id}", { params: { path: { link_id } } });
  }

  test("items are restored and erased, and a link whose code and alias are taken gets another code", async () => {
    await open("/settings/trash");
    await page.getByRole("heading", { name: "Nothing in the trash" }).waitFor();
    for (const custom_slug of ["first", "second"]) await deleteLink(await create({ custom_slug }));
    const taken = await create({ custom_slug: "taken", aliases: ["printed"] });
    await deleteLink(taken);
    await create({ custom_slug: "taken", aliases: ["printed"] });
    await dashboard.service.client.POST("/v1/qr/templates", { body: { name: "Brand" } }).then(({ data }) =>
      dashboard.service.client.DELETE("/v1/qr/templates/{template_id}", {
        params: { path: { template_id: data?.data.id ?? "" } },
      }),
    );
    await open("/settings/trash");
    await page.getByRole("button", { name: "Restore /first" }).click();
    await toast("/first restored").waitFor();
    await page.getByRole("button", { name: "Erase /second" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Erase" }).click();
    await toast("/second erased").waitFor();

    await page.getByRole("button", { name: "Restore /taken" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("taken is already used by another link").waitFor();
    await dialog.getByRole("textbox", { name: "Short code" }).fill("taken-2");
    await dialog.getByRole("button", { name: "Restore" }).click();
    await dialog.getByText("printed already belongs to the link taken").waitFor();
    await dialog.getByRole("button", { name: "Restore without aliases" }).click();
    await toast("/taken restored").waitFor();
    await page.getByRole("heading", { name: "Nothing in the trash" }).waitFor();
    const params = { path: { link_id: taken } };
    const { data } = await dashboard.service.client.GET("/v1/links/{link_id}", { params });
    expect(data?.data).toMatchObject({ short_code: "taken-2", aliases: [] });

    await page.getByRole("radio", { name: "QR templates" }).click();
    await page.getByRole("button", { name: "Restore Brand" }).click();
    await toast("Brand restored").waitFor();
  });

  test("a deletion in the audit log can be undone there", async () => {
    const id = await create({ custom_slug: "logged" });
    await deleteLink(id);
    await open(`/settings/audit?resource=${id}&type=link`);
    const entry = page.getByRole("listitem").filter({ hasText: "deleted link" });
    await entry.locator("summary").focus();
    await page.keyboard.press("Enter");
    await entry.getByRole("button", { name: "Restore /logged" }).click();
    await toast("/logged restored").waitFor();
    await page.getByRole("listitem").filter({ hasText: "restored link" }).waitFor();
    const params = { path: { link_id: id } };
    expect((await dashboard.service.client.GET("/v1/links/{link_id}", { params })).response.status).toBe(200);
  });
});
