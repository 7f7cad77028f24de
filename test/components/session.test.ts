import { afterAll, afterEach, expect, test, vi } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Session of the person with the service's code: its end, and signing out. */

const dashboard = useDashboard();
const load = vi.spyOn(location, "assign");
afterEach(() => void load.mockReset());
afterAll(() => void load.mockRestore());

test("an expired session redirects to the sign-in, which returns to the screen", async () => {
  load.mockImplementation(() => {});
  const error = { code: "INVALID_SESSION", message: "No." };
  dashboard.route(/\/v1\/links\?/, () => Response.json({ error, meta: {} }, { status: 401 }));
  await dashboard.goto("/links?search=keep");
  await expect.poll(() => load.mock.calls).toEqual([["/sign-in"]]);
  dashboard.unrouteAll();
  await dashboard.goto("/");
  await expect.poll(() => page.url()).toBe(`${location.origin}/links?search=keep`);
});

test("signing out ends the session and goes to the sign-in", async () => {
  load.mockImplementation(() => {});
  await dashboard.open("/links");
  await page.getByRole("button", { name: "Demo owner" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect.poll(() => load.mock.calls).toEqual([["/sign-in"]]);
  const session = await dashboard.service.send(new Request(`${location.origin}/v1/session`));
  expect(session.status).toBe(401);
});
