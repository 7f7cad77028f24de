import { describe, expect, test } from "vitest";
import { api, callApi, getWorkspaceHeader } from "../../src/dashboard/data/calls.ts";
import { Authenticator } from "../support/authenticator.ts";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Members, invitations and passkeys in the settings, with the service's code. */

describe("the members section", () => {
  const { open, toast } = useDashboard();
  const row = (name: string) => page.getByRole("row", { name });

  test("an owner invites a person, sees the link once, and revokes the invitation", async () => {
    await open("/settings/people");
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite a person" });
    await dialog.getByRole("textbox", { name: "Email" }).fill("no address");
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    await dialog.getByText("must be an email address").waitFor();
    await dialog.getByRole("textbox", { name: "Email" }).fill("grace@example.com");
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const shown = page.getByRole("dialog", { name: "Send this link" });
    expect(await shown.locator("[data-ui=secret] code").textContent()).toMatch(
      /\/sign-in\/invitation\/\w{48}$/,
    );
    await shown.getByRole("checkbox", { name: "I've saved it" }).click();
    await shown.getByRole("button", { name: "Done" }).click();
    await row("grace@example.com").getByText("editor").waitFor();
    await page.getByRole("button", { name: "Revoke the invitation of grace@example.com" }).click();
    await toast("Invitation of grace@example.com revoked").waitFor();
    await page.getByRole("heading", { name: "Invitations" }).waitFor({ state: "detached" });
  });

  test("the last owner can neither step down nor leave", async () => {
    await open("/settings/people");
    const actions = page.getByRole("button", { name: /^Actions for/ });
    await actions.click();
    await page.getByRole("menuitemradio", { name: "Make viewer" }).click();
    await toast("The workspace must keep at least one owner").waitFor();
  });

  test("a passkey is renamed", async () => {
    await open("/settings/sessions");
    const authenticator = new Authenticator(location.origin);
    const params = { header: getWorkspaceHeader() };
    const { data } = await callApi(api.POST("/v1/passkeys/options", { params }));
    const response = await authenticator.create(data.options as Record<string, unknown>);
    const body = { name: "Computer", state: data.state, response };
    await callApi(api.POST("/v1/passkeys", { params, body }));
    await open("/settings/sessions");
    await page.getByRole("button", { name: "Rename Computer" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("My laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByText("My laptop", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove My laptop" }).waitFor();
  });

  test("a browser without passkeys offers none", async () => {
    await open("/settings/sessions");
    await page.getByRole("heading", { name: "Passkeys" }).waitFor();
    expect(await page.getByRole("button", { name: "Add passkey" }).count()).toBe(0);
  });
});
