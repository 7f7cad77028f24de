import { type Mutant, mutate } from "../by-hand.ts";

const OIDC = "test/unit/oidc.test.ts";
const PROVIDER_SIGN_IN = "test/worker/provider-sign-in.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/sign-in/identity-claims.ts", OIDC, [
    'trustedDomains.includes(email.slice(email.lastIndexOf("@") + 1))',
    "true",
  ]),
  ...mutate(
    "src/sign-in/provider-metadata.ts",
    PROVIDER_SIGN_IN,
    ["atMs: Date.now(), outcome: { error }", "atMs: nowMs, outcome: { error }"],
    ["for (const name of endpoints) requireUrl", "for (const name of []) requireUrl"],
    ["[...ENDPOINTS, PUSH_ENDPOINT]", "ENDPOINTS"],
    ["ALGORITHMS.filter((name) => announced.includes(name))", "announced"],
    [
      'if (typeof address !== "string" || findOutboundProblem(address, policy) !== null)',
      'if (typeof address !== "string")',
    ],
  ),
  ...mutate("src/sign-in/sign-in-transaction.ts", OIDC, [
    "JSON.stringify(transaction), ASSOCIATED_DATA",
    'JSON.stringify(transaction), ""',
  ]),
  ...mutate(
    "src/sign-in/sign-in-at-provider.ts",
    PROVIDER_SIGN_IN,
    ['code_challenge_method: "S256"', 'code_challenge_method: "plain"'],
    [
      "{ expectedNonce: nonce, requireIdToken: true }",
      "{ expectedNonce: oauth.expectNoNonce, requireIdToken: true }",
    ],
    ["metadata, client, subject, response", "metadata, client, oauth.skipSubjectCheck, response"],
    ["[oauth.clockTolerance]: CLOCK", "[oauth.clockTolerance]: 10 * CLOCK"],
  ),
  ...mutate(
    "src/sign-in/begin-session.ts",
    PROVIDER_SIGN_IN,
    [".where(isActiveMember(email))", ".where(eq(members.email, email))"],
    ['outcome === "taken" ? "stale"', 'outcome === "taken" ? "begun"'],
  ),
  ...mutate(
    "src/members/start-session.ts",
    PROVIDER_SIGN_IN,
    ["await repeatOnce(async () =>", "await (async (run: () => Promise<never>) => run())(async () =>"],
    ['? "begun" : "taken"', '? "begun" : "begun"'],
  ),
  ...mutate("src/sign-in/sign-in-error.ts", OIDC, ["ERROR_CODE.test(code)", "true"]),
  ...mutate(
    "src/sign-in/provider-sign-in.ts",
    PROVIDER_SIGN_IN,
    ['parameters.getAll("state").join()', 'parameters.get("state") ?? ""'],
    ["cookies: [over, cookie]", "cookies: [cookie]"],
    ["id: sessionId };", "};"],
    ['formerToken: readSessionCookie(headers.get("Cookie"), settings.appUrl)', "formerToken: null"],
  ),
  ...mutate("src/sign-in/app-host.ts", PROVIDER_SIGN_IN, [
    'identityProvider === null ? "/" : SIGNED_OUT_PATH',
    '"/"',
  ]),
];
