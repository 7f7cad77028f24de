import { expect, test } from "vitest";
import { deriveSealKey, formatSealPrefix, seal, unseal } from "../../src/core/seal.ts";

const SECRET = "a secret of more than 32 characters";
const OTHER_SECRET = `${SECRET}!`;
const key = await deriveSealKey({ WEBHOOK_KEY: SECRET }, "tests");

test("unseal returns the sealed text, and seal returns another ciphertext each time", async () => {
  const sealed = await seal(key, "Grüße 🎉", "record 1");
  expect(await unseal(key, sealed, "record 1")).toBe("Grüße 🎉");
  expect(await seal(key, "Grüße 🎉", "record 1")).not.toBe(sealed);
});

test("unseal throws for other associated data, another purpose, another secret and altered text", async () => {
  const sealed = await seal(key, "text", "record 1");
  await expect(unseal(key, sealed, "record 2")).rejects.toThrow();
  await expect(
    unseal(await deriveSealKey({ WEBHOOK_KEY: SECRET }, "others"), sealed, "record 1"),
  ).rejects.toThrow();
  await expect(
    unseal(await deriveSealKey({ WEBHOOK_KEY: OTHER_SECRET }, "tests"), sealed, "record 1"),
  ).rejects.toThrow();
  const altered = sealed
    .replace(/.$/, sealed.endsWith("A") ? "B" : "A")
    .replace(/\.(.)/, (_, first) => (first === "A" ? ".B" : ".A"));
  await expect(unseal(key, altered, "record 1")).rejects.toThrow();
});

test("deriveSealKey throws for a missing or short Worker secret and names it", async () => {
  for (const secret of [undefined, "", "31 characters are not enough..."]) {
    await expect(deriveSealKey({ WEBHOOK_KEY: secret as string }, "tests")).rejects.toThrow(
      "the Worker secret WEBHOOK_KEY must have at least 32 characters",
    );
  }
  await expect(
    deriveSealKey({ WEBHOOK_KEY: SECRET, WEBHOOK_KEY_PREVIOUS: "short" }, "tests"),
  ).rejects.toThrow("the Worker secret WEBHOOK_KEY_PREVIOUS must have at least 32 characters");
});

test("the previous secret decrypts its own texts, and the current one encrypts", async () => {
  const former = await seal(await deriveSealKey({ WEBHOOK_KEY: OTHER_SECRET }, "tests"), "text", "record 1");
  const both = await deriveSealKey({ WEBHOOK_KEY: SECRET, WEBHOOK_KEY_PREVIOUS: OTHER_SECRET }, "tests");
  expect(await unseal(both, former, "record 1")).toBe("text");
  await expect(unseal(both, former, "record 2")).rejects.toThrow();
  expect(await unseal(key, await seal(both, "text", "record 1"), "record 1")).toBe("text");
  const third = await deriveSealKey({ WEBHOOK_KEY: SECRET, WEBHOOK_KEY_PREVIOUS: "" }, "tests");
  await expect(unseal(third, former, "record 1")).rejects.toThrow();
});

test("a text that was encrypted before texts began with their secret's id can be decrypted", async () => {
  const [, unnamed = ""] = (await seal(key, "text", "record 1")).split(".");
  expect(await unseal(key, unnamed, "record 1")).toBe("text");
  const both = await deriveSealKey({ WEBHOOK_KEY: OTHER_SECRET, WEBHOOK_KEY_PREVIOUS: SECRET }, "tests");
  expect(await unseal(both, unnamed, "record 1")).toBe("text");
});

test("formatSealPrefix only matches texts encrypted with one secret for one purpose", async () => {
  const others = [
    await deriveSealKey({ WEBHOOK_KEY: OTHER_SECRET }, "tests"),
    await deriveSealKey({ WEBHOOK_KEY: SECRET }, "others"),
  ];
  expect(formatSealPrefix(key)).toMatch(/^[0-9a-f]{8}\.$/);
  expect(await seal(key, "text", "record 1")).toMatch(new RegExp(`^${formatSealPrefix(key)}`));
  expect(others.map(formatSealPrefix)).not.toContain(formatSealPrefix(key));
});

test("a text that was encrypted by an earlier version of the service can be decrypted", async () => {
  const sealed = "7cc204d2.NDtdabVR0Hu7wGNQIsMPasZcUQgVTcycpUmD59PPSOq3rqg+BUitIlWs7m5NcfhY/vJKBULUb5I=";
  expect(await unseal(key, sealed, "record 1")).toBe("a text of an earlier version");
});

test("a secret of exactly 32 characters is long enough", async () => {
  const secret = "x".repeat(32);
  await expect(deriveSealKey({ WEBHOOK_KEY: secret }, "tests")).resolves.toBeDefined();
  await expect(deriveSealKey({ WEBHOOK_KEY: secret.slice(1) }, "tests")).rejects.toThrow("at least 32");
});
