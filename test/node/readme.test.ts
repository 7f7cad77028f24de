import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");

/** The function that the README tells receivers of webhooks to paste. */
async function pastedVerifier(): Promise<(body: string, headers: object, secret: string) => boolean> {
  const code = /```js\n(import \{ createHmac.*?)```/s.exec(readme)?.[1];
  const module = await import(`data:text/javascript,${encodeURIComponent(`${code}export { isGenuine };`)}`);
  return module.isGenuine;
}

test("the lines that verify a delivery accept a genuine one, and refuse whatever else a header may hold", async () => {
  const isGenuine = await pastedVerifier();
  const body = '{"event":"webhook.test"}';
  const signature = `sha256=${createHmac("sha256", "secret").update(body).digest("hex")}`;
  expect(isGenuine(body, { "x-svc-signature": signature }, "secret")).toBe(true);
  expect(isGenuine(`${body} `, { "x-svc-signature": signature }, "secret")).toBe(false);
  for (const given of [
    undefined,
    "",
    "sha256=",
    signature.replace(/.$/, "x"),
    "é".repeat(signature.length),
  ]) {
    expect(isGenuine(body, { "x-svc-signature": given }, "secret")).toBe(false);
  }
});
