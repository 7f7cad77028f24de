import { expect, test } from "vitest";
import { seal, sealKey, unseal } from "../../src/core/seal.ts";

const SECRET = "a secret of more than 32 characters";
const key = await sealKey(SECRET, "WEBHOOK_KEY", "tests");

test("a sealed text is read again, and never looks the same", async () => {
  const sealed = await seal(key, "Grüße 🎉", "here");
  expect(await unseal(key, sealed, "here")).toBe("Grüße 🎉");
  expect(await seal(key, "Grüße 🎉", "here")).not.toBe(sealed);
});

test("it is worth nothing at another place, for another purpose, under another secret, or altered", async () => {
  const sealed = await seal(key, "text", "here");
  await expect(unseal(key, sealed, "there")).rejects.toThrow();
  await expect(unseal(await sealKey(SECRET, "WEBHOOK_KEY", "others"), sealed, "here")).rejects.toThrow();
  await expect(unseal(await sealKey(`${SECRET}!`, "WEBHOOK_KEY", "tests"), sealed, "here")).rejects.toThrow();
  const altered = (sealed.startsWith("A") ? "B" : "A") + sealed.slice(1);
  await expect(unseal(key, altered, "here")).rejects.toThrow();
});

test("a missing or short Worker secret is named", async () => {
  for (const secret of [undefined, "", "31 characters are not enough..."]) {
    await expect(sealKey(secret, "WEBHOOK_KEY", "tests")).rejects.toThrow(
      "the Worker secret WEBHOOK_KEY must have at least 32 characters",
    );
  }
});
