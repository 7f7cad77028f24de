import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  generateSecret,
  signatureHeaders,
  standardSignature,
  svcSignature,
} from "../../src/webhooks/signature.ts";

const secret = generateSecret();
const now = () => Math.floor(Date.now() / 1000);

test("a secret is whsec_ and the base64 of 32 bytes, and never the same", () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(generateSecret()).not.toBe(secret);
});

test("the signature of RFC 4231 test case 2", async () => {
  expect(await svcSignature("Jefe", "what do ya want for nothing?")).toBe(
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("the example of the Standard Webhooks specification", async () => {
  const signature = await standardSignature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  });
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("five lines of node:crypto verify X-SVC-Signature", async () => {
  const body = '{"event":"webhook.test","data":{"text":"Grüße 🎉"}}';
  const headers = await signatureHeaders({ deliveryId: "a", timestampSeconds: now(), body }, [secret]);
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  expect(headers["X-SVC-Signature"]).toBe(expected);
});

test("the standardwebhooks package verifies a delivery by either secret of a rotation, and by no other", async () => {
  const old = generateSecret();
  const body = '{"event":"webhook.test"}';
  const headers = await signatureHeaders({ deliveryId: "a", timestampSeconds: now(), body }, [secret, old]);
  expect(new Webhook(secret).verify(body, headers)).toEqual({ event: "webhook.test" });
  expect(new Webhook(old).verify(body, headers)).toEqual({ event: "webhook.test" });
  expect(() => new Webhook(generateSecret()).verify(body, headers)).toThrow("No matching signature");
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
});

test("a replay of an old delivery is refused by the standardwebhooks package", async () => {
  const headers = await signatureHeaders({ deliveryId: "a", timestampSeconds: now() - 600, body: "{}" }, [
    secret,
  ]);
  expect(() => new Webhook(secret).verify("{}", headers)).toThrow("too old");
});
