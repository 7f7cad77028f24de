import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  buildSignatureHeaders,
  generateSecret,
  signBody,
  signStandard,
} from "../../src/webhooks/signature.ts";

const secret = generateSecret();
const getUnixSeconds = () => Math.floor(Date.now() / 1000);

test("generateSecret returns whsec_ and 32 random bytes in base64", () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(generateSecret()).not.toBe(secret);
});

test("signBody matches RFC 4231 test case 2", async () => {
  expect(await signBody("Jefe", "what do ya want for nothing?")).toBe(
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("signStandard of the example in the Standard Webhooks specification", async () => {
  const signature = await signStandard("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  });
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("X-SVC-Signature is the HMAC of the body that node:crypto computes", async () => {
  const body = '{"event":"webhook.test","data":{"text":"Grüße 🎉"}}';
  const headers = await buildSignatureHeaders({ deliveryId: "a", timestampSeconds: getUnixSeconds(), body }, [
    secret,
  ]);
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  expect(headers["X-SVC-Signature"]).toBe(expected);
});

test("the standardwebhooks package only verifies a delivery with the secrets of a rotation", async () => {
  const previous = generateSecret();
  const body = '{"event":"webhook.test"}';
  const headers = await buildSignatureHeaders({ deliveryId: "a", timestampSeconds: getUnixSeconds(), body }, [
    secret,
    previous,
  ]);
  expect(new Webhook(secret).verify(body, headers)).toEqual({ event: "webhook.test" });
  expect(new Webhook(previous).verify(body, headers)).toEqual({ event: "webhook.test" });
  expect(() => new Webhook(generateSecret()).verify(body, headers)).toThrow("No matching signature");
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
});

test("the standardwebhooks package rejects a replay of an old delivery", async () => {
  const headers = await buildSignatureHeaders(
    { deliveryId: "a", timestampSeconds: getUnixSeconds() - 600, body: "{}" },
    [secret],
  );
  expect(() => new Webhook(secret).verify("{}", headers)).toThrow("too old");
});
