import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { SNIPPETS } from "../../src/dashboard/screens/webhooks/verification-snippets.ts";
import { buildSignatureHeaders, generateSecret } from "../../src/webhooks/signature.ts";

/** Code that the dashboard shows to developers, tested with the service's signatures. */

type Headers = Record<string, string>;

const [former, current, other] = [generateSecret(), generateSecret(), generateSecret()] as const;
const body = '{"event":"webhook.test","data":"é"}';
const nowSeconds = Math.floor(Date.now() / 1_000);

function sign(timestampSeconds: number): Promise<Headers> {
  return buildSignatureHeaders({ deliveryId: "d", timestampSeconds, body }, [current, former]);
}

const CASES = [
  { name: "the current secret", isGenuine: true, secret: current, body, ageSeconds: 0 },
  { name: "the former secret", isGenuine: true, secret: former, body, ageSeconds: 0 },
  { name: "another secret", isGenuine: false, secret: other, body, ageSeconds: 0 },
  { name: "another body", isGenuine: false, secret: current, body: `${body} `, ageSeconds: 0 },
  { name: "an old delivery", isGenuine: false, secret: current, body, ageSeconds: 600 },
];

test.each(CASES)("the JavaScript snippet verifies $name", async ({ isGenuine, secret, body, ageSeconds }) => {
  const module = SNIPPETS.javascript.replace("async function", "export async function");
  const { isFromSignpost } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`
  );
  expect(await isFromSignpost(await sign(nowSeconds - ageSeconds), body, secret)).toBe(isGenuine);
  expect(await isFromSignpost({}, body, secret)).toBe(false);
});

/** Program that prints the snippet's result for each case, given as JSON. */
const PYTHON = `${SNIPPETS.python}
import json, sys
print(json.dumps([is_from_signpost(headers, body.encode(), secret) for headers, body, secret in json.loads(sys.argv[1])]))`;

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.runIf(hasPython)("the Python snippet returns the same results", async () => {
  const given = CASES.map(async ({ secret, body, ageSeconds }) => [
    await sign(nowSeconds - ageSeconds),
    body,
    secret,
  ]);
  const input = JSON.stringify(await Promise.all(given));
  const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON, input], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(CASES.map(({ isGenuine }) => isGenuine));
});
