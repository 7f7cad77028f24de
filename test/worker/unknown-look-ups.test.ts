import { expect, onTestFinished, test, vi } from "vitest";
import { formatKey, generateKey } from "../../src/keys/key.ts";
import { generateLinkToken } from "../../src/members/sign-in-link-address.ts";
import { generateScimToken } from "../../src/scim/scim-token.ts";
import { countingEnv, newWorkspace, send, workerEnv } from "../support/harness.ts";
import { APP, addMember, newPerson, newSignInLink } from "../support/people.ts";
import { provision } from "../support/scim.ts";

/**
 * Look-ups without a valid credential, limited by network before they reach a database. The binding allows
 * five look-ups that find nothing; the sixth is the first refusal, and 20 spare ones follow.
 */
const LIMIT = 5;
const LOOKED_UP_MAX = LIMIT + 1 + 20;

let addresses = 0;

const API = workerEnv.API_URL;
const BIO = workerEnv.BIO_URL;
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
const cookie = (token: string) => ({ Cookie: `signpost_session=${token}` });
async function shareReport(): Promise<string> {
  const body = { title: "T", label: "a", range: { days: 7 } };
  const response = await (await newWorkspace()).call("POST", "/v1/reports", { body });
  return (await response.json<{ data: { url: string } }>()).data.url;
}

const newToken = async () => (await generateLinkToken()).token;

type Sent = [url: string, headers?: Record<string, string>, method?: string];

/** Kind of look-up. `guess` and `prepare` return requests with an unknown and a valid credential. */
interface Kind {
  guess(): Sent | Promise<Sent>;
  prepare(): Promise<Sent>;
  unknown: number;
  valid: number;
}

const KINDS: [string, Kind][] = [
  [
    "shared reports",
    {
      guess: async () => [`${APP}/reports/${(await newToken()).slice(0, 43)}`],
      prepare: async () => [await shareReport()],
      unknown: 404,
      valid: 200,
    },
  ],
  [
    "API keys",
    {
      guess: () => [`${API}/v1/links`, bearer(formatKey(generateKey()))],
      prepare: async () => [`${API}/v1/links`, bearer((await newWorkspace()).key)],
      unknown: 401,
      valid: 200,
    },
  ],
  [
    "sessions of the API",
    {
      guess: async () => [`${APP}/v1/session`, cookie(await newToken())],
      prepare: async () => [`${APP}/v1/session`, cookie((await newPerson(await newWorkspace())).token)],
      unknown: 401,
      valid: 200,
    },
  ],
  [
    "sessions of the sign-in page",
    {
      guess: async () => [`${APP}/sign-in`, cookie(await newToken())],
      prepare: async () => [`${APP}/sign-in`, cookie((await newPerson(await newWorkspace())).token)],
      unknown: 200,
      valid: 200,
    },
  ],
  [
    "SCIM tokens",
    {
      guess: () => [`${API}/scim/v2/Users`, bearer(generateScimToken().token)],
      prepare: async () => [`${API}/scim/v2/Users`, bearer((await provision()).token)],
      unknown: 401,
      valid: 200,
    },
  ],
  [
    "sign-in links",
    {
      guess: async () => [`${APP}/sign-in/link/${await newToken()}`],
      prepare: async () => {
        const workspace = await newWorkspace();
        return [await newSignInLink(workspace, (await addMember(workspace)).email)];
      },
      unknown: 410,
      valid: 200,
    },
  ],
  [
    "bio slugs",
    {
      guess: () => [`${BIO}/unknown-${crypto.randomUUID().slice(0, 8)}`],
      prepare: async () => {
        const { call } = await newWorkspace();
        const slug = `page-${crypto.randomUUID().slice(0, 8)}`;
        const created = await call("POST", "/v1/bio/pages", { body: { title: "Jane", slug } });
        const { data } = await created.json<{ data: { id: string } }>();
        await call("POST", `/v1/bio/pages/${data.id}/publish`);
        return [`${BIO}/${slug}`];
      },
      unknown: 404,
      valid: 200,
    },
  ],
];

/** Returns an `env` with the small limit. */
function withSmallLimit() {
  const counts = new Map<string, number>();
  const limit = async ({ key }: RateLimitOptions) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= LIMIT };
  };
  return countingEnv({ ...workerEnv, UNKNOWN_LIMIT: { limit } });
}

test.each(KINDS)(
  "unknown %s are limited, and valid ones work for the neighbours of a guesser",
  async (_, kind) => {
    const known = await kind.prepare();
    const fresh = [await kind.prepare(), await kind.prepare()];
    const { env, trips } = withSmallLimit();
    const nowMs = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
    onTestFinished(() => clock.mockRestore());
    addresses += 1;
    const address = `198.18.0.${addresses}`;
    const visit = async ([url, headers, method = "GET"]: Sent, agent = "guesser") => {
      const all = { ...headers, "CF-Connecting-IP": address, "User-Agent": agent };
      return send(new Request(url, { method, headers: all, redirect: "manual" }), env);
    };
    expect((await visit(known)).status).toBe(kind.valid);
    const statuses: number[] = [];
    for (let n = 0; n < LOOKED_UP_MAX; n++) statuses.push((await visit(await kind.guess())).status);
    expect(statuses).toEqual(Array(LOOKED_UP_MAX).fill(kind.unknown));

    const before = trips();
    for (const sent of [await kind.guess(), fresh[0] as Sent]) {
      const refused = await visit(sent);
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    }
    expect(trips()).toBe(before);
    // Still served: known values, other clients of the network, and the same client half a second later.
    expect((await visit(known)).status).toBe(kind.valid);
    expect((await visit(fresh[0] as Sent, "neighbour")).status).toBe(kind.valid);
    clock.mockReturnValue(nowMs + 500);
    expect((await visit(fresh[1] as Sent)).status).toBe(kind.valid);
  },
);

test.each([
  ["signs out", "/sign-out", 303],
  ["accepts a membership", "/sign-in/join/unknown", 404],
])("a form that %s is limited too", async (_, path, status) => {
  const { env, trips } = withSmallLimit();
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  onTestFinished(() => clock.mockRestore());
  addresses += 1;
  const address = `198.18.0.${addresses}`;
  const statuses: number[] = [];
  for (let n = 0; n < LOOKED_UP_MAX + 1; n++) {
    const headers = { ...cookie(await newToken()), Origin: APP, "CF-Connecting-IP": address };
    const request = new Request(APP + path, { method: "POST", headers, redirect: "manual" });
    statuses.push((await send(request, env)).status);
  }
  expect(statuses).toEqual([...Array(LOOKED_UP_MAX).fill(status), 429]);
  expect(trips()).toBeLessThanOrEqual(2 * LOOKED_UP_MAX);
});
