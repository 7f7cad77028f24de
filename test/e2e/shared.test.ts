import { expect, test } from "vitest";
import { expectData } from "./support/data.ts";
import { openRaw, sendRaw } from "./support/raw.ts";
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

test("malformed HTTP, endless bodies and hundreds of connections do not stop a service", async () => {
  const { port, key } = own;
  const host = `Host: localhost:${port}\r\n`;
  const post = `POST /v1/links HTTP/1.1\r\n${host}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const mebibyte = "x".repeat(1_048_576);

  const rejected = await Promise.all([
    sendRaw(port, [Uint8Array.of(22, 3, 1, 0, 255, 13, 10, 13, 10)]),
    sendRaw(port, [`GET /\0 HTTP/1.1\r\n${host}\r\n`]),
    sendRaw(port, [`GET /healthz HTTP/1.1\r\n${host}X-A: ${mebibyte}`]),
    sendRaw(port, [`${post}Content-Length: 5\r\nContent-Length: 2\r\n\r\n{}   `]),
  ]);
  for (const response of rejected) expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);

  const close = "Connection: close\r\n";
  const chunk = `100000\r\n${mebibyte}\r\n`;
  const large = await Promise.all([
    sendRaw(
      port,
      [`${post}${close}Content-Length: ${20 * 1_048_576}\r\n\r\n`, ...Array(20).fill(mebibyte)],
      20_000,
    ),
    sendRaw(
      port,
      [`${post}${close}Transfer-Encoding: chunked\r\n\r\n`, ...Array(20).fill(chunk), "0\r\n\r\n"],
      20_000,
    ),
  ]);
  for (const response of large) expect(response).toMatch(/^HTTP\/1\.1 413 /);

  const sockets = Array.from({ length: 300 }, () =>
    openRaw(port, `${post}Content-Length: 9000\r\n\r\n{"url":`),
  );
  const visits = await Promise.all(Array.from({ length: 500 }, () => own.visit("localhost", "/nowhere")));
  const statuses = visits.map(({ status }) => status);
  expect(statuses).toContain(404);
  // The limit of unknown codes rejects visits that begin after it was exceeded.
  expect(statuses.filter((status) => status !== 404 && status !== 429)).toEqual([]);
  for (const socket of sockets) socket.destroy();

  const url = "https://example.com/still";
  const { short_url } = await expectData<{ short_url: string }>(own.call("POST", "/v1/links", { url }), 201);
  expect((await fetch(short_url, { redirect: "manual" })).headers.get("Location")).toBe(url);
});
