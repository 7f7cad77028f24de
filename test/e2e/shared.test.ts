import { expect, test } from "vitest";
import { expectData } from "./support/data.ts";
import { useService, useSharedService } from "./support/service.ts";

/** Services of the tests that are not started by `npm run dev`. */

const [one, other] = [useSharedService(), useSharedService()];
const own = useService();
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

test("a file's own service keeps its state over a crash and a stop", async () => {
  const { id } = await expectData<{ id: string }>(own.call("POST", "/v1/links", body), 201);
  const { key, kill } = own;
  await kill();
  await expect(own.visit("localhost", "/spring")).rejects.toThrow();
  await own.restart();
  expect(own.key).toBe(key);
  expect((await own.visit("localhost", "/spring")).status).toBe(302);
  // The scan is still in memory.
  await own.stop();
  await own.restart();
  expect(await expectData(own.call("GET", `/v1/links/${id}`))).toMatchObject({ scan_count: 1 });
});
