import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { call, expectData, expectError, newWorkspace, workerEnv } from "../support/harness.ts";
import {
  APP,
  addMember,
  callAs,
  newPerson,
  newSignInLink,
  readToken,
  sendForm,
  signIn,
  visitApp,
} from "../support/people.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Sets the clock for the rest of the test. */
function setClock(nowMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
}

const links = z.array(linkResponse);

describe("a sign-in link", () => {
  test("signs its member in once, after a button click that link previews do not perform", async () => {
    const workspace = await newWorkspace();
    const { email } = await addMember(workspace);
    const link = await newSignInLink(workspace, email);
    for (const method of ["GET", "HEAD", "GET"]) {
      const page = await visitApp(link, { method });
      expect(page.status).toBe(200);
      expect(page.headers.get("Set-Cookie")).toBeNull();
      if (method === "GET") expect(await page.text()).toContain(email);
    }
    const response = await sendForm(link);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/");
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^signpost_session=[A-Za-z0-9]{48}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const again = await sendForm(link);
    expect(again.status).toBe(410);
    expect(again.headers.get("Set-Cookie")).toBeNull();
    expect((await visitApp(link)).status).toBe(410);
  });

  test("signs in only one of two browsers that use it in parallel", async () => {
    const workspace = await newWorkspace();
    const { email } = await addMember(workspace);
    const link = await newSignInLink(workspace, email);
    const responses = await Promise.all([sendForm(link), sendForm(link), sendForm(link)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  });

  test.each([
    [15 * MINUTE_MS - 1, 303],
    [15 * MINUTE_MS, 410],
  ])("returns, %i ms after its creation, %i", async (ageMs, status) => {
    const workspace = await newWorkspace();
    const { email } = await addMember(workspace);
    const nowMs = Date.now();
    const link = await newSignInLink(workspace, email, nowMs + 15 * MINUTE_MS);
    setClock(nowMs + ageMs);
    expect((await sendForm(link)).status).toBe(status);
  });

  test("of a deactivated member is rejected, even if they belong to another workspace", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const member = await addMember(workspace);
    await addMember(other, "owner", member.email);
    const link = await newSignInLink(workspace, member.email);
    await workerEnv.DIRECTORY.prepare("UPDATE members SET is_active = 0 WHERE id = ?").bind(member.id).run();
    expect((await visitApp(link)).status).toBe(410);
    expect((await sendForm(link)).status).toBe(410);
  });

  test("never signs in a member of another workspace who has the same email address", async () => {
    const [other, workspace] = [await newWorkspace(), await newWorkspace()];
    const stranger = await addMember(other);
    await workerEnv.DIRECTORY.prepare("UPDATE members SET person = ? WHERE id = ?")
      .bind(crypto.randomUUID(), stranger.id)
      .run();
    const { token } = await signIn(workspace, await addMember(workspace, "owner", stranger.email));
    expect((await callAs(token, workspace.slug, "GET", "/v1/workspace")).status).toBe(200);
    expect((await callAs(token, other.slug, "GET", "/v1/workspace")).status).toBe(403);
  });

  test.each(["unknown".padEnd(48, "x"), "", "a/b", "%00", "x".repeat(5_000)])(
    "with the token %j returns 410",
    async (token) => {
      expect((await visitApp(`/sign-in/link/${token}`)).status).toBe(410);
      expect((await sendForm(`/sign-in/link/${token}`)).status).toBe(410);
    },
  );

  test("ends the browser's previous session, which an attacker may have planted", async () => {
    const workspace = await newWorkspace();
    const attacker = await newPerson(workspace);
    const victim = await addMember(workspace);
    const response = await sendForm(await newSignInLink(workspace, victim.email), attacker.token);
    expect(readToken(response)).not.toBe(attacker.token);
    await expectError(await attacker.call("GET", "/v1/links"), 401, "INVALID_SESSION");
  });

  test("keeps the browser's session if it is invalid", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    expect((await sendForm("/sign-in/link/unknown", person.token)).status).toBe(410);
    expect((await person.call("GET", "/v1/links")).status).toBe(200);
  });
});

describe("a person", () => {
  test("calls the API on the app host, without quota and on every plan", async () => {
    const workspace = await newWorkspace("free");
    const person = await newPerson(workspace);
    const created = await person.call("POST", "/v1/links", { body: { url: "https://example.com/" } });
    await expectData(created, linkResponse, 201);
    const response = await person.call("GET", "/v1/links");
    const { data } = await expectData(response, links);
    expect(data).toHaveLength(1);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(response.headers.get("X-RateLimit-Limit")).toBe("20");
    await expectError(await workspace.call("GET", "/v1/links"), 403, "FEATURE_NOT_AVAILABLE");
  });

  test("is rejected with an API key, and a session is rejected on the API host", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    const headers = { Authorization: `Bearer ${workspace.key}` };
    const onApp = await expectError(
      await person.call("GET", "/v1/links", { headers }),
      401,
      "INVALID_SESSION",
    );
    expect(onApp.message).toContain("http://localhost:8787");
    const cookie = { Cookie: `signpost_session=${person.token}`, "X-SVC-Workspace": workspace.slug };
    const onApi = await expectError(
      await call(null, "GET", "/v1/links", { headers: cookie }),
      401,
      "INVALID_API_KEY",
    );
    expect(onApi.message).toContain(APP);
  });

  test.each([
    null,
    "null",
    "https://evil.example",
    "http://localhost:8787",
    "http://app.localhost",
    `${APP}/`,
  ])("cannot change anything from a page with the origin %s", async (Origin) => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    const response = await person.call("POST", "/v1/links", {
      body: { url: "https://example.com/" },
      headers: { Origin },
    });
    await expectError(response, 403, "ORIGIN_MISMATCH");
    const { data } = await expectData(await person.call("GET", "/v1/links", { headers: { Origin } }), links);
    expect(data).toEqual([]);
    expect((await sendForm("/sign-out", person.token, Origin)).status).toBe(403);
    expect((await person.call("GET", "/v1/links")).status).toBe(200);
  });

  test("must name a workspace that they belong to", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const person = await newPerson(workspace);
    const callIn = (slug: string | null, method = "GET") =>
      person.call(method, "/v1/links", { headers: { "X-SVC-Workspace": slug } });
    const missing = await expectError(await callIn(null), 400, "VALIDATION_ERROR");
    expect(missing.message).toContain("X-SVC-Workspace");
    const foreign = await expectError(await callIn(other.slug), 403, "NOT_A_MEMBER");
    const unknown = await expectError(await callIn("nobody-has-this"), 403, "NOT_A_MEMBER");
    expect(foreign).toEqual(unknown);
    await expectError(await callIn(other.slug, "POST"), 403, "NOT_A_MEMBER");
  });

  test("can act in every workspace that lists their email", async () => {
    const [first, second] = [await newWorkspace(), await newWorkspace()];
    const member = await addMember(first, "owner");
    await addMember(second, "viewer", member.email);
    const person = await signIn(first, member);
    const inSecond = { headers: { "X-SVC-Workspace": second.slug } };
    expect((await person.call("GET", "/v1/links", inSecond)).status).toBe(200);
    const body = { url: "https://example.com/" };
    await expectError(
      await person.call("POST", "/v1/links", { ...inSecond, body }),
      403,
      "INSUFFICIENT_ROLE",
    );
    expect((await person.call("POST", "/v1/links", { body })).status).toBe(201);
  });

  test.each([
    ["deactivated", "UPDATE members SET is_active = 0 WHERE id = ?"],
    ["removed", "DELETE FROM members WHERE id = ?"],
  ])("who was %s is rejected at the next call", async (_, statement) => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const person = await newPerson(workspace);
    const elsewhere = await addMember(other, "viewer", person.email);
    const inOther = { headers: { "X-SVC-Workspace": other.slug } };
    expect((await person.call("GET", "/v1/links")).status).toBe(200);
    await workerEnv.DIRECTORY.prepare(statement).bind(person.id).run();
    await expectError(await person.call("GET", "/v1/links"), 403, "NOT_A_MEMBER");
    expect((await person.call("GET", "/v1/links", inOther)).status).toBe(200);
    await workerEnv.DIRECTORY.prepare(statement).bind(elsewhere.id).run();
    await expectError(await person.call("GET", "/v1/links", inOther), 401, "INVALID_SESSION");
  });

  test("has a changed role from the next call on", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace, "editor");
    const create = () => person.call("POST", "/v1/links", { body: { url: "https://example.com/" } });
    expect((await create()).status).toBe(201);
    await workerEnv.DIRECTORY.prepare("UPDATE members SET role = 'viewer' WHERE id = ?")
      .bind(person.id)
      .run();
    await expectError(await create(), 403, "INSUFFICIENT_ROLE");
  });

  test("who signed out has no access with the stolen cookie, and another browser keeps its own session", async () => {
    const workspace = await newWorkspace();
    const member = await addMember(workspace);
    const [first, second] = [await signIn(workspace, member), await signIn(workspace, member)];
    const out = await sendForm("/sign-out", first.token);
    expect(out.status).toBe(303);
    expect(out.headers.get("Set-Cookie")).toContain("signpost_session=; Max-Age=0;");
    await expectError(await first.call("GET", "/v1/links"), 401, "INVALID_SESSION");
    expect((await second.call("GET", "/v1/links")).status).toBe(200);
  });
});

describe("a session", () => {
  test.each([
    [14 * DAY_MS - 1, 200],
    [14 * DAY_MS, 401],
  ])("unused for %i ms returns %i", async (idleMs, status) => {
    const workspace = await newWorkspace();
    const nowMs = Date.now();
    setClock(nowMs);
    const person = await newPerson(workspace);
    vi.setSystemTime(nowMs + idleMs);
    expect((await person.call("GET", "/v1/links")).status).toBe(status);
  });

  test.each([
    [30 * DAY_MS - 1, 200],
    [30 * DAY_MS, 401],
  ])("in use returns, %i ms later, %i", async (ageMs, status) => {
    const workspace = await newWorkspace();
    const nowMs = Date.now();
    setClock(nowMs);
    const person = await newPerson(workspace);
    for (const days of [10, 20, 29]) {
      vi.setSystemTime(nowMs + days * DAY_MS);
      expect((await person.call("GET", "/v1/links")).status).toBe(200);
    }
    vi.setSystemTime(nowMs + ageMs);
    expect((await person.call("GET", "/v1/links")).status).toBe(status);
  });

  test("in use is written once a day", async () => {
    const workspace = await newWorkspace();
    const nowMs = Date.now();
    setClock(nowMs);
    const person = await newPerson(workspace);
    const readSeen = async (ageMs: number) => {
      vi.setSystemTime(nowMs + ageMs);
      expect((await person.call("GET", "/v1/links")).status).toBe(200);
      return workerEnv.DIRECTORY.prepare("SELECT last_seen_at FROM sessions WHERE email = ?")
        .bind(person.email)
        .first<number>("last_seen_at");
    };
    expect(await readSeen(DAY_MS - 1)).toBe(nowMs);
    expect(await readSeen(DAY_MS)).toBe(nowMs + DAY_MS);
    expect(await readSeen(2 * DAY_MS - 1)).toBe(nowMs + DAY_MS);
  });
});

describe("pages of the app host", () => {
  test("show the signed-in person, and are neither stored nor framed", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace, "editor");
    const response = await visitApp("/sign-in", { headers: { Cookie: `signpost_session=${person.token}` } });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain(person.email);
    expect(html).toContain("editor");
    expect(html).not.toContain(person.token);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(response.headers.get("Referrer-Policy")).toBe("same-origin");
    expect(response.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  test("explain to other visitors how to sign in", async () => {
    const html = await (await visitApp("/sign-in")).text();
    expect(html).toContain("sign-in link");
  });

  test.each([
    ["POST", "/", 405, "GET, HEAD"],
    ["GET", "/sign-out", 405, "POST"],
    ["PUT", "/sign-in/link/x", 405, "GET, HEAD, POST"],
  ])("%s %s returns %i", async (method, path, status, allow) => {
    const response = await visitApp(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("Allow")).toBe(allow);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  });
});
