import { describe, expect, test, vi } from "vitest";
import { CallError, type FaultKind, parseFault } from "../../src/dashboard/data/call-error.ts";
import { getPauseMs, waitForLimits } from "../../src/dashboard/data/limit-pause.ts";
import { ResourceCache } from "../../src/dashboard/data/resource-cache.ts";

/** Returns an error envelope of the API. */
function envelope(code: string, details?: { field: string; message: string }[]) {
  return { error: { code, message: `About ${code}.`, details }, meta: { request_id: "r-1" } };
}

function createFault(kind: FaultKind, retryAfterS: number | null): CallError {
  return new CallError({ kind, code: "SOME_CODE", message: "", retryAfterS });
}

describe("pauses after rate limits", () => {
  test.each<[fault: unknown, tries: number, pauseMs: number | null]>([
    [createFault("limited", 3), 1, 3_000],
    [createFault("limited", 0), 1, 1_000],
    [createFault("limited", null), 1, 1_000],
    [createFault("limited", 3), 5, 3_000],
    [createFault("limited", 3), 6, null],
    [createFault("server", 3), 1, null],
    [new Error("limited"), 1, null],
  ])("case %#", (fault, tries, pauseMs) => {
    expect(getPauseMs(fault, tries)).toBe(pauseMs);
  });
  test("a call is retried once for each limit, and other errors are thrown", async () => {
    vi.useFakeTimers();
    const faults = [createFault("limited", 0), createFault("server", null)];
    const result = expect(waitForLimits(() => Promise.reject(faults.shift()))).rejects.toMatchObject({
      kind: "server",
    });
    await vi.runAllTimersAsync();
    await result;
    expect(faults).toEqual([]);
    vi.useRealTimers();
  });
  test("a call waits for the seconds that the service requests", async () => {
    vi.useFakeTimers();
    const call = vi.fn(async () => "done").mockRejectedValueOnce(createFault("limited", 2));
    const result = waitForLimits(call);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe("done");
    vi.useRealTimers();
  });
});

describe("errors of responses", () => {
  test.each([
    [401, "INVALID_SESSION", "signed-out"],
    [403, "NOT_A_MEMBER", "not-a-member"],
    [403, "INSUFFICIENT_SCOPE", "forbidden"],
    [404, "RESOURCE_NOT_FOUND", "missing"],
    [409, "SLUG_TAKEN", "conflict"],
    [400, "VALIDATION_ERROR", "invalid"],
    [413, "PAYLOAD_TOO_LARGE", "invalid"],
    [429, "BURST_LIMIT_EXCEEDED", "limited"],
    [499, "VALIDATION_ERROR", "invalid"],
    [500, "INTERNAL_ERROR", "server"],
    [503, "WORKSPACE_MOVING", "server"],
  ])("%i %s is %s", (status, code, kind) => {
    const fault = parseFault({ status, body: envelope(code), retryAfter: null });
    expect(fault).toMatchObject({
      kind,
      code,
      message: `About ${code}.`,
      requestId: "r-1",
      retryAfterS: null,
    });
  });

  test.each([
    ["5", 5],
    ["0.4", 1],
    ["0", 0],
    ["-1", null],
    ["soon", null],
    [null, null],
  ])("Retry-After %s is %s", (retryAfter, seconds) => {
    expect(parseFault({ status: 429, body: envelope("RATE_LIMIT_EXCEEDED"), retryAfter }).retryAfterS).toBe(
      seconds,
    );
  });

  test("details become sentences at their fields, the first of each field", () => {
    const body = envelope("VALIDATION_ERROR", [
      { field: "url", message: "must be a URL" },
      { field: "url", message: "is too long" },
      { field: "labels[0]", message: "is empty!" },
      { field: "size", message: "must be at most 2.5" },
    ]);
    const { fields } = parseFault({ status: 400, body, retryAfter: null });
    expect(fields).toEqual({ url: "Must be a URL.", "labels[0]": "Is empty!", size: "Must be at most 2.5." });
  });

  test("a taken slug is an error of its field", () => {
    const message = "custom_slug: sale: is already used";
    const body = { error: { code: "SLUG_TAKEN", message } };
    expect(parseFault({ status: 409, body, retryAfter: null }).fields).toEqual({
      custom_slug: "sale: is already used.",
    });
  });

  test.each([[null], ["<html>"], [{}], [{ error: "no", meta: null }]])(
    "a body that is no envelope: %o",
    (body) => {
      const fault = parseFault({ status: 502, body, retryAfter: null });
      expect(fault).toMatchObject({ kind: "server", code: "INTERNAL_ERROR", requestId: null, fields: {} });
      expect(fault.message).not.toBe("");
    },
  );
});

/** Returns a promise with the functions that settle it. */
function defer<Value>() {
  return Promise.withResolvers<Value>();
}

describe("the cache of resources", () => {
  test("shows the cached value while it is read again", async () => {
    const cache = new ResourceCache();
    const state = () => cache.get<number>("a");
    expect(state()).toEqual({ value: undefined, fault: null, isLoading: false });
    await cache.read("a", async () => 1);
    const second = defer<number>();
    const reading = cache.read("a", () => second.promise);
    expect(state()).toEqual({ value: 1, fault: null, isLoading: true });
    second.resolve(2);
    await reading;
    expect(state()).toEqual({ value: 2, fault: null, isLoading: false });
  });

  test("keeps the value when a read fails, and removes the error when a read succeeds", async () => {
    const cache = new ResourceCache();
    await cache.read("a", async () => 1);
    const fault = new Error("no");
    await cache.read("a", () => Promise.reject(fault));
    expect(cache.get("a")).toEqual({ value: 1, fault, isLoading: false });
    await cache.read("a", async () => 2);
    expect(cache.get("a")).toEqual({ value: 2, fault: null, isLoading: false });
  });

  test.each(["resolve", "reject"] as const)("an earlier read that ends later is dropped: %s", async (end) => {
    const cache = new ResourceCache();
    const first = defer<number>();
    const reading = cache.read("a", () => first.promise);
    await cache.read("a", async () => 2);
    first[end](1);
    await reading;
    expect(cache.get("a")).toEqual({ value: 2, fault: null, isLoading: false });
  });

  test("a change is shown immediately in all resources with a prefix, and can be undone", async () => {
    const cache = new ResourceCache();
    for (const key of ["links?1", "links?2", "pages"]) await cache.read(key, async () => [1]);
    cache.subscribe("links?3", () => {});
    const undo = cache.change<number[]>("links?", (list) => [...list, 2]);
    expect(["links?1", "links?2", "links?3", "pages"].map((key) => cache.get(key).value)).toEqual([
      [1, 2],
      [1, 2],
      undefined,
      [1],
    ]);
    undo();
    expect(cache.get("links?1").value).toEqual([1]);
  });

  test("undoing keeps values that were read since", async () => {
    const cache = new ResourceCache();
    await cache.read("a", async () => 1);
    const undo = cache.change<number>("a", (value) => value + 1);
    await cache.read("a", async () => 7);
    undo();
    expect(cache.get("a").value).toBe(7);
  });

  test("a read that began before a change does not hide it", async () => {
    const cache = new ResourceCache();
    await cache.read("a", async () => 1);
    const slow = defer<number>();
    const reading = cache.read("a", () => slow.promise);
    cache.change<number>("a", () => 5);
    expect(cache.get("a")).toEqual({ value: 5, fault: null, isLoading: false });
    slow.resolve(1);
    await reading;
    expect(cache.get("a").value).toBe(5);
  });

  test("a change without effect stops no read", async () => {
    const cache = new ResourceCache();
    await cache.read("a", async () => 1);
    const reading = cache.read("a", async () => 2);
    cache.change<number>("a", (value) => value);
    await reading;
    expect(cache.get("a").value).toBe(2);
  });

  test("the least recently used resource is evicted beyond the limit", async () => {
    const cache = new ResourceCache(2);
    await cache.read("a", async () => 1);
    await cache.read("b", async () => 2);
    await cache.read("a", async () => 1);
    await cache.read("c", async () => 3);
    expect(cache.get("a").value).toBe(1);
    expect(cache.get("c").value).toBe(3);
    expect(cache.get("b").value).toBeUndefined();
  });

  test("a resource with a subscriber is kept beyond the limit, and evicted after the last one ends", async () => {
    const cache = new ResourceCache(2);
    const seen: unknown[] = [];
    const stops = [1, 2].map(() => cache.subscribe("a", () => seen.push(cache.get("a").value)));
    for (const key of ["b", "c", "d"]) await cache.read(key, async () => 2);
    await cache.read("a", async () => 1);
    cache.change<number>("a", (value) => value + 1);
    expect(seen.slice(-4)).toEqual([1, 1, 2, 2]);
    expect(cache.get("b").value).toBeUndefined();
    stops[0]?.();
    for (const key of ["c", "d"]) await cache.read(key, async () => 3);
    expect(cache.get("a").value).toBe(2);
    stops[1]?.();
    for (const key of ["c", "d"]) await cache.read(key, async () => 4);
    expect(cache.get("a").value).toBeUndefined();
  });

  test("clearing removes everything", async () => {
    const cache = new ResourceCache();
    await cache.read("a", async () => 1);
    cache.clear();
    expect(cache.get("a").value).toBeUndefined();
  });
});
