import { expect, test } from "vitest";
import { expectData } from "./support/data.ts";
import { useSharedService } from "./support/service.ts";

/** The service that test files share. */

const [one, other] = [useSharedService(), useSharedService()];
const body = { url: "https://example.com/", custom_slug: "spring" };

test("workspaces of the shared service have separate hosts, keys and owners", async () => {
  await expectData(one.call("POST", "/v1/links", body), 201);
  expect((await one.visit(one.host, "/spring")).status).toBe(302);
  expect((await other.visit(other.host, "/spring")).status).toBe(404);
  for (const { signInLink, slug, port, visit } of [one, other]) {
    const host = `app.localhost:${port}`;
    const headers = { Origin: `http://${host}` };
    const signedIn = await visit(host, new URL(signInLink).pathname, { method: "POST", headers });
    const [cookie = ""] = (signedIn.headers.get("Set-Cookie") ?? "").split(";");
    const session = await visit(host, "/v1/session", { headers: { Cookie: cookie } });
    expect(await session.json()).toMatchObject({ data: { role: "owner", workspace: { slug } } });
  }
});
