import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../src/client/verify-webhook.ts";
import { buildSignatureHeaders } from "../../src/webhooks/signature.ts";

/**
 * Verification of deliveries by receivers, with signatures of the service and of the specification's library.
 */

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = `whsec_${btoa("another secret of some length")}`;
const BODY = '{"event":"webhook.test","timestamp":"2026-11-21T12:00:00.000Z","data":{"text":"grüße"}}';
const AT_SECONDS = 1_795_262_400;
const NOW = { nowMs: AT_SECONDS * 1_000 };

const sign = (...secrets: [string, ...string[]]) =>
  buildSignatureHeaders({ deliveryId: "msg_1", timestampSeconds: AT_SECONDS, body: BODY }, secrets);

test("a delivery returns its event, from text and bytes, and with headers of any kind", async () => {
  const headers = await sign(SECRET);
  const event = JSON.parse(BODY);
  expect(await verifyWebhook(BODY, headers, SECRET, NOW)).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(headers), SECRET, NOW)).toEqual(
    event,
  );
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(await verifyWebhook(BODY, upper, SECRET, NOW)).toEqual(event);
});

test("both secrets are accepted during a rotation", async () => {
  const headers = await sign(OTHER, SECRET);
  for (const secret of [SECRET, OTHER])
    expect(await verifyWebhook(BODY, headers, secret, NOW)).toMatchObject({ event: "webhook.test" });
});

test("a signature of the specification's own library is accepted", async () => {
  const signature = new Webhook(SECRET).sign("msg_1", new Date(NOW.nowMs), BODY);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(AT_SECONDS),
    "webhook-signature": signature,
  };
  expect(await verifyWebhook(BODY, headers, SECRET, NOW)).toMatchObject({ event: "webhook.test" });
});

describe("rejected deliveries", () => {
  const refused = async (
    change: Record<string, string | undefined>,
    options: object = {},
    body = BODY,
    secret = SECRET,
  ) => {
    const headers = { ...(await sign(SECRET)), ...change };
    const error = await verifyWebhook(body, headers, secret, { ...NOW, ...options }).catch(
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return error.message;
  };
  const FORGED = "no webhook signature matches this secret";
  const LATE = "the webhook timestamp is too old or too far in the future";

  test.each<[string, Record<string, string | undefined>, object, string]>([
    ["another id", { "webhook-id": "msg_2" }, {}, FORGED],
    ["another time", { "webhook-timestamp": String(AT_SECONDS + 1) }, {}, FORGED],
    ["a signature that is not base64", { "webhook-signature": "v1,§" }, {}, FORGED],
    ["no id", { "webhook-id": undefined }, {}, "the webhook header webhook-id is missing"],
    ["no time", { "webhook-timestamp": undefined }, {}, "the webhook header webhook-timestamp is missing"],
    [
      "no signature",
      { "webhook-signature": undefined },
      {},
      "the webhook header webhook-signature is missing",
    ],
    ["a time that is no number", { "webhook-timestamp": "soon" }, {}, LATE],
    ["a delivery that is too old", {}, { nowMs: NOW.nowMs + 300_001 }, LATE],
    ["a delivery from too far ahead", {}, { nowMs: NOW.nowMs - 300_001 }, LATE],
    ["a delivery that is older than asked for", {}, { nowMs: NOW.nowMs + 2_000, toleranceSeconds: 1 }, LATE],
  ])("%s", async (_, change, options, message) => {
    expect(await refused(change, options)).toBe(message);
  });

  test("a signature of another version", async () => {
    const { "webhook-signature": signature = "" } = await sign(SECRET);
    expect(await refused({ "webhook-signature": signature.replace("v1,", "v2,") })).toBe(FORGED);
  });

  test("another body, another secret", async () => {
    expect(await refused({}, {}, BODY.replace("ü", "u"))).toBe(FORGED);
    expect(await refused({}, {}, BODY, OTHER)).toBe(FORGED);
  });

  test("an invalid secret is the caller's error", async () => {
    for (const secret of ["", "whsec_", "whsec_§", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
      await expect(verifyWebhook(BODY, await sign(SECRET), secret, NOW)).rejects.toThrow(TypeError);
  });
});

test("a delivery is accepted up to the limit of the tolerance", async () => {
  const headers = await sign(SECRET);
  for (const skewMs of [300_000, -300_000])
    await verifyWebhook(BODY, headers, SECRET, { nowMs: NOW.nowMs + skewMs });
});
