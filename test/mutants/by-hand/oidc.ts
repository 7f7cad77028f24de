import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/sign-in/identity-claims.ts", "unit/oidc", [
    'trustedDomains.includes(email.slice(email.lastIndexOf("@") + 1))',
    "true",
  ]),
  ...mutate(
    "src/sign-in/provider-metadata.ts",
    "worker/provider-sign-in",
    ["atMs: Date.now(), outcome: { error }", "atMs: nowMs, outcome: { error }"],
    ["for (const name of endpoints) requireUrl", "for (const name of []) requireUrl"],
    ["[...ENDPOINTS, PUSH_ENDPOINT]", "ENDPOINTS"],
    ["ALGORITHMS.filter((name) => announced.includes(name))", "announced"],
  ),
  ...mutate("src/sign-in/sign-in-transaction.ts", "unit/oidc", [
    "JSON.stringify(transaction), ASSOCIATED_DATA",
    'JSON.stringify(transaction), ""',
  ]),
  ...mutate(
    "src/sign-in/sign-in-at-provider.ts",
    "worker/provider-sign-in",
    ['code_challenge_method: "S256"', 'code_challenge_method: "plain"'],
    [
      "{ expectedNonce: nonce, requireIdToken: true }",
      "{ expectedNonce: oauth.expectNoNonce, requireIdToken: true }",
    ],
    ["metadata, client, subject, response", "metadata, client, oauth.skipSubjectCheck, response"],
    ["[oauth.clockTolerance]: CLOCK", "[oauth.clockTolerance]: 10 * CLOCK"],
  ),
  ...mutate("src/sign-in/begin-session.ts", "worker/provider-sign-in", [
    ".where(isActiveMember(account.person))",
    ".where(eq(members.person, account.person))",
  ]),
  ...mutate("src/members/start-session.ts", "worker/provider-sign-in", [
    "await repeatOnce(async () =>",
    "await (async (run: () => Promise<never>) => run())(async () =>",
  ]),
  ...mutate("src/sign-in/sign-in-error.ts", "unit/oidc", ["ERROR_CODE.test(code)", "true"]),
  ...mutate(
    "src/sign-in/provider-sign-in.ts",
    "worker/provider-sign-in",
    ['parameters.getAll("state").join()', 'parameters.get("state") ?? ""'],
    ["cookies: [over, cookie]", "cookies: [cookie]"],
    ['formerToken: readSessionCookie(headers.get("Cookie"), settings.appUrl)', "formerToken: null"],
  ),
];
