import { expect, test } from "vitest";
import { deriveSealKey, seal, unseal } from "../../src/core/seal.ts";

const SECRET = "a secret of more than 32 characters";
const key = await deriveSealKey(SECRET, "WEBHOOK_KEY", "tests");

test("unseal returns the sealed text, and seal returns another ciphertext each time", async () => {
  const sealed = await seal(key, "Grüße 🎉", "record 1");
  expect(await unseal(key, sealed, "record 1")).toBe("Grüße 🎉");
  expect(await seal(key, "Grüße 🎉", "record 1")).not.toBe(sealed);
});

test("unseal throws for other associated data, another purpose, another secret and altered text", async () => {
  const sealed = await seal(key, "text", "record 1");
  await expect(unseal(key, sealed, "record 2")).rejects.toThrow();
  await expect(
    unseal(await deriveSealKey(SECRET, "WEBHOOK_KEY", "others"), sealed, "record 1"),
  ).rejects.toThrow();
  await expect(
    unseal(await deriveSealKey(`${SECRET}!`, "WEBHOOK_KEY", "tests"), sealed, "record 1"),
  ).rejects.toThrow();
  const altered = (sealed.startsWith("A") ? "B" : "A") + sealed.slice(1);
  await expect(unseal(key, altered, "record 1")).rejects.toThrow();
});

test("deriveSealKey throws for a missing or short Worker secret and names it", async () => {
  for (const secret of [undefined, "", "31 characters are not enough..."]) {
    await expect(deriveSealKey(secret, "WEBHOOK_KEY", "tests")).rejects.toThrow(
      "the Worker secret WEBHOOK_KEY must have at least 32 characters",
    );
  }
});
