import { describe, expect, test } from "vitest";
import { CONFIG_FILE } from "../../src/cli/state.ts";
import { editProject } from "./support/deployment-project.ts";
import { addShard, deploy, start } from "./support/deployment-run.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

describe("the checks", () => {
  const CASES: [string, (toml: string) => string, RegExp][] = [
    [
      "an example host",
      (toml) => toml.replace('"https://api.acme.com"', '"https://api.signpost.example"'),
      /^\[vars\] API_URL: api\.signpost\.example is a placeholder/,
    ],
    [
      "an example host in a route",
      (toml) => toml.replace('"bio.acme.com"', '"bio.signpost.example"'),
      /^routes: bio\.signpost\.example contain placeholder hosts or zones/,
    ],
    [
      "an example zone",
      (toml) =>
        toml.replace(
          '{ pattern = "*/*", zone_name = "acme-go.com" }',
          '{ pattern = "*/*", zone_name = "go.example" }',
        ),
      /^routes: \*\/\* contain placeholder/,
    ],
    [
      "plain http",
      (toml) => toml.replace('"https://api.acme.com"', '"http://api.acme.com"'),
      /^\[vars\] API_URL: must start with https:\/\/, not http:\/\/$/,
    ],
    [
      "a port",
      (toml) => toml.replace('"https://bio.acme.com"', '"https://bio.acme.com:8443"'),
      /^\[vars\] BIO_URL: must be https:\/\/ and a hostname/,
    ],
    [
      "a path",
      (toml) => toml.replace('"https://cdn.acme.com"', '"https://cdn.acme.com/files"'),
      /^\[vars\] CDN_URL: must be https:\/\/ and a hostname/,
    ],
    [
      "no URL",
      (toml) => toml.replace('"https://cdn.acme.com"', '"cdn.acme.com"'),
      /^\[vars\] CDN_URL: must be a URL/,
    ],
    [
      "a short domain with a scheme",
      (toml) => toml.replace('SHORT_DOMAIN = "acme-go.com"', 'SHORT_DOMAIN = "https://acme-go.com"'),
      /^\[vars\] SHORT_DOMAIN: must be a domain/,
    ],
    [
      "one host for two things",
      (toml) => toml.replace('"https://cdn.acme.com"', '"https://bio.acme.com"'),
      /^\[vars\] CDN_URL: bio\.acme\.com is also used for BIO_URL/,
    ],
    [
      "a host below the short domain",
      (toml) => toml.replaceAll("bio.acme.com", "bio.acme-go.com"),
      /^\[vars\] BIO_URL: bio\.acme-go\.com is a subdomain of SHORT_DOMAIN/,
    ],
    [
      "a host without route",
      (toml) => toml.replace(/^.*"cdn\.acme\.com", custom_domain.*$/m, ""),
      /^routes: no route serves cdn\.acme\.com \(CDN_URL\); add \{ pattern = "cdn\.acme\.com", custom_domain = true \}$/,
    ],
    [
      "short hosts without route",
      (toml) => toml.replace(/^.*"\*\.acme-go\.com\/\*".*$/m, ""),
      /^routes: no route serves \*\.acme-go\.com \(SHORT_DOMAIN\)/,
    ],
    [
      "short hosts below the zone of the API",
      (toml) => toml.replaceAll("acme-go.com", "go.acme.com"),
      /^\[vars\] SHORT_DOMAIN: Universal SSL doesn't cover \*\.go\.acme\.com,.*--own-certificate$/,
    ],
    [
      "short hosts below their zone",
      (toml) =>
        toml
          .replaceAll('"acme-go.com"', '"go.acme.org"')
          .replaceAll("acme-go.com/*", "go.acme.org/*")
          .replaceAll('zone_name = "go.acme.org"', 'zone_name = "acme.org"'),
      /^\[vars\] SHORT_DOMAIN: Universal SSL/,
    ],
    [
      "loopback addresses",
      (toml) => toml.replace('ALLOW_LOOPBACK = "false"', 'ALLOW_LOOPBACK = "true"'),
      /^\[vars\] ALLOW_LOOPBACK: must be "false"/,
    ],
    [
      "a secret as a var",
      (toml) => toml.replace('ALLOW_LOOPBACK = "false"', '$&\nANALYTICS_API_TOKEN = "0"'),
      /^\[vars\] ANALYTICS_API_TOKEN: is a secret/,
    ],
    ...(
      [
        [
          "an identity provider without a client",
          'OIDC_ISSUER = "https://id.acme.com"',
          /^\[vars\] OIDC_ISSUER, OIDC_CLIENT_ID: set both or neither/,
        ],
        [
          "a client without an identity provider",
          'OIDC_CLIENT_ID = "signpost"',
          /^\[vars\] OIDC_ISSUER, OIDC_CLIENT_ID: set both or neither/,
        ],
        [
          "an issuer with plain http",
          'OIDC_ISSUER = "http://id.acme.com"\nOIDC_CLIENT_ID = "signpost"',
          /^\[vars\] OIDC_ISSUER: must be an https URL/,
        ],
        [
          "an issuer with a query",
          'OIDC_ISSUER = "https://id.acme.com?a=b"\nOIDC_CLIENT_ID = "signpost"',
          /^\[vars\] OIDC_ISSUER: must be an https URL/,
        ],
        [
          "a trusted domain that is an address",
          'OIDC_ISSUER = "https://id.acme.com"\nOIDC_CLIENT_ID = "signpost"\nOIDC_TRUST_EMAIL = "acme.com, ada@acme.com"',
          /^\[vars\] OIDC_TRUST_EMAIL: ada@acme\.com is not a domain/,
        ],
        [
          "trusted domains without an identity provider",
          'OIDC_TRUST_EMAIL = "acme.com"',
          /^\[vars\] OIDC_TRUST_EMAIL: needs OIDC_ISSUER/,
        ],
        [
          "the client secret as a var",
          'OIDC_CLIENT_SECRET = "0"',
          /^\[vars\] OIDC_CLIENT_SECRET: is a secret/,
        ],
      ] as const
    ).map(([name, vars, fault]): [string, (toml: string) => string, RegExp] => [
      name,
      (toml) => toml.replace('ALLOW_LOOPBACK = "false"', `$&\n${vars}`),
      fault,
    ]),
    [
      "the Worker of the local start",
      (toml) => toml.replace('name = "signpost-production"', 'name = "signpost"'),
      /^name: signpost is the name of the local Worker/,
    ],
    [
      "a bucket of another environment",
      (toml) => toml.replace('"signpost-production-private"', '"signpost-private"'),
      /^\[\[r2_buckets\]\] bucket_name: signpost-private must start with signpost-production,/,
    ],
    [
      "a queue of another environment",
      (toml) => toml.replaceAll('"signpost-production-deliveries"', '"signpost-staging-deliveries"'),
      /^\[\[queues\]\] queue: signpost-staging-deliveries must start/,
    ],
    [
      "one bucket for two bindings",
      (toml) => toml.replace('"signpost-production-private"', '"signpost-production-public"'),
      /^\[\[r2_buckets\]\] bucket_name: signpost-production-public is declared twice/,
    ],
    [
      "a database without migrations",
      (toml) => addShard(toml).replace(/migrations_dir = "sql"\n$/, ""),
      /^\[\[d1_databases\]\] migrations_dir of SHARD_7: missing/,
    ],
    [
      "an empty folder of migrations",
      (toml) => addShard(toml).replace(/"sql"\n$/, '"none"\n'),
      /^\[\[d1_databases\]\] migrations_dir of SHARD_7: none contains no migrations$/,
    ],
    [
      "a database without name",
      (toml) => addShard(toml).replace(/^database_name = "signpost-production-shard-7"$/m, ""),
      /^\[\[d1_databases\]\] database_name: \(missing\) must start/,
    ],
    [
      "a missing binding",
      (toml) =>
        toml.replace(/\[\[env\.production\.ratelimits\]\]\nname = .*\nnamespace_id = .*\nsimple = .*\n/, ""),
      /^UNKNOWN_LIMIT: missing binding/,
    ],
    [
      "a missing secret",
      (toml) => toml.replace(/(\[env\.production\.secrets\]\nrequired = \[)"UPLOAD_SECRET", /, "$1"),
      /^\[secrets\] required: UPLOAD_SECRET is missing$/,
    ],
    [
      "missing crons",
      (toml) =>
        toml.replace(
          /\[env\.production\.triggers\]\ncrons = .*\n/,
          "[env.production.triggers]\ncrons = []\n",
        ),
      /^\[triggers\] crons: are missing$/,
    ],
    [
      "the id of no database",
      (toml) =>
        addShard(toml).replace(
          /migrations_dir = "sql"\n$/,
          'database_id = "00000000-0000-0000-0000-000000000000"\n$&',
        ),
      /^\[\[d1_databases\]\] database_id of SHARD_7: 0{8}-.* is the ID of no database in this account, not of signpost-production-shard-7/,
    ],
  ];

  test.each(CASES)("reject %s in one sentence, before anything is created", async (_, edit, message) => {
    const { configFile, wrangler } = start(edit);
    const { status, lines, error } = await deploy(wrangler, configFile);
    expect({ status, lines, changes: wrangler.changes }).toEqual({ status: 1, lines: [], changes: [] });
    const faults = error
      .split("\n")
      .slice(2)
      .map((line) => line.trim());
    expect(faults).toContainEqual(expect.stringMatching(message));
    expect(faults.filter((fault) => /\.$|^\S+$/.test(fault))).toEqual([]);
  });

  test("list all problems together, including a missing login", async () => {
    const { configFile, wrangler } = start((toml) =>
      toml.replace("https://api.acme.com", "http://api.acme.com").replace('"false"', '"true"'),
    );
    wrangler.isLoggedIn = false;
    const { error } = await deploy(wrangler, configFile);
    expect(error.split("\n")).toEqual([
      "Nothing was changed. Fix these settings in [env.production] of wrangler.toml first:",
      "",
      "  [vars] API_URL: must start with https://, not http://",
      expect.stringContaining("  [vars] ALLOW_LOOPBACK: "),
      "  login: not logged in to Cloudflare; run npx wrangler login, or set CLOUDFLARE_API_TOKEN",
    ]);
  });

  test("reject the example hosts of the committed wrangler.toml", async () => {
    const wrangler = new FakeWrangler(CONFIG_FILE);
    const { status, error } = await deploy(wrangler, CONFIG_FILE);
    expect({ status, changes: wrangler.changes }).toEqual({ status: 1, changes: [] });
    expect(error).toMatch(/^Nothing was changed\. .* \[env\.production\] .* is a placeholder/s);
  });

  test("name the database that a wrong ID belongs to, and accept the right ID", async () => {
    const { configFile, wrangler } = start(addShard);
    const other = wrangler.account.createDatabase("blog");
    const own = wrangler.account.createDatabase("signpost-production-shard-7");
    editProject(configFile, (toml) => `${toml}database_id = "${other?.uuid}"\n`);
    expect((await deploy(wrangler, configFile)).error).toContain(
      `database_id of SHARD_7: ${other?.uuid} is the ID of blog, not of signpost-production-shard-7`,
    );
    editProject(configFile, (toml) => toml.replace(String(other?.uuid), String(own?.uuid)));
    expect((await deploy(wrangler, configFile)).status).toBe(0);
  });

  test("accept short hosts below a zone with --own-certificate", async () => {
    const { configFile, wrangler } = start((toml) => toml.replaceAll("acme-go.com", "go.acme.com"));
    expect((await deploy(wrangler, configFile, { hasOwnCertificate: true })).status).toBe(0);
  });

  test("accept an environment with fewer shards than the local service, but not without shards", async () => {
    const local =
      '[[d1_databases]]\nbinding = "SHARD_7"\ndatabase_name = "signpost-7"\ndatabase_id = "7"\nmigrations_dir = "sql"\n\n';
    const { configFile, wrangler } = start((toml) =>
      toml.replace("[[r2_buckets]]", `${local}[[r2_buckets]]`),
    );
    expect((await deploy(wrangler, configFile)).status).toBe(0);
    editProject(configFile, (toml) => toml.replace('"SHARD_7"', '"SHARD_X"'));
    expect((await deploy(wrangler, configFile)).error).toContain("SHARD_X: missing binding");
  });

  test("reject an unknown environment and an unreadable wrangler.toml", async () => {
    const { configFile, wrangler } = start();
    const unknown = await deploy(wrangler, configFile, { environment: "stage" });
    expect(unknown).toMatchObject({
      status: 1,
      error: '--env: wrangler.toml has no environment "stage"; it has production',
    });
    editProject(configFile, (toml) => `${toml}\n[[`);
    const broken = await deploy(wrangler, configFile);
    expect(broken.status).toBe(1);
    expect(broken.error).toMatch(/^wrangler\.toml: /);
    expect(wrangler.calls).toEqual([]);
  });
});
