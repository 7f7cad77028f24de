import { describe, expect, onTestFinished, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { currentSession } from "../../src/sign-in/session.schema.ts";
import { readLog } from "../support/audit.ts";
import {
  breakingEnv,
  expectData,
  newWorkspace,
  type TestWorkspace,
  TRANSIENT_FAILURE,
  workerEnv,
} from "../support/harness.ts";
import { APP, addMember, newSignInLink, sendForm, type TestMember, visitApp } from "../support/people.ts";
import { type Provisioned, provision, USER } from "../support/scim.ts";
import { type Jar, type StubAlgorithm, StubProvider } from "../support/stub-provider.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const SESSION = "signpost_session";
const TRANSACTION = "signpost_sign_in";

/** Sets the clock for the rest of the test. */
function setClock(nowMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
}

/** Captures log lines instead of printing them, and returns them. Leaves out the lines of failed visits. */
function watchLog(): string[] {
  forgetRecurringErrors();
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: string) => {
    if (!line.startsWith('{"message":"a visit failed"')) lines.push(line);
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

/** Creates a workspace with a member, and a provider that authenticates the member. */
async function newWorld(bindings: ConstructorParameters<typeof StubProvider>[0] = {}) {
  const workspace = await newWorkspace();
  const member = await addMember(workspace);
  const provider = new StubProvider(bindings);
  provider.claims = { email: member.email, email_verified: true };
  return { workspace, member, provider };
}

const bind = (provider: StubProvider, bindings: object) =>
  void Object.assign(provider, { env: { ...provider.env, ...bindings } });

function listSessions({ email }: Pick<TestMember, "email">) {
  return workerEnv.DIRECTORY.prepare("SELECT * FROM sessions WHERE email = ? ORDER BY id")
    .bind(email)
    .all<Record<string, unknown>>()
    .then(({ results }) => results);
}

/** Expects a page without a session, and that no data of the sign-in is left. */
async function expectRefused(response: Response, status: number, title: RegExp, jar: Jar): Promise<string> {
  const html = await response.text();
  expect(response.status, html).toBe(status);
  expect(html).toMatch(title);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect([...jar.keys()]).toEqual([]);
  return html;
}

const UNUSABLE = /<h1>Sign-in failed<\/h1>/;
const DOWN = /<h1>Your identity provider isn't responding<\/h1>/;
const OVER = /<h1>This sign-in has expired<\/h1>/;

describe("a sign-in at the identity provider", () => {
  test("requests a code with PKCE, state and nonce, and hides the sign-in's secrets from the browser", async () => {
    const { provider } = await newWorld();
    const jar: Jar = new Map();
    const first = await provider.visit("/sign-in/oidc", jar);
    expect(first.status).toBe(303);
    const cookie = first.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(
      /^signpost_sign_in=[0-9a-f]{8}\.[A-Za-z0-9+/=]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const address = new URL(first.headers.get("Location") ?? "");
    expect(`${address.origin}${address.pathname}`).toBe(`${provider.issuer}/authorize`);
    const asked = Object.fromEntries(address.searchParams);
    expect(asked).toEqual({
      response_type: "code",
      client_id: "signpost",
      redirect_uri: `${APP}/sign-in/callback`,
      scope: "openid email",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    for (const value of [asked.state, asked.nonce])
      expect(atob(cookie.split(/[.;]/)[1] ?? "")).not.toContain(value);
    const again = (await provider.begin(new Map())).searchParams;
    for (const name of ["state", "nonce", "code_challenge"]) expect(again.get(name)).not.toBe(asked[name]);
  });

  test("starts a session with the member's name, and stores only issuer and subject of the provider", async () => {
    const { workspace, member, provider } = await newWorld();
    provider.claims = { ...provider.claims, email: member.email.toUpperCase(), name: "Mallory" };
    const jar: Jar = new Map();
    const response = await provider.signIn(jar, "/sign-in/oidc?return=/links%3Fpage=2");
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/links?page=2");
    expect([...jar.keys()]).toEqual([SESSION]);
    expect(await listSessions(member)).toMatchObject([
      { email: member.email, name: "Ada", issuer: provider.issuer, subject: "subject" },
    ]);
    const called = await provider.visit("/v1/workspace", jar, {
      headers: { "X-SVC-Workspace": workspace.slug },
    });
    expect(called.status).toBe(200);
    const [{ body, headers }] = provider.received.filter(({ path }) => path === "/token") as [
      StubProvider["received"][0],
    ];
    expect(body.get("grant_type")).toBe("authorization_code");
    expect(body.get("client_secret")).toBe("s3cret/+ of ours");
    expect(headers.get("Authorization")).toBeNull();
  });

  test("pushes its request to a provider that requires it, and only then", async () => {
    const { provider } = await newWorld();
    provider.metadata = provider.pushMetadata;
    const begun = await provider.visit("/sign-in/oidc", new Map());
    expect(Object.fromEntries(new URL(begun.headers.get("Location") ?? "").searchParams)).toEqual({
      client_id: "signpost",
      request_uri: expect.stringMatching(/^urn:/),
    });
    const [pushed] = provider.received.filter(({ path }) => path === "/push");
    expect(Object.fromEntries(pushed?.body ?? [])).toEqual({
      response_type: "code",
      client_id: "signpost",
      client_secret: "s3cret/+ of ours",
      redirect_uri: `${APP}/sign-in/callback`,
      scope: "openid email",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect((await provider.signIn()).status).toBe(303);

    const { provider: optional } = await newWorld();
    optional.metadata = { ...optional.pushMetadata, require_pushed_authorization_requests: false };
    expect((await optional.signIn()).status).toBe(303);
    expect(optional.count("/push")).toBe(0);
  });

  test.each<[string, () => Response, number, RegExp, RegExp]>([
    [
      "rejects it",
      () => Response.json({ error: "invalid_request" }, { status: 400 }),
      ...([502, UNUSABLE, /pushed authorization requests .* returned the error invalid_request/] as const),
    ],
    ["fails", () => new Response(null, { status: 503 }), 503, DOWN, /responded with 503/],
    [
      "sends no reference",
      () => Response.json({ expires_in: 60 }, { status: 201 }),
      502,
      UNUSABLE,
      /be used/,
    ],
    [
      "redirects it",
      () => new Response(null, { status: 307, headers: { Location: "https://10.0.0.1/" } }),
      ...([502, UNUSABLE, /be used/] as const),
    ],
  ])(
    "shows an error page if the provider's endpoint for pushed requests %s",
    async (_, respond, ...expected) => {
      const { provider } = await newWorld();
      const lines = watchLog();
      provider.metadata = provider.pushMetadata;
      provider.intercept = (path) => (path === "/push" ? respond() : null);
      const [status, title, line] = expected;
      const jar: Jar = new Map();
      await expectRefused(await provider.visit("/sign-in/oidc", jar), status, title, jar);
      expect(lines.join()).toMatch(line);
      expect(provider.count("/push")).toBe(1);
    },
  );

  test("is limited by network if it causes a request to the provider", async () => {
    const { provider } = await newWorld();
    setClock(Date.now());
    provider.metadata = provider.pushMetadata;
    bind(provider, { UNKNOWN_LIMIT: { limit: async () => ({ success: false }) } });
    const headers = { "CF-Connecting-IP": "198.51.100.11" };
    const begin = async () => (await provider.visit("/sign-in/oidc", new Map(), { headers })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) statuses.push(await begin());
    expect(statuses).toEqual([...Array(20).fill(303), 429, 429]);
    expect(provider.count("/push")).toBe(20);
  });

  test("uses the header if the provider lists no other method, and no secret for a public client", async () => {
    const basic = await newWorld();
    basic.provider.metadata = { token_endpoint_auth_methods_supported: undefined };
    expect((await basic.provider.signIn()).status).toBe(303);
    const find = ({ received }: StubProvider) => received.find(({ path }) => path === "/token");
    expect(find(basic.provider)?.headers.get("Authorization")).toMatch(/^Basic /);
    expect(find(basic.provider)?.body.has("client_secret")).toBe(false);

    const publicClient = await newWorld({ OIDC_CLIENT_SECRET: "" });
    expect((await publicClient.provider.signIn()).status).toBe(303);
    expect(find(publicClient.provider)?.body.get("client_id")).toBe("signpost");
    expect(find(publicClient.provider)?.body.has("client_secret")).toBe(false);
  });

  test("reads a missing email from the UserInfo endpoint, only for the same subject", async () => {
    const { member, provider } = await newWorld();
    const lines = watchLog();
    provider.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` };
    provider.claims = {};
    provider.userInfo = { sub: "subject", email: member.email, email_verified: "true" };
    expect((await provider.signIn()).status).toBe(303);
    provider.userInfo = { ...provider.userInfo, sub: "somebody else" };
    const jar: Jar = new Map();
    await expectRefused(await provider.signIn(jar), 502, UNUSABLE, jar);
    expect(lines.join()).not.toContain(member.email);
  });

  test("ends the browser's previous session and no other", async () => {
    const { workspace, member, provider } = await newWorld();
    const [jar, other]: [Jar, Jar] = [new Map(), new Map()];
    await provider.signIn(other);
    const link = await newSignInLink(workspace, member.email);
    await provider.visit(link, jar, { method: "POST", headers: { Origin: APP } });
    const planted = jar.get(SESSION) ?? "";
    await provider.signIn(jar);
    expect(jar.get(SESSION)).not.toBe(planted);
    expect(await listSessions(member)).toHaveLength(2);
    expect(await (await provider.visit("/sign-in", new Map([[SESSION, planted]]))).text()).toContain(
      "<h1>Sign in</h1>",
    );
    for (const browser of [jar, other])
      expect(await (await provider.visit("/sign-in", browser)).text()).toContain("<h1>You're signed in</h1>");
  });

  test("keeps the browser's previous session if it fails", async () => {
    const { provider } = await newWorld();
    const jar: Jar = new Map();
    await provider.signIn(jar);
    provider.claims = { ...provider.claims, email: "stranger@example.com" };
    expect((await provider.signIn(jar)).status).toBe(403);
    expect(await (await provider.visit("/sign-in", jar)).text()).toContain("<h1>You're signed in</h1>");
  });

  test.each([1, 2])(
    "creates one session if the directory's response to round trip %i is lost",
    async (trip) => {
      const { member, provider } = await newWorld();
      const jar: Jar = new Map();
      const address = await provider.begin(jar);
      watchLog();
      const broken = breakingEnv(trip, "response", provider.env, TRANSIENT_FAILURE);
      Object.assign(provider, { env: broken.env });
      const response = await provider.lead(jar, { state: address.searchParams.get("state") ?? "" });
      expect(broken.isBroken()).toBe(true);
      expect(response.status).toBe(303);
      expect(await listSessions(member)).toHaveLength(1);
    },
  );
});

describe("a membership made by SCIM for an address of another domain", () => {
  /** Returns the ids of the pending memberships that a page offers. */
  const listOffers = (html: string) =>
    [...html.matchAll(/action="\/sign-in\/join\/([^"]+)"/g)].map(([, id]) => id);

  test("gives nothing and sees no sign-in until the person accepts it", async () => {
    const { workspace, member, provider } = await newWorld();
    const planted = await provision();
    const made = await planted.scim("POST", "/Users", { schemas: [USER], userName: member.email });
    expect(made).toMatchObject({ status: 201, body: { active: true } });
    const jar: Jar = new Map();
    const signedIn = await provider.signIn(jar);
    expect(signedIn.headers.get("Location")).toBe("/sign-in?return=%2F");
    const token = jar.get(SESSION) ?? "";
    const callIn = ({ slug }: TestWorkspace) =>
      visitApp("/v1/session", { headers: { Cookie: `${SESSION}=${token}`, "X-SVC-Workspace": slug } });
    const countEntries = async (each: TestWorkspace) =>
      (await readLog(each, "?operation=signInAtProvider")).length;
    expect((await callIn(planted.workspace)).status).toBe(403);
    const { data } = await expectData(await callIn(workspace), currentSession);
    expect(data.workspaces.map(({ id }) => id)).toEqual([workspace.id]);
    expect([await countEntries(workspace), await countEntries(planted.workspace)]).toEqual([1, 0]);

    const html = await (await provider.visit("/sign-in", jar)).text();
    expect(listOffers(html)).toEqual([made.body.id]);
    const join = `/sign-in/join/${made.body.id}`;
    expect((await sendForm(join)).status).toBe(404);
    expect((await sendForm(join, token, "https://evil.example")).status).toBe(403);
    expect((await callIn(planted.workspace)).status).toBe(403);
    expect((await sendForm(join, token)).headers.get("Location")).toBe("/sign-in");
    expect((await callIn(planted.workspace)).status).toBe(200);
    expect((await sendForm(join, token)).status).toBe(404);
    const log = await readLog(planted.workspace, "?operation=acceptMembership");
    expect(log).toMatchObject([{ changes: { accepted: [false, true] }, resource: { id: made.body.id } }]);
    expect((await provider.signIn(new Map())).headers.get("Location")).toBe("/");
  });

  test("is the only one of a person who signs in without a log entry, and can be accepted", async () => {
    const { provider } = await newWorld();
    const planted = await provision();
    const email = `new-${crypto.randomUUID()}@example.com`;
    const { body } = await planted.scim("POST", "/Users", { schemas: [USER], userName: email });
    provider.claims = { email, email_verified: true };
    const jar: Jar = new Map();
    expect((await provider.signIn(jar)).headers.get("Location")).toBe("/sign-in?return=%2F");
    expect(await readLog(planted.workspace, "?operation=signInAtProvider")).toEqual([]);
    await sendForm(`/sign-in/join/${body.id}`, jar.get(SESSION));
    expect(listOffers(await (await provider.visit("/sign-in", jar)).text())).toEqual([]);
  });

  test.each<[string, (own: string, foreign: string) => [domains: string[], email: string], boolean]>([
    ["a vouched domain", () => [["other.example", "acme.example"], "ada@Acme.example"], true],
    ["an active domain", (own) => [[], `ada@${own}`], true],
    ["an active domain of another workspace", (_, foreign) => [[], `ada@${foreign}`], false],
    ["a name below a vouched domain", () => [["acme.example"], "ada@mail.acme.example"], false],
    ["no proved domain", () => [[], "ada@acme.example"], false],
  ])("with %s is accepted at once: %j", async (_, choose, isAccepted) => {
    const workspace = await provision();
    const [domains, email] = choose(workspace.workspace.hostname, (await newWorkspace()).hostname);
    await setEmailDomains(workspace, domains);
    const { body } = await workspace.scim("POST", "/Users", { schemas: [USER], userName: email });
    expect(await readAcceptance(body.id)).toBe(isAccepted);
  });

  test("is pending again if its address becomes one of another domain", async () => {
    const planted = await provision("acme.example");
    const { body } = await planted.scim("POST", "/Users", { schemas: [USER], userName: "ada@acme.example" });
    const replace = (path: string, value: string) =>
      planted.patch(`/Users/${body.id}`, { op: "replace", path, value });
    await replace("displayName", "Ada");
    expect(await readAcceptance(body.id)).toBe(true);
    await replace("emails", "victim@other.example");
    expect(await readAcceptance(body.id)).toBe(false);
    await setEmailDomains(planted, []);
    await replace("emails", "ada@acme.example");
    expect(await readAcceptance(body.id)).toBe(false);
  });

  test("is accepted by the button of a sign-in link that the administrator made for its workspace", async () => {
    const planted = await provision();
    const email = "ada@acme.example";
    const { body } = await planted.scim("POST", "/Users", { schemas: [USER], userName: email });
    const link = await newSignInLink(planted.workspace, email);
    await visitApp(link);
    expect(await readAcceptance(body.id)).toBe(false);
    expect((await sendForm(link)).status).toBe(303);
    expect(await readAcceptance(body.id)).toBe(true);
  });
});

async function setEmailDomains({ workspace }: Provisioned, domains: string[]): Promise<void> {
  await workerEnv.DIRECTORY.prepare("UPDATE scim_tokens SET email_domains = ? WHERE workspace_id = ?")
    .bind(JSON.stringify(domains), workspace.id)
    .run();
}

async function readAcceptance(id: string): Promise<boolean> {
  const row = workerEnv.DIRECTORY.prepare("SELECT is_accepted FROM members WHERE id = ?").bind(id);
  return (await row.first("is_accepted")) === 1;
}

describe("users without access", () => {
  test("listed by no workspace get no session, and see the email they used", async () => {
    const { provider } = await newWorld();
    provider.metadata = { end_session_endpoint: `${provider.issuer}/logout?a=1` };
    provider.claims = { email: "str<b>anger@example.com", email_verified: true };
    const jar: Jar = new Map();
    const html = await expectRefused(
      await provider.signIn(jar),
      403,
      /<h1>You're not a member of any workspace/,
      jar,
    );
    expect(html).toContain("<bdi>str&lt;b&gt;anger@example.com</bdi>");
    expect(html).toContain('<a href="/sign-in/oidc">Try again</a>');
    expect(html).toContain(`<a href="${provider.issuer}/logout?a=1&amp;client_id=signpost">`);
    expect(await listSessions({ email: "str<b>anger@example.com" })).toEqual([]);
  });

  test.each<[string, (world: { workspace: TestWorkspace; member: TestMember }) => [string, string]]>([
    ["inactive members", ({ member }) => ["UPDATE members SET is_active = 0 WHERE id = ?", member.id]],
    [
      "members of deleted workspaces",
      ({ workspace }) => [
        "UPDATE workspaces SET slug = 'deleted:' || slug || ':1' WHERE id = ?",
        workspace.id,
      ],
    ],
  ])("who are %s get no session", async (_, change) => {
    const world = await newWorld();
    const [statement, id] = change(world);
    await workerEnv.DIRECTORY.prepare(statement).bind(id).run();
    const jar: Jar = new Map();
    await expectRefused(
      await world.provider.signIn(jar),
      403,
      /<h1>You're not a member of any workspace/,
      jar,
    );
    expect(await listSessions(world.member)).toEqual([]);
  });

  test.each<[string, (email: string) => object, RegExp, string?]>([
    ["an address that is not verified", (email) => ({ email, email_verified: false }), /isn't verified/],
    ["an address without a claim", (email) => ({ email }), /isn't verified/],
    [
      "an address that is not verified of a trusted domain",
      (email) => ({ email, email_verified: false }),
      /isn't verified/,
      "example.com",
    ],
    [
      "an address of another domain than the trusted one",
      (email) => ({ email }),
      /isn't verified/,
      "ample.com,com",
    ],
    ["no address", () => ({ email_verified: true }), /address is missing/],
    [
      "an address that is a list",
      (email) => ({ email: [email], email_verified: true }),
      /address is missing/,
    ],
    [
      "an address with a letter that becomes another one",
      (email) => ({ email: email.replace("k", "\u212a"), email_verified: true }),
      /address is missing/,
    ],
  ])("with %s get no session", async (_, claims, title, trusted = "") => {
    const workspace = await newWorkspace();
    const member = await addMember(workspace, "owner", `kelvin-${crypto.randomUUID()}@example.com`);
    const provider = new StubProvider({ OIDC_TRUST_EMAIL: trusted });
    provider.claims = claims(member.email) as Record<string, unknown>;
    const jar: Jar = new Map();
    await expectRefused(await provider.signIn(jar), 403, title, jar);
    expect(await listSessions(member)).toEqual([]);
  });

  test("of a trusted domain still get a session if the provider does not verify their email", async () => {
    const { member, provider } = await newWorld({ OIDC_TRUST_EMAIL: "acme.com, Example.COM" });
    provider.claims = { email: member.email };
    expect((await provider.signIn()).status).toBe(303);
  });
});

describe("a token that breaks a rule starts no session", () => {
  const ago = (seconds: number) => Math.floor(Date.now() / SECOND_MS) - seconds;
  const CASES: [string, (provider: StubProvider) => void][] = [
    ["the algorithm none", (provider) => Object.assign(provider, { algorithm: "none" })],
    ["HS256 with the client secret", (provider) => Object.assign(provider, { algorithm: "HS256" })],
    ["an algorithm that is not accepted", (provider) => Object.assign(provider, { algorithm: "RS512" })],
    [
      "HS256 in the header of another signature",
      (provider) => Object.assign(provider, { header: { alg: "HS256" } }),
    ],
    [
      "another payload than the signed one",
      (provider) => {
        provider.tamper = (token) => {
          const [header = "", payload = "", signature = ""] = token.split(".");
          const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
          return [
            header,
            btoa(JSON.stringify({ ...claims, email: "owner@example.com" })).replaceAll("=", ""),
            signature,
          ].join(".");
        };
      },
    ],
    [
      "no signature",
      (provider) => Object.assign(provider, { tamper: (token: string) => token.replace(/[^.]+$/, "") }),
    ],
    ["a critical header", (provider) => Object.assign(provider, { header: { crit: ["b64"], b64: false } })],
    ["another issuer", (provider) => Object.assign(provider.claims, { iss: "https://evil.acme.com" })],
    ["an issuer with a slash", (provider) => Object.assign(provider.claims, { iss: `${provider.issuer}/` })],
    ["another audience", (provider) => Object.assign(provider.claims, { aud: "another" })],
    [
      "several audiences without azp",
      (provider) => Object.assign(provider.claims, { aud: ["signpost", "another"] }),
    ],
    ["another authorized party", (provider) => Object.assign(provider.claims, { azp: "another" })],
    ["another nonce", (provider) => Object.assign(provider.claims, { nonce: "another" })],
    ["no nonce", (provider) => Object.assign(provider.claims, { nonce: undefined })],
    ["no subject", (provider) => Object.assign(provider.claims, { sub: undefined })],
    ["a long subject", (provider) => Object.assign(provider.claims, { sub: "s".repeat(256) })],
    ["no end", (provider) => Object.assign(provider.claims, { exp: undefined })],
    ["an end 75 s ago", (provider) => Object.assign(provider.claims, { exp: ago(75) })],
    ["a beginning in 75 s", (provider) => Object.assign(provider.claims, { nbf: ago(-75) })],
    ["an issue in 75 s", (provider) => Object.assign(provider.claims, { iat: ago(-75) })],
    ["claims of 200 kB", (provider) => Object.assign(provider.claims, { groups: "g".repeat(200_000) })],
    ["an unknown key", (provider) => Object.assign(provider, { kid: "second" })],
    ["no token", (provider) => Object.assign(provider, { tokens: { id_token: undefined } })],
    ["a token that is a number", (provider) => Object.assign(provider, { tokens: { id_token: 7 } })],
  ];

  test.each(CASES)("%s", async (_, breakRule) => {
    const { member, provider } = await newWorld();
    const lines = watchLog();
    breakRule(provider);
    const jar: Jar = new Map();
    const response = await provider.signIn(jar);
    await expectRefused(response, 502, UNUSABLE, jar);
    expect(await listSessions(member)).toEqual([]);
    expect(lines).toEqual([
      expect.stringMatching(/^{"message":"the identity provider could not be used","error":"SignInError: /),
    ]);
    expect(lines.join()).not.toContain(member.email);
  });

  test.each<[string, (provider: StubProvider) => void]>([
    ["an end 5 s ago", (provider) => Object.assign(provider.claims, { exp: ago(5) })],
    ["a beginning in 30 s", (provider) => Object.assign(provider.claims, { nbf: ago(-30) })],
    ["an issue in 30 s", (provider) => Object.assign(provider.claims, { iat: ago(-30) })],
    [
      "several audiences with azp",
      (provider) => Object.assign(provider.claims, { aud: ["signpost", "x"], azp: "signpost" }),
    ],
    ["a subject of 255 characters", (provider) => Object.assign(provider.claims, { sub: "s".repeat(255) })],
    ["claims of 60 kB", (provider) => Object.assign(provider.claims, { groups: "g".repeat(60_000) })],
    ...(["ES256", "RS256", "PS256", "EdDSA"] as StubAlgorithm[]).map(
      (algorithm): [string, (provider: StubProvider) => void] => [
        `the algorithm ${algorithm}`,
        (provider) => Object.assign(provider, { algorithm }),
      ],
    ),
  ])("but %s does", async (_, change) => {
    const { provider } = await newWorld();
    change(provider);
    const response = await provider.signIn();
    expect(response.status, await response.text()).toBe(303);
  });
});

const DISCOVERY = "/.well-known/openid-configuration";

describe("the callback", () => {
  /** Replaces bindings of the service. */

  async function begin() {
    const world = await newWorld();
    const jar: Jar = new Map();
    const address = await world.provider.begin(jar);
    return { ...world, jar, state: address.searchParams.get("state") ?? "" };
  }

  test("with another state keeps the sign-in in progress and sends no request to the provider", async () => {
    const { provider, jar, state } = await begin();
    for (const wrong of [{ state: `${state.slice(1)}A` }, { state: "" }, {} as Record<string, string>]) {
      const response = await provider.lead(jar, wrong);
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(OVER);
      expect([...jar.keys()]).toEqual([TRANSACTION]);
    }
    const twice = await provider.visit(`/sign-in/callback?code=c&state=${state}&state=${state}`, jar);
    expect(twice.status).toBe(400);
    expect(provider.count("/token")).toBe(0);
    expect((await provider.lead(jar, { state })).status).toBe(303);
  });

  test("in another browser, or with an altered cookie, is rejected", async () => {
    const { provider, jar, state } = await begin();
    const sealed = jar.get(TRANSACTION) ?? "";
    const altered = `${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`;
    for (const cookie of [null, "", "x", altered, sealed.slice(0, -8), "A".repeat(5_000)]) {
      const other: Jar = new Map(cookie === null ? [] : [[TRANSACTION, cookie]]);
      const response = await provider.lead(other, { state });
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(OVER);
    }
    expect(provider.count("/token")).toBe(0);
  });

  test("works once, even if the provider accepts the code twice", async () => {
    const { member, provider, jar, state } = await begin();
    const copy: Jar = new Map(jar);
    expect((await provider.lead(jar, { state })).status).toBe(303);
    await expectRefused(await provider.lead(new Map(), { state }), 400, OVER, new Map());
    await expectRefused(await provider.lead(copy, { state }), 400, OVER, copy);
    expect(provider.count("/token")).toBe(1);
    expect(await listSessions(member)).toHaveLength(1);
  });

  test("sends the provider one request for 200 returns of one cookie, and returns 429 to a network beyond a limit", async () => {
    const { member, provider, jar, state } = await begin();
    let counted = 0;
    const limit = async () => ({ success: ++counted <= 5 });
    // A new `env` is like another isolate, which has not read the provider's metadata.
    bind(provider, { UNKNOWN_LIMIT: { limit } });
    provider.received.length = 0;
    setClock(Date.now());
    const headers = { "CF-Connecting-IP": "198.51.100.9" };
    const path = `/sign-in/callback?code=code&state=${state}`;
    const returns = Array.from({ length: 200 }, () => provider.visit(path, new Map(jar), { headers }));
    const statuses = (await Promise.all(returns)).map(({ status }) => status);
    const count = (status: number) => statuses.filter((other) => other === status).length;
    expect(count(303)).toBe(1);
    expect(count(303) + count(400) + count(429)).toBe(200);
    expect(provider.received.map((received) => received.path).sort()).toEqual([DISCOVERY, "/keys", "/token"]);
    expect(await listSessions(member)).toHaveLength(1);

    for (let n = 0; n < 20; n++) await provider.visit(path, new Map(jar), { headers });
    const refused = await provider.visit(path, new Map(jar), { headers });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    const neighbour = { ...headers, "User-Agent": "neighbour" };
    const other: Jar = new Map();
    const otherState = (await provider.begin(other)).searchParams.get("state");
    const otherPath = `/sign-in/callback?code=code&state=${otherState}`;
    expect((await provider.visit(otherPath, other, { headers: neighbour })).status).toBe(303);
  });

  test("of new cookies with codes that the provider rejects are limited by network", async () => {
    const { provider } = await begin();
    bind(provider, { UNKNOWN_LIMIT: { limit: async () => ({ success: false }) } });
    setClock(Date.now());
    provider.intercept = (path) =>
      path === "/token" ? Response.json({ error: "invalid_grant" }, { status: 400 }) : null;
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) {
      const jar: Jar = new Map();
      const state = (await provider.begin(jar)).searchParams.get("state");
      const headers = { "CF-Connecting-IP": "198.51.100.10" };
      statuses.push(
        (await provider.visit(`/sign-in/callback?code=c&state=${state}`, jar, { headers })).status,
      );
    }
    expect(statuses).toEqual([...Array(20).fill(400), 429, 429]);
    expect(provider.count("/token")).toBe(20);
  });

  test("continues if the object that lets it return once fails, which is logged", async () => {
    const { provider, jar, state } = await begin();
    const lines = watchLog();
    const claim = () => Promise.reject(new Error("the object is down"));
    bind(provider, { PASSWORD_TRIES: { getByName: () => ({ claim }) } });
    expect((await provider.lead(jar, { state })).status).toBe(303);
    expect(lines.join()).toContain("the state of a sign-in could not be claimed");
  });

  test("creates one session for parallel requests of one sign-in", async () => {
    const { member, provider, jar, state } = await begin();
    const copies = [1, 2, 3].map(() => new Map(jar));
    const responses = await Promise.all(copies.map((copy) => provider.lead(copy, { state })));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    expect(await listSessions(member)).toHaveLength(1);
  });

  test.each([
    [10 * MINUTE_MS - 1, 303],
    [10 * MINUTE_MS, 400],
  ])("returns, %i ms after the start, %i", async (ageMs, status) => {
    const startMs = Date.now();
    setClock(startMs);
    const { provider, jar, state } = await begin();
    setClock(startMs + ageMs);
    expect((await provider.lead(jar, { state })).status).toBe(status);
  });

  test("for another provider than at the start is rejected", async () => {
    const { jar, state } = await begin();
    const other = new StubProvider();
    expect((await other.lead(jar, { state })).status).toBe(400);
    expect(other.received.filter(({ path }) => path === "/token")).toEqual([]);
  });

  test.each<[Record<string, string>, number, RegExp]>([
    [{ error: "access_denied", error_description: "<b>no</b>" }, 403, /Sign-in cancelled/],
    [{ error: "login_required" }, 403, /Sign-in cancelled/],
    [{ error: "temporarily_unavailable" }, 503, DOWN],
    [{ error: "unauthorized_client" }, 502, UNUSABLE],
    [{ error: "<script>" }, 502, UNUSABLE],
    [{ code: "" }, 502, UNUSABLE],
    [{ code: "c".repeat(4_097) }, 502, UNUSABLE],
    [{ iss: "https://evil.acme.com" }, 502, UNUSABLE],
  ])("with %j ends the sign-in", async (parameters, status, title) => {
    const { provider, jar, state } = await begin();
    const lines = watchLog();
    const html = await expectRefused(await provider.lead(jar, { state, ...parameters }), status, title, jar);
    expect(html).not.toMatch(/<b>|<script>/);
    expect(lines.join()).not.toContain("<script>");
    expect(provider.count("/token")).toBe(0);
  });

  test("with a code of 4,096 characters is accepted", async () => {
    const { provider, jar, state } = await begin();
    expect((await provider.lead(jar, { state, code: "c".repeat(4_096) })).status).toBe(303);
  });

  test.each<[string, number, RegExp, RegExp?]>([
    ["invalid_grant", 400, OVER],
    ["invalid_client", 502, UNUSABLE, /returned the error invalid_client/],
    ["temporarily_unavailable", 503, DOWN],
  ])("with the error %s of the token endpoint ends the sign-in", async (error, status, title, line) => {
    const { provider, jar, state } = await begin();
    const lines = watchLog();
    const headers = { "WWW-Authenticate": 'Basic realm="id"' };
    provider.intercept = (path) =>
      path === "/token"
        ? Response.json({ error, error_description: "secret" }, { status: 401, headers })
        : null;
    await expectRefused(await provider.lead(jar, { state }), status, title, jar);
    if (line !== undefined) expect(lines.join()).toMatch(line);
    expect(lines.join()).not.toContain("secret");
  });

  test("ignores HEAD and POST requests", async () => {
    const { provider, jar, state } = await begin();
    for (const method of ["HEAD", "POST"])
      expect((await provider.visit(`/sign-in/callback?code=c&state=${state}`, jar, { method })).status).toBe(
        405,
      );
    expect((await provider.lead(jar, { state })).status).toBe(303);
  });
});

test("a sign-in never ends with a redirect to another host", async () => {
  const { provider } = await newWorld();
  const response = await provider.signIn(new Map(), "/sign-in/oidc?return=//evil.example");
  const location = response.headers.get("Location");
  expect(location).toBe("/");
});

describe("a provider that is down or misconfigured", () => {
  test.each<[string, string, StubProvider["intercept"]]>([
    ["does not answer", "/token", () => Promise.reject(new TypeError("connection refused"))],
    ["responds with a 500", "/token", () => new Response("down", { status: 500 })],
    ["responds with a 429", "/token", () => new Response("slow down", { status: 429 })],
    ["does not give its keys", "/keys", () => new Response("down", { status: 503 })],
  ])("that %s at %3$s or %2$s causes a 503 and ends the sign-in", async (_, path, fail) => {
    const { member, provider } = await newWorld();
    const lines = watchLog();
    const jar: Jar = new Map();
    const address = await provider.begin(jar);
    provider.intercept = (asked, init) => (asked === path ? fail(asked, init) : null);
    const response = await provider.lead(jar, { state: address.searchParams.get("state") ?? "" });
    expect(response.headers.get("Retry-After")).toBe("10");
    await expectRefused(response, 503, DOWN, jar);
    expect(await listSessions(member)).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  test("has its metadata read again after five seconds, and after an hour if it responded", async () => {
    const { provider } = await newWorld();
    watchLog();
    const startMs = Date.now();
    setClock(startMs);
    provider.intercept = () => new Response(null, { status: 503 });
    const jar: Jar = new Map();
    const response = await provider.visit("/sign-in/oidc", jar);
    expect(response.headers.get("Retry-After")).toBe("10");
    await expectRefused(response, 503, DOWN, jar);
    provider.intercept = () => null;
    setClock(startMs + 4_999);
    expect((await provider.visit("/sign-in/oidc", jar)).status).toBe(503);
    expect(provider.count(DISCOVERY)).toBe(1);
    setClock(startMs + 5_000);
    expect((await provider.visit("/sign-in/oidc", jar)).status).toBe(303);
    for (const [ageMs, reads] of [
      [5_000 + 60 * MINUTE_MS - 1, 2],
      [5_000 + 60 * MINUTE_MS, 3],
    ] as const) {
      setClock(startMs + ageMs);
      await provider.visit("/sign-in/oidc", jar);
      expect(provider.count(DISCOVERY)).toBe(reads);
    }
  });

  test.each([303, 503])("gets one request for its metadata from visitors who all get %i", async (status) => {
    const { provider } = await newWorld();
    watchLog();
    if (status === 503) provider.intercept = () => new Response(null, { status });
    const visits = Array.from({ length: 20 }, () => provider.visit("/sign-in/oidc", new Map()));
    const statuses = (await Promise.all(visits)).map((response) => response.status);
    expect(statuses).toEqual(Array(20).fill(status));
    expect(provider.count(DISCOVERY)).toBe(1);
  });

  test("gets only one request for its metadata if that request times out", async () => {
    const { provider } = await newWorld();
    watchLog();
    const startMs = Date.now();
    setClock(startMs);
    provider.intercept = () => {
      setClock(startMs + 5_000);
      throw new DOMException("too slow", "TimeoutError");
    };
    expect((await provider.visit("/sign-in/oidc", new Map())).status).toBe(503);
    expect(provider.count(DISCOVERY)).toBe(1);
  });

  test("has its keys read again for an unknown key, at most once a minute", async () => {
    const { provider } = await newWorld();
    watchLog();
    const startMs = Date.now();
    setClock(startMs);
    expect((await provider.signIn()).status).toBe(303);
    provider.kid = "second";
    provider.publishedKids = ["first", "second"];
    setClock(startMs + 58_000);
    expect((await provider.signIn()).status).toBe(502);
    expect(provider.count("/keys")).toBe(1);
    setClock(startMs + 62_000);
    expect((await provider.signIn()).status).toBe(303);
    expect((await provider.signIn()).status).toBe(303);
    expect(provider.count("/keys")).toBe(2);
  });

  test("has 5 seconds for each response, and 10 in total", async () => {
    const { provider } = await newWorld();
    watchLog();
    const jar: Jar = new Map();
    const address = await provider.begin(jar);
    const limits: number[] = [];
    const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((limitMs) => {
      limits.push(limitMs);
      const controller = new AbortController();
      if (limits.length === 2) controller.abort(new DOMException("too slow", "TimeoutError"));
      return controller.signal;
    });
    onTestFinished(() => spy.mockRestore());
    const startMs = Date.now();
    setClock(startMs);
    provider.intercept = (path, { signal }) => {
      if (path !== "/token") return signal?.aborted ? Promise.reject(signal.reason) : null;
      setClock(startMs + 8_000);
      return null;
    };
    const response = await provider.lead(jar, { state: address.searchParams.get("state") ?? "" });
    await expectRefused(response, 503, DOWN, jar);
    expect(limits.slice(0, 2)).toEqual([5_000, 2_000]);
  });

  const UNFIT: [string, (provider: StubProvider) => void, RegExp][] = [
    [
      "names another issuer",
      ({ metadata }) => Object.assign(metadata, { issuer: "https://evil.acme.com" }),
      /cannot be used/,
    ],
    [
      "names the issuer with a slash",
      (provider) => Object.assign(provider.metadata, { issuer: `${provider.issuer}/` }),
      /not exactly/,
    ],
    [
      "has no keys",
      ({ metadata }) => Object.assign(metadata, { jwks_uri: undefined }),
      /jwks_uri .* is missing/,
    ],
    [
      "has a private token endpoint",
      ({ metadata }) => Object.assign(metadata, { token_endpoint: "https://10.0.0.1/" }),
      /token_endpoint/,
    ],
    [
      "requires pushed requests without an endpoint for them",
      ({ metadata }) => Object.assign(metadata, { require_pushed_authorization_requests: true }),
      /pushed_authorization_request_endpoint .* is missing/,
    ],
    [
      "has a private endpoint for pushed requests",
      (provider) =>
        Object.assign(provider.metadata, provider.pushMetadata, {
          pushed_authorization_request_endpoint: "https://10.0.0.1/",
        }),
      /pushed_authorization_request_endpoint .* public hostname/,
    ],
    [
      "signs people in over http",
      ({ metadata }) => Object.assign(metadata, { authorization_endpoint: "http://id.acme.com/" }),
      /authorization_endpoint .* https/,
    ],
    [
      "leads to a script",
      ({ metadata }) => Object.assign(metadata, { authorization_endpoint: "javascript:alert(1)" }),
      /authorization_endpoint/,
    ],
    [
      "is this service",
      ({ metadata }) => Object.assign(metadata, { token_endpoint: `${APP}/` }),
      /token_endpoint .* this service/,
    ],
    [
      "signs with HS256 only",
      ({ metadata }) => Object.assign(metadata, { id_token_signing_alg_values_supported: ["HS256", "none"] }),
      /none of RS256/,
    ],
    [
      "has metadata of 200 kB",
      ({ metadata }) => Object.assign(metadata, { more: "m".repeat(200_000) }),
      /more than 131072 bytes/,
    ],
    [
      "sends a page",
      (provider) => Object.assign(provider, { intercept: () => new Response("<html>") }),
      /cannot be used/,
    ],
    [
      "leads elsewhere",
      (provider) =>
        Object.assign(provider, { intercept: () => Response.redirect("https://id.acme.com/", 302) }),
      /cannot be used/,
    ],
  ];

  test.each(UNFIT)("that %s starts no sign-in", async (_, change, line) => {
    const { provider } = await newWorld();
    const lines = watchLog();
    change(provider);
    const jar: Jar = new Map();
    await expectRefused(await provider.visit("/sign-in/oidc", jar), 502, UNUSABLE, jar);
    expect(lines.join()).toMatch(line);
  });

  test("that accepts no client secret ends the sign-in", async () => {
    const { provider } = await newWorld();
    const lines = watchLog();
    provider.metadata = { token_endpoint_auth_methods_supported: ["private_key_jwt"] };
    const jar: Jar = new Map();
    await expectRefused(await provider.signIn(jar), 502, UNUSABLE, jar);
    expect(lines.join()).toContain("does not accept a client secret");
  });

  test.each(["http://id.acme.com", "https://10.0.0.1", "not a URL"])(
    "%s is not requested",
    async (issuer) => {
      const provider = new StubProvider({ OIDC_ISSUER: issuer });
      watchLog();
      expect((await provider.visit("/sign-in/oidc", new Map())).status).toBe(502);
      expect(provider.received).toEqual([]);
    },
  );
});

describe("the app host", () => {
  test("links to the provider on its sign-in page, and shows a page with both links after a sign-out", async () => {
    const { member, provider } = await newWorld();
    provider.metadata = { end_session_endpoint: `${provider.issuer}/logout` };
    const jar: Jar = new Map();
    expect(await (await provider.visit("/sign-in", jar)).text()).toContain(
      '<a href="/sign-in/oidc">Sign in</a>',
    );
    await provider.signIn(jar);
    const stolen: Jar = new Map(jar);
    const out = await provider.visit("/sign-out", jar, { method: "POST", headers: { Origin: APP } });
    expect(out.status).toBe(303);
    expect(out.headers.get("Location")).toBe("/sign-in/signed-out");
    expect([...jar.keys()]).toEqual([]);
    expect(await listSessions(member)).toEqual([]);
    expect(await (await provider.visit("/sign-in", stolen)).text()).toContain("<h1>Sign in</h1>");
    const page = await provider.visit("/sign-in/signed-out", jar);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<a href="/sign-in/oidc">Sign in again</a>');
    expect(html).toContain(`<a href="${provider.issuer}/logout?client_id=signpost">`);
  });

  test.each<[string, (provider: StubProvider) => void]>([
    ["has no page to sign out", () => {}],
    [
      "has one without https",
      ({ metadata }) => Object.assign(metadata, { end_session_endpoint: "javascript:alert(1)" }),
    ],
    [
      "is down",
      (provider) => Object.assign(provider, { intercept: () => new Response(null, { status: 500 }) }),
    ],
  ])("shows no link to a provider that %s", async (_, change) => {
    const { provider } = await newWorld();
    change(provider);
    const page = await provider.visit("/sign-in/signed-out", new Map());
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("You're signed out");
    expect(html.match(/<a /g)).toHaveLength(1);
  });

  test.each([
    [{ OIDC_ISSUER: "", OIDC_CLIENT_ID: "signpost" }],
    [{ OIDC_ISSUER: "https://id.acme.com", OIDC_CLIENT_ID: "" }],
  ])("has no sign-in pages with %j", async (bindings) => {
    const provider = new StubProvider(bindings);
    for (const path of ["/sign-in/oidc", "/sign-in/callback?code=c&state=s", "/sign-in/signed-out"])
      expect((await provider.visit(path, new Map())).status).toBe(404);
    expect(await (await provider.visit("/sign-in", new Map())).text()).toContain("open the sign-in link");
    expect(provider.received).toEqual([]);
  });

  test("sets cookies over https that no other host can set", async () => {
    const provider = new StubProvider({ APP_URL: "https://app.acme.com" } as never);
    const response = await provider.visit("https://app.acme.com/sign-in/oidc", new Map());
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^__Host-signpost_sign_in=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });
});
