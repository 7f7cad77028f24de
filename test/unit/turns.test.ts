import { expect, test, vi } from "vitest";
import { takeTurn } from "../../src/qr/turns.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test("renders take turns in the order of their requests, and others run in their pauses", async () => {
  const log: string[] = [];
  const render = (name: string) =>
    takeTurn(async (pause) => {
      log.push(`${name} begins`);
      await pause();
      log.push(`${name} ends`);
      return name;
    });
  const renders = ["a", "b", "c"].map(render);
  const other = sleep(0).then(() => log.push("other"));
  expect(await Promise.all(renders)).toEqual(["a", "b", "c"]);
  await other;
  expect(log.filter((line) => line !== "other")).toEqual([
    "a begins",
    "a ends",
    "b begins",
    "b ends",
    "c begins",
    "c ends",
  ]);
  expect(log.indexOf("other")).toBeLessThan(log.length - 1);
});

test("a turn also ends with an error", async () => {
  await expect(takeTurn(async () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await takeTurn(async () => "next")).toBe("next");
});

test("a turn whose request was cancelled ends after a pause", async () => {
  vi.useFakeTimers();
  void takeTurn(() => new Promise(() => {}));
  const renders = [takeTurn(async () => "next"), takeTurn(async () => "last")];
  await vi.runAllTimersAsync();
  expect(await Promise.all(renders)).toEqual(["next", "last"]);
  vi.useRealTimers();
});

test("a pause of half a second ends a turn, and a shorter pause does not", async () => {
  vi.useFakeTimers();
  void takeTurn(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(0);
  const begun = vi.fn(async () => {});
  const next = takeTurn(begun);
  await vi.advanceTimersByTimeAsync(499);
  expect(begun).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveBeenCalledTimes(1);
  await next;
  const busy = takeTurn(async (pause) => {
    for (const waitMs of [400, 400, 400]) {
      await sleep(waitMs);
      await pause();
    }
  });
  await vi.advanceTimersByTimeAsync(0);
  const last = takeTurn(begun);
  await vi.advanceTimersByTimeAsync(1_190);
  expect(begun).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20);
  await Promise.all([busy, last]);
  expect(begun).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
