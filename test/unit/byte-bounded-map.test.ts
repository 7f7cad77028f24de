import { expect, test } from "vitest";
import { ByteBoundedMap } from "../../src/caching/byte-bounded-map.ts";

test("entries take at most the maximum number of bytes, and the oldest are evicted", () => {
  const map = new ByteBoundedMap<number>(100_000);
  for (let index = 0; index < 1_000; index++) {
    map.set(`key-${index}`, index, 1_000);
    expect(map.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(map.size).toBeGreaterThan(70);
  expect(map.get("key-999")).toBe(999);
  expect(map.get("key-0")).toBeUndefined();
});

test("frequently read entries outlive others", () => {
  const map = new ByteBoundedMap<string>(50_000);
  map.set("busy", "value", 1_000);
  for (let index = 0; index < 1_000; index++) {
    map.set(`once-${index}`, "value", 1_000);
    expect(map.get("busy")).toBe("value");
  }
});

test("entries are evicted even if every entry is in use", () => {
  const map = new ByteBoundedMap<number>(50_000);
  for (let index = 0; index < 500; index++) {
    map.set(`key-${index}`, index, 1_000);
    for (let other = 0; other <= index; other++) map.get(`key-${other}`);
  }
  expect(map.bytes).toBeLessThanOrEqual(50_000);
  expect(map.get("key-499")).toBe(499);
});

test("a new value replaces the previous one and its bytes", () => {
  const map = new ByteBoundedMap<string>(50_000);
  map.set("key", "long", 40_000);
  map.set("key", "short", 100);
  expect([map.get("key"), map.size]).toEqual(["short", 1]);
  expect(map.bytes).toBeLessThan(1_000);
  map.delete("key");
  map.delete("key");
  expect([map.bytes, map.size]).toEqual([0, 0]);
});

test("a value larger than the maximum is not stored, and evicts nothing", () => {
  const map = new ByteBoundedMap<string>(5_000);
  map.set("small", "value", 100);
  map.set("large", "value", 5_000);
  expect([map.get("small"), map.get("large")]).toEqual(["value", undefined]);
});

/** Estimated heap of an entry whose key has three characters: 192 of its slot, 24 + 6 of its key, and its value. */
const SLOT_BYTES = 222;

test("the estimate of an entry is the heap of its slot, its key and its value", () => {
  const map = new ByteBoundedMap<string>(10_000);
  map.set("key", "value", 100);
  expect(map.bytes).toBe(SLOT_BYTES + 100);
  map.clear();
  expect([map.bytes, map.size, map.get("key")]).toEqual([0, 0, undefined]);
});

test("entries fill the maximum exactly, and not a byte more", () => {
  const map = new ByteBoundedMap<string>(2 * (SLOT_BYTES + 100));
  map.set("one", "value", 2 * (SLOT_BYTES + 100) - SLOT_BYTES + 1);
  expect(map.size).toBe(0);
  map.set("one", "value", 2 * (SLOT_BYTES + 100) - SLOT_BYTES);
  expect(map.size).toBe(1);
  map.delete("one");
  map.set("one", "value", 100);
  map.set("two", "value", 100);
  expect(map.size).toBe(2);
  map.set("two", "value", 101);
  expect([map.get("one"), map.get("two")]).toEqual([undefined, "value"]);
});
