import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase, openShard } from "../../src/db/database.ts";
import { listShards } from "../../src/db/shards.ts";
import { activateDomain } from "../../src/domains/activate-domain.ts";
import { domainResponse } from "../../src/domains/domains.schema.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  answerWithText,
  countProofQueries,
  createActiveDomain,
  createDomain,
  dnsEnv,
  newHostname,
  readDomain,
  setProofAnswer,
  sweepClaimsAt,
  verifyDomain,
  visitHost,
} from "../support/domains.ts";
import {
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  onEachShard,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { hurryTimeouts } from "../support/quick-timers.ts";

/** Operations of `/v1/domains`. */

/** The Worker's `env` with a resolver that the guard rejects: nothing is requested and no proof is found. */
const guardedEnv: Env = Object.assign({ ...workerEnv }, { DNS_RESOLVER_URL: "http://10.0.0.1/dns-query" });

async function listDomains(workspace: TestWorkspace) {
  return expectData(await workspace.call("GET", "/v1/domains"), z.array(domainResponse));
}

function countOwnHosts(hostname: string): Promise<number> {
  return onEachShard<{ n: number }>("SELECT count(*) AS n FROM own_hosts WHERE hostname = ?", hostname).then(
    (rows) => rows.reduce((sum, { n }) => sum + n, 0),
  );
}

describe("GET /v1/domains", () => {
  test("lists the first host of a workspace, which is active and primary", async () => {
    const workspace = await newWorkspace("pro");
    const { data, meta } = await listDomains(workspace);
    expect(data).toMatchObject([
      { hostname: workspace.hostname, is_primary: true, status: "active", root_url: null },
    ]);
    expect(data[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(meta).toMatchObject({ total: 1, total_is_capped: false, next_before: null });
  });

  test("counts up to 1,000 domains and reports that there are more", async () => {
    const workspace = await newWorkspace();
    const addClaims = (count: number) =>
      workerEnv.DIRECTORY.prepare(
        `INSERT INTO domain_claims (id, workspace_id, hostname, created_at, is_counted)
         SELECT substr(?1, 1, 24) || printf('%012x', key), ?2, 'h' || key || '.' || ?1 || '.example', 1, 0
           FROM json_each(?3)`,
      )
        .bind(crypto.randomUUID(), workspace.id, JSON.stringify(Array(count).fill(0)))
        .run();
    // The first domain is the workspace's host.
    for (const [count, total, isCapped] of [
      [998, 999, false],
      [1, 1_000, false],
      [1, 1_000, true],
    ] as const) {
      await addClaims(count);
      expect((await listDomains(workspace)).meta).toMatchObject({ total, total_is_capped: isCapped });
    }
  });

  test("needs workspace:read, and changes need domains:write", async () => {
    const workspace = await newWorkspace("business");
    const reader = workspace.as(await workspace.newKey({ scopes: ["workspace:read"] }));
    const writer = workspace.as(await workspace.newKey({ scopes: ["domains:write"] }));
    const body = { hostname: newHostname() };
    await expectError(await reader.call("POST", "/v1/domains", { body }), 403, "INSUFFICIENT_SCOPE");
    await expectError(await writer.call("GET", "/v1/domains"), 403, "INSUFFICIENT_SCOPE");
    expect((await writer.call("POST", "/v1/domains", { body })).status).toBe(201);
    expect((await reader.call("GET", "/v1/domains")).status).toBe(200);
  });
});

describe("POST /v1/domains", () => {
  test("claims a host: pending, not resolved, with a hint for the TXT record", async () => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const response = await workspace.call("POST", "/v1/domains", {
      body: { hostname: hostname.toUpperCase() },
    });
    const { data, meta } = await expectData(response, domainResponse, 201);
    expect(data).toMatchObject({
      hostname,
      is_primary: false,
      status: "pending",
      root_url: null,
      assetlinks: null,
    });
    expect(meta.warnings).toEqual([
      expect.stringContaining(`_signpost.${hostname} that contains ${data.id}`),
    ]);
    const { short_code: code } = await createLink(workspace);
    expect((await workspace.visit(`/${code}`)).status).toBe(302);
    expect((await visitHost(hostname, `/${code}`)).status).toBe(404);
  });

  test.each([
    ["hostname", { hostname: "localhost" }, "must be a hostname such as"],
    ["hostname", { hostname: "https://go.example.com" }, "must be a hostname such as"],
    ["hostname", { hostname: "10.0.0.1" }, "must be a hostname such as"],
    ["hostname", { hostname: `${"a.".repeat(120)}example` }, "must have at most 243 characters"],
    ["hostname", { hostname: "bio.localhost" }, "is a host of this service"],
    ["hostname", { hostname: "app.localhost" }, "is a host of this service"],
    ["hostname", { hostname: "www.localhost" }, "is reserved"],
    ["hostname", { hostname: "a.b.localhost" }, "must have one label before .localhost"],
    ["hostname", {}, "is required"],
    [
      "root_url",
      { hostname: "a.example.com", root_url: "ftp://example.com/" },
      "must be an http or https URL",
    ],
    [
      "root_url",
      { hostname: "a.example.com", root_url: "http://a.example.com:8787/x" },
      "must not be a short URL",
    ],
    [
      "expired_url",
      { hostname: "a.example.com", expired_url: "http://acme.localhost:8787/" },
      "must not be a short",
    ],
    [
      "not_found_url",
      { hostname: "a.example.com", not_found_url: "http://acme.localhost:8787/" },
      "must not be a short",
    ],
    [
      "not_found_url",
      { hostname: "a.example.com", not_found_url: `https://example.com/${"a".repeat(2_100)}` },
      "2048",
    ],
    [
      "apple_app_site_association",
      { hostname: "a.example.com", apple_app_site_association: [] },
      "must be an object",
    ],
    ["assetlinks", { hostname: "a.example.com", assetlinks: {} }, "must be an array"],
    ["assetlinks[0]", { hostname: "a.example.com", assetlinks: ["a"] }, "must be an object"],
    [
      "assetlinks",
      { hostname: "a.example.com", assetlinks: [{ a: "ä".repeat(65_536) }] },
      "must have at most 128 KiB",
    ],
    ["is_primary", { hostname: "a.example.com", is_primary: true }, "is not a known field"],
  ])("rejects the field %s with %o", async (field, body, message) => {
    const workspace = await newWorkspace("business");
    const response = await workspace.call("POST", "/v1/domains", { body });
    const error = await expectError(response, 400, "VALIDATION_ERROR");
    expect(error.details).toContainEqual({ field, message: expect.stringContaining(message) });
    expect((await listDomains(workspace)).data).toHaveLength(1);
  });

  test("accepts documents of exactly 128 KiB", async () => {
    const workspace = await newWorkspace("business");
    const text = "a".repeat(131_072 - '{"a":""}'.length);
    const domain = await createDomain(workspace, newHostname(), { apple_app_site_association: { a: text } });
    expect(domain.apple_app_site_association).toEqual({ a: text });
  });

  test("rejects hosts of other workspaces, of link destinations, and hosts that the workspace already has", async () => {
    const [ours, theirs] = [await newWorkspace("business"), await newWorkspace("business")];
    const theirDomain = await createActiveDomain(theirs);
    for (const hostname of [theirDomain.hostname, theirs.hostname]) {
      await expectError(await ours.call("POST", "/v1/domains", { body: { hostname } }), 409, "DOMAIN_TAKEN");
      const body = { hostname: newHostname(), root_url: `http://${hostname}:8787/` };
      const error = await expectError(
        await ours.call("POST", "/v1/domains", { body }),
        400,
        "VALIDATION_ERROR",
      );
      expect(error.message).toContain("root_url: must not be a short URL");
    }
    const body = { hostname: newHostname() };
    expect((await ours.call("POST", "/v1/domains", { body })).status).toBe(201);
    await expectError(await ours.call("POST", "/v1/domains", { body }), 409, "DOMAIN_TAKEN");
    expect((await listDomains(ours)).data).toHaveLength(2);
  });

  test.each([
    ["pro", 1],
    ["business", 10],
  ] as const)("allows exactly the limit of the %s plan under parallel calls: %i", async (plan, cap) => {
    const workspace = await newWorkspace(plan);
    const keys = await Promise.all(
      Array.from({ length: 3 }, async () => workspace.as(await workspace.newKey())),
    );
    const responses = await Promise.all(
      Array.from({ length: cap + 4 }, (_, index) =>
        (keys[index % 3] as TestWorkspace).call("POST", "/v1/domains", { body: { hostname: newHostname() } }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(cap);
    expect(statuses.filter((status) => status === 403)).toHaveLength(4);
    const refused = responses.find(({ status }) => status === 403) as Response;
    const error = await expectError(refused, 403, "PLAN_LIMIT_EXCEEDED");
    expect(error.message).toBe(`The ${plan} plan allows ${cap} domain${cap === 1 ? "" : "s"}.`);
    const { data } = await listDomains(workspace);
    expect(data).toHaveLength(cap + 1);
    // The list is by age, and the workspace's first domain may be of the same millisecond.
    const claimed = data.find(({ is_primary }) => !is_primary);
    expect((await workspace.call("DELETE", `/v1/domains/${claimed?.id}`)).status).toBe(200);
    await createDomain(workspace, newHostname());
  });

  test("claims a host once with the same Idempotency-Key", async () => {
    const workspace = await newWorkspace("pro");
    const options = { body: { hostname: newHostname() }, headers: { "Idempotency-Key": "a" } };
    const first = await (await workspace.call("POST", "/v1/domains", options)).json();
    const again = await workspace.call("POST", "/v1/domains", options);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
  });

  test("activates a host below SHORT_DOMAIN immediately, unless it is another workspace's name", async () => {
    const [ours, theirs] = [await newWorkspace("business"), await newWorkspace("business")];
    const hostname = `x${crypto.randomUUID().slice(-8)}.localhost`;
    const domain = await createDomain(ours, hostname);
    expect(domain).toMatchObject({ hostname, status: "active", is_primary: false });
    expect(await countOwnHosts(hostname)).toBe(2);
    const { short_code: code } = await createLink(ours);
    expect((await visitHost(hostname, `/${code}`)).status).toBe(302);
    await expectError(await theirs.call("POST", "/v1/domains", { body: { hostname } }), 409, "DOMAIN_TAKEN");
    // The workspace's name is reserved for it even if it uses another host.
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET slug = ? WHERE id = ?")
      .bind(`t${hostname.slice(1, 9)}`, theirs.id)
      .run();
    const body = { hostname: `t${hostname.slice(1, 9)}.localhost` };
    await expectError(await ours.call("POST", "/v1/domains", { body }), 409, "DOMAIN_TAKEN");
    expect((await theirs.call("POST", "/v1/domains", { body })).status).toBe(201);
  });

  test("parallel claims of one host below SHORT_DOMAIN: one workspace gets it, and the others store nothing", async () => {
    const workspaces = await Promise.all(Array.from({ length: 4 }, () => newWorkspace("business")));
    const hostname = `p${crypto.randomUUID().slice(-8)}.localhost`;
    const responses = await Promise.all(
      workspaces.map((workspace) => workspace.call("POST", "/v1/domains", { body: { hostname } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { results } = await workerEnv.DIRECTORY.prepare("SELECT id FROM domain_claims WHERE hostname = ?")
      .bind(hostname)
      .all();
    expect(results).toHaveLength(1);
    expect(await countOwnHosts(hostname)).toBe(2);
  });
});

describe("POST /v1/domains/{id}/verify", () => {
  test("activates the domain if the TXT record contains its id, and only then serves its links", async () => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const domain = await createDomain(workspace, hostname);
    const { short_code: code } = await createLink(workspace);
    expect((await verifyDomain(workspace, domain)).meta.warnings).toEqual([
      expect.stringContaining(`No TXT record was found at _signpost.${hostname}`),
    ]);
    await setProofAnswer(hostname, answerWithText(hostname, `${domain.id}.`));
    const { data, meta } = await verifyDomain(workspace, domain);
    expect(data.status).toBe("pending");
    expect(meta.warnings?.[0]).toContain("No matching TXT record was found");
    expect((await visitHost(hostname, `/${code}`)).status).toBe(404);

    // Some DNS editors add spaces or upper case.
    const id = ` ${domain.id.toUpperCase()} `;
    await setProofAnswer(hostname, {
      records: [
        { owner: `_signpost.${hostname}`, type: "TXT", strings: ["v=spf1 -all"] },
        { owner: `_signpost.${hostname}`, type: "TXT", strings: [id.slice(0, 10), id.slice(10)] },
      ],
    });
    const verified = await verifyDomain(workspace, domain);
    expect(verified.data.status).toBe("active");
    expect(verified.meta.warnings).toBeUndefined();
    expect(await countOwnHosts(hostname)).toBe(2);
    // The isolate caches for 25 seconds that the host is unknown.
    forgetAll();
    expect((await visitHost(hostname, `/${code}`)).status).toBe(302);
    const asked = await countProofQueries(hostname);
    expect((await verifyDomain(workspace, domain)).data.status).toBe("active");
    expect(await countProofQueries(hostname)).toBe(asked);
  });

  test("follows a CNAME and ignores records of other names", async () => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const { id } = await createDomain(workspace, hostname);
    const owner = `_signpost.${hostname}`;
    await setProofAnswer(hostname, {
      records: [{ owner: "elsewhere.example.net", type: "TXT", strings: [id] }],
    });
    expect((await verifyDomain(workspace, { id })).data.status).toBe("pending");
    await setProofAnswer(hostname, {
      records: [
        { owner, type: "CNAME", target: "proof.example.net" },
        { owner: "proof.example.net", type: "A", address: "1.2.3.4" },
        { owner: "proof.example.net", type: "TXT", strings: [id] },
      ],
      mediaType: "Application/JSON; charset=UTF-8",
    });
    expect((await verifyDomain(workspace, { id })).data.status).toBe("active");
  });

  test.each([
    ["SERVFAIL", { rcode: 2 }, "SERVFAIL"],
    ["REFUSED", { rcode: 5 }, "REFUSED"],
    ["a truncated answer", { isTruncated: true }, "truncated"],
    ["garbage", { raw: "<p>not JSON" }, "not valid DNS JSON"],
    ["nothing", { raw: "" }, "not valid DNS JSON"],
    ["a huge answer", { padding: 1_000_000 }, "too large"],
    ["an error page", { status: 502, mediaType: "text/html" }, "responded with 502 text/html"],
    ["an error with an answer", { status: 502 }, "responded with 502 application/dns-json"],
    [
      "another media type",
      { mediaType: "application/dns-message" },
      "responded with 200 application/dns-message",
    ],
  ])("keeps the domain pending after %s and returns the reason", async (_, answer, reason) => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const domain = await createDomain(workspace, hostname);
    // Other records in the answer prove nothing.
    await setProofAnswer(hostname, { ...answerWithText(hostname, domain.id), ...answer });
    const { data, meta } = await verifyDomain(workspace, domain);
    expect(data.status).toBe("pending");
    expect(meta.warnings?.[0]).toContain(reason);
  });

  test("keeps the domain pending if the resolver does not respond or cannot be reached", async () => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const domain = await createDomain(workspace, hostname);
    await setProofAnswer(hostname, {});
    const response = await workspace.call("POST", `/v1/domains/${domain.id}/verify`);
    expect((await expectData(response, domainResponse)).meta.warnings?.[0]).toContain("the resolver failed");
    await setProofAnswer(hostname, { hangs: true });
    hurryTimeouts();
    expect((await verifyDomain(workspace, domain)).meta.warnings?.[0]).toContain("did not respond in time");
    // Later tests sweep this domain, too.
    await setProofAnswer(hostname, {});
  });

  test("sends no request to addresses that the guard rejects", async () => {
    const workspace = await newWorkspace("business");
    const { id, hostname } = await createDomain(workspace, newHostname());
    await setProofAnswer(hostname, answerWithText(hostname, id));
    for (const env of [guardedEnv, { ...dnsEnv, ALLOW_LOOPBACK: "" }]) {
      const response = await workspace.call("POST", `/v1/domains/${id}/verify`, { env });
      expect((await expectData(response, domainResponse)).data.status).toBe("pending");
    }
    expect(await countProofQueries(hostname)).toBe(0);
  });

  test("gives the host to the first workspace that proves it, and the others get DOMAIN_TAKEN", async () => {
    const workspaces = await Promise.all([1, 2, 3].map(() => newWorkspace("business")));
    const hostname = newHostname();
    const claimed = await Promise.all(workspaces.map((workspace) => createDomain(workspace, hostname)));
    await setProofAnswer(hostname, {
      records: claimed.map(({ id }) => ({ owner: `_signpost.${hostname}`, type: "TXT", strings: [id] })),
    });
    const verify = (index: number) =>
      (workspaces[index] as TestWorkspace).call("POST", `/v1/domains/${claimed[index]?.id}/verify`, {
        env: dnsEnv,
      });
    const responses = await Promise.all([verify(0), verify(1), verify(2)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = responses.findIndex(({ status }) => status === 200);
    const loser = (winner + 1) % 3;
    const asked = await countProofQueries(hostname);
    await expectError(await verify(loser), 409, "DOMAIN_TAKEN");
    expect(await countProofQueries(hostname)).toBe(asked);
    expect((await readDomain(workspaces[loser] as TestWorkspace, claimed[loser]?.id ?? "")).status).toBe(
      "pending",
    );

    // The other workspace's claim only takes over once the host was given up and released.
    const winning = workspaces[winner] as TestWorkspace;
    expect((await winning.call("DELETE", `/v1/domains/${claimed[winner]?.id}`)).status).toBe(200);
    expect(await countOwnHosts(hostname)).toBe(0);
    await expectError(await verify(loser), 409, "DOMAIN_TAKEN");
    await workerEnv.DIRECTORY.prepare("DELETE FROM held_names WHERE name = ?").bind(hostname).run();
    expect((await (await verify(loser)).json<{ data: { status: string } }>()).data.status).toBe("active");
  });
});

describe("activating a verified claim", () => {
  const activate = (
    workspace: TestWorkspace,
    { id, hostname }: { id: string; hostname: string },
    d1?: D1Database,
  ) =>
    activateDomain(
      openDatabase(d1 ?? workerEnv.DIRECTORY),
      listShards(workerEnv).map((shard) => openShard(workerEnv, shard).db),
      { id, workspaceId: workspace.id, hostname },
      Date.now(),
    );
  const countRows = (table: "domains" | "unsettled_hosts", hostname: string) =>
    workerEnv.DIRECTORY.prepare(`SELECT count(*) AS n FROM ${table} WHERE hostname = ?`)
      .bind(hostname)
      .first<number>("n");

  test("succeeds again when repeated", async () => {
    const workspace = await newWorkspace("business");
    const claim = await createDomain(workspace, newHostname());
    expect([await activate(workspace, claim), await activate(workspace, claim)]).toEqual([true, true]);
    expect(await countRows("domains", claim.hostname)).toBe(1);
  });

  test("does not give a host to a workspace that was deleted in the meantime", async () => {
    const workspace = await newWorkspace("business");
    const claim = await createDomain(workspace, newHostname());
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET slug = 'deleted:' || slug || ':1' WHERE id = ?")
      .bind(workspace.id)
      .run();
    await activate(workspace, claim);
    expect(await countRows("domains", claim.hostname)).toBe(0);
  });

  test("throws if it fails halfway, and leaves a mark for the sweep to find the copies", async () => {
    const workspace = await newWorkspace("business");
    const claim = await createDomain(workspace, newHostname());
    const { DIRECTORY } = workerEnv;
    let isDown = true;
    const failing = {
      prepare: (statement: string) => DIRECTORY.prepare(statement),
      batch: async (statements: D1PreparedStatement[]) => {
        if (!isDown) return DIRECTORY.batch(statements);
        isDown = false;
        throw new Error("D1 is down");
      },
    } as unknown as D1Database;
    await expect(activate(workspace, claim, failing)).rejects.toThrow("D1 is down");
    expect(await countOwnHosts(claim.hostname)).toBe(2);
    expect(await countRows("unsettled_hosts", claim.hostname)).toBe(1);
    await sweep(dnsEnv, Date.now() + 11 * MINUTE_MS);
    expect(await countOwnHosts(claim.hostname)).toBe(0);
  });
});

describe("the cron", () => {
  test("looks up five domains at a time", async () => {
    const workspace = await newWorkspace("business");
    for (let n = 0; n < 7; n++) await createDomain(workspace, newHostname());
    // Uses its own resolver, because look-ups of other tests may still be running.
    const env = { ...dnsEnv, DNS_RESOLVER_URL: "http://127.0.0.1:9/five" };
    let [underWay, most] = [0, 0];
    const asking = vi.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
      if (!String(address).startsWith(env.DNS_RESOLVER_URL)) return new Response(null, { status: 503 });
      most = Math.max(most, ++underWay);
      // The first look-ups wait for each other.
      await eventually(
        async () => most,
        (count) => count >= 5,
      );
      underWay -= 1;
      return new Response(null, { status: 503 });
    });
    await sweepClaimsAt(Date.now() + 2 * MINUTE_MS, env);
    asking.mockRestore();
    expect(most).toBe(5);
  });

  test("verifies domains with increasing delays, and drops a claim after 7 days", async () => {
    const workspace = await newWorkspace("business");
    const hostname = newHostname();
    const { id, created_at: createdAt } = await createDomain(workspace, hostname);
    const startMs = Date.parse(createdAt);
    for (let minute = 0; minute < 16; minute++) {
      await sweepClaimsAt(startMs + minute * MINUTE_MS);
    }
    expect(await countProofQueries(hostname)).toBe(4);
    await setProofAnswer(hostname, answerWithText(hostname, id));
    await sweepClaimsAt(startMs + 16 * MINUTE_MS);
    expect((await readDomain(workspace, id)).status).toBe("active");
    await sweepClaimsAt(startMs + 8 * DAY_MS);
    expect((await readDomain(workspace, id)).status).toBe("active");

    const left = await createDomain(workspace, newHostname());
    await sweepClaimsAt(Date.parse(left.created_at) + 7 * DAY_MS - 1);
    expect((await readDomain(workspace, left.id)).status).toBe("pending");
    await sweepClaimsAt(Date.parse(left.created_at) + 7 * DAY_MS);
    await expectError(await workspace.call("GET", `/v1/domains/${left.id}`), 404, "RESOURCE_NOT_FOUND");
  });

  test("looks up a claim after a minute, then after doubling delays up to an hour", async () => {
    const workspace = await newWorkspace("business");
    const { id, created_at: createdAt } = await createDomain(workspace, newHostname());
    const readNext = async () =>
      (await workerEnv.DIRECTORY.prepare("SELECT check_at FROM domain_claims WHERE id = ?")
        .bind(id)
        .first<number>("check_at")) as number;
    let dueMs = await readNext();
    expect(dueMs).toBe(Date.parse(createdAt) + MINUTE_MS);
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      await sweepClaimsAt(dueMs - 1, guardedEnv);
      expect(await readNext()).toBe(dueMs);
      await sweepClaimsAt(dueMs, guardedEnv);
      const nextMs = await readNext();
      waits.push((nextMs - dueMs) / MINUTE_MS);
      dueMs = nextMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("looks up the 60 most overdue claims per run, and starts none after 20 seconds", async () => {
    const workspace = await newWorkspace("business");
    const hostnames = Array.from({ length: 61 }, newHostname);
    const ids = hostnames.map((_, index) => `${String(61 - index).padStart(4, "0")}-${crypto.randomUUID()}`);
    const insert = workerEnv.DIRECTORY.prepare(
      `INSERT INTO domain_claims (id, workspace_id, hostname, created_at, is_counted, check_at)
       SELECT value ->> 0, ?, value ->> 1, ?, 1, key FROM json_each(?)`,
    );
    const startMs = Date.now();
    const rows = hostnames.map((hostname, index) => [ids[index], hostname]);
    await insert.bind(workspace.id, startMs, JSON.stringify(rows)).run();
    const listPending = async () => {
      const { results } = await workerEnv.DIRECTORY.prepare(
        "SELECT id FROM domain_claims WHERE workspace_id = ? AND checks = 0 AND check_at IS NOT NULL",
      )
        .bind(workspace.id)
        .all<{ id: string }>();
      return results.map(({ id }) => id);
    };
    await sweepClaimsAt(startMs, guardedEnv);
    expect(await listPending()).toEqual([ids[60]]);
    await workerEnv.DIRECTORY.prepare("DELETE FROM domain_claims WHERE workspace_id = ? AND is_counted = 1")
      .bind(workspace.id)
      .run();

    // These claims need no look-up, so every processed claim becomes active.
    const sweepAfter = async (elapsedMs: number) => {
      const hostname = `late-${crypto.randomUUID().slice(-8)}.localhost`;
      const id = crypto.randomUUID();
      await insert.bind(workspace.id, startMs, JSON.stringify([[id, hostname]])).run();
      const clock = vi
        .spyOn(Date, "now")
        .mockReturnValueOnce(startMs)
        .mockReturnValue(startMs + elapsedMs);
      await sweepClaimsAt(startMs);
      clock.mockRestore();
      return (await readDomain(workspace, id)).status;
    };
    expect(await sweepAfter(19_999)).toBe("active");
    expect(await sweepAfter(20_000)).toBe("pending");
  });

  test("is part of the sweeps, and makes no look-up for a host that another workspace has", async () => {
    const [ours, theirs] = [await newWorkspace("business"), await newWorkspace("business")];
    const hostname = newHostname();
    const lost = await createDomain(ours, hostname);
    await createActiveDomain(theirs, {}, hostname);
    const proved = await createDomain(ours, newHostname());
    await setProofAnswer(proved.hostname, answerWithText(proved.hostname, proved.id));
    const asked = await countProofQueries(hostname);
    await sweep(dnsEnv, Date.now() + 2 * MINUTE_MS);
    expect((await readDomain(ours, proved.id)).status).toBe("active");
    expect((await readDomain(ours, lost.id)).status).toBe("pending");
    expect(await countProofQueries(hostname)).toBe(asked);
  });

  test("repairs a crash: removes copies of unregistered hosts and keeps copies of registered hosts", async () => {
    const workspace = await newWorkspace("business");
    const [stray, kept] = [newHostname(), (await createActiveDomain(workspace)).hostname];
    for (const hostname of [stray, kept]) {
      await workerEnv.DIRECTORY.prepare("INSERT INTO unsettled_hosts (hostname, unsettled_at) VALUES (?, ?)")
        .bind(hostname, Date.now())
        .run();
    }
    await onEachShard("INSERT INTO own_hosts (hostname) VALUES (?)", stray);
    await sweep(dnsEnv, Date.now());
    expect(await countOwnHosts(stray)).toBe(2);
    await sweep(dnsEnv, Date.now() + 11 * MINUTE_MS);
    expect(await countOwnHosts(stray)).toBe(0);
    expect(await countOwnHosts(kept)).toBe(2);
    const left = await workerEnv.DIRECTORY.prepare("SELECT hostname FROM unsettled_hosts").all();
    expect(left.results).toEqual([]);
  });
});

describe("PATCH /v1/domains/{id}", () => {
  test("changes the fields of the body, and null removes one", async () => {
    const workspace = await newWorkspace("business");
    const { id } = await createDomain(workspace, newHostname(), { root_url: "https://example.com/" });
    const patch = async (body: object) =>
      (await expectData(await workspace.call("PATCH", `/v1/domains/${id}`, { body }), domainResponse)).data;
    expect(await patch({})).toEqual(await readDomain(workspace, id));
    expect(await patch({ not_found_url: "https://example.com/404", assetlinks: [{ a: 1 }] })).toMatchObject({
      root_url: "https://example.com/",
      not_found_url: "https://example.com/404",
      assetlinks: [{ a: 1 }],
    });
    const circle = { root_url: `http://${workspace.hostname}:8787/` };
    const refused = await workspace.call("PATCH", `/v1/domains/${id}`, { body: circle });
    await expectError(refused, 400, "VALIDATION_ERROR");
    expect(await patch({ root_url: null, assetlinks: null })).toMatchObject({
      root_url: null,
      assetlinks: null,
    });
  });

  test("with is_primary makes the domain the only primary one, also under parallel calls", async () => {
    const workspace = await newWorkspace("business");
    const [one, two] = [await createActiveDomain(workspace), await createActiveDomain(workspace)];
    const makePrimary = (id: string) =>
      workspace.call("PATCH", `/v1/domains/${id}`, { body: { is_primary: true } });
    const { data } = await expectData(await makePrimary(one.id), domainResponse);
    expect(data.is_primary).toBe(true);
    expect((await createLink(workspace)).short_url).toContain(`//${one.hostname}:`);
    await Promise.all([makePrimary(one.id), makePrimary(two.id), makePrimary(one.id), makePrimary(two.id)]);
    expect((await listDomains(workspace)).data.filter(({ is_primary }) => is_primary)).toHaveLength(1);
    await makePrimary(two.id);
    await workspace.call("PATCH", `/v1/domains/${one.id}`, { body: { root_url: "https://example.com/" } });
    expect((await createLink(workspace)).short_url).toContain(`//${two.hostname}:`);
    const error = await expectError(
      await workspace.call("PATCH", `/v1/domains/${two.id}`, { body: { is_primary: false } }),
      400,
      "VALIDATION_ERROR",
    );
    expect(error.message).toContain("is_primary: must be true");
  });

  test("rejects making a pending domain primary and changes nothing", async () => {
    const workspace = await newWorkspace("business");
    const { id } = await createDomain(workspace, newHostname());
    const body = { is_primary: true, root_url: "https://example.com/" };
    await expectError(await workspace.call("PATCH", `/v1/domains/${id}`, { body }), 409, "DOMAIN_NOT_ACTIVE");
    expect(await readDomain(workspace, id)).toMatchObject({ is_primary: false, root_url: null });
  });
});

describe("DELETE /v1/domains/{id}", () => {
  test("rejects the primary domain, and removes another domain with its copies", async () => {
    const workspace = await newWorkspace("business");
    const domain = await createActiveDomain(workspace);
    const first = (await listDomains(workspace)).data.find(({ is_primary }) => is_primary);
    expect(first?.hostname).toBe(workspace.hostname);
    await expectError(await workspace.call("DELETE", `/v1/domains/${first?.id}`), 409, "DOMAIN_IS_PRIMARY");
    expect((await workspace.call("DELETE", `/v1/domains/${domain.id}`)).status).toBe(200);
    await expectError(await workspace.call("GET", `/v1/domains/${domain.id}`), 404, "RESOURCE_NOT_FOUND");
    expect(await countOwnHosts(domain.hostname)).toBe(0);
    expect((await listDomains(workspace)).data).toHaveLength(1);
  });

  test("of a pending claim keeps the host of the workspace that has it", async () => {
    const [ours, theirs] = [await newWorkspace("business"), await newWorkspace("business")];
    const hostname = newHostname();
    const [claim, domain] = [await createDomain(ours, hostname), await createDomain(theirs, hostname)];
    await setProofAnswer(hostname, answerWithText(hostname, domain.id));
    expect((await verifyDomain(theirs, domain)).data.status).toBe("active");
    expect((await ours.call("DELETE", `/v1/domains/${claim.id}`)).status).toBe(200);
    expect(await countOwnHosts(hostname)).toBe(2);
    expect((await readDomain(theirs, domain.id)).status).toBe("active");
    await expectError(await ours.call("GET", `/v1/domains/${claim.id}`), 404, "RESOURCE_NOT_FOUND");
  });

  test("deletes the workspace's first host once another domain is primary", async () => {
    const workspace = await newWorkspace("business");
    const domain = await createActiveDomain(workspace);
    await workspace.call("PATCH", `/v1/domains/${domain.id}`, { body: { is_primary: true } });
    const { data } = await listDomains(workspace);
    const first = data.find(({ hostname }) => hostname === workspace.hostname);
    expect((await workspace.call("DELETE", `/v1/domains/${first?.id}`)).status).toBe(200);
    expect((await listDomains(workspace)).data).toMatchObject([{ id: domain.id, is_primary: true }]);
  });
});
