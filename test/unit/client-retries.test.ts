import { describe, expect, test, vi } from "vitest";
import { sleep } from "../../src/client/abortable-sleep.ts";
import { createRetryingFetch, type RetryOptions } from "../../src/client/retrying-fetch.ts";

/** Retries by the client, with a simulated clock, random numbers and network. */

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");

type Answer = number | { status: number; retryAfter?: string; body?: string } | Error;

/**
 * Makes calls with a response for each attempt. Returns the outcome, the sent requests and the waits between
 * them.
 */
async function call(
  answers: Answer[],
  options?: RetryOptions,
  request = new Request("https://api.example/v1/links"),
) {
  const sent: Request[] = [];
  const bodies: string[] = [];
  const waitsMs: number[] = [];
  const fetch = createRetryingFetch(
    {
      async fetch(attempt) {
        sent.push(attempt);
        bodies.push(await attempt.clone().text());
        const answer = answers[sent.length - 1];
        if (answer === undefined) throw new Error("one attempt more than expected");
        if (answer instanceof Error) throw answer;
        const { status, retryAfter, body = "{}" } = typeof answer === "number" ? { status: answer } : answer;
        return new Response(body, { status, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
      },
      sleep: async (durationMs) => void waitsMs.push(durationMs),
      random: () => 0.5,
      nowMs: () => NOW_MS,
    },
    options,
  );
  const outcome = await fetch(request).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
  return { outcome, sent, bodies, waitsMs };
}

const post = (headers: Record<string, string> = {}) =>
  new Request("https://api.example/v1/links", {
    method: "POST",
    body: '{"url":"https://example.com/"}',
    headers,
  });

test.each<[string, Answer[], unknown, number[]]>([
  ["a success", [200], 200, []],
  ["a refusal", [400], 400, []],
  [
    "a conflict at the first attempt",
    [{ status: 409, body: '{"error":{"code":"IDEMPOTENCY_CONFLICT"}}' }],
    409,
    [],
  ],
  ["faults of the service", [500, 502, 503, 200], 200, [375, 750, 1_500]],
  ["a time that is over at a gateway", [504, 200], 200, [375]],
  ["a broken connection", [new TypeError("reset"), 200], 200, [375]],
  ["a limit with seconds", [{ status: 429, retryAfter: "2" }, 200], 200, [2_250]],
  ["a limit with a date", [{ status: 429, retryAfter: "Sat, 21 Nov 2026 12:00:05 GMT" }, 200], 200, [5_250]],
  [
    "a limit with a date that is over",
    [{ status: 429, retryAfter: "Sat, 21 Nov 2026 11:00:00 GMT" }, 200],
    200,
    [250],
  ],
  ["a limit with nonsense", [{ status: 429, retryAfter: "soon" }, 200], 200, [375]],
  ["the longest wait", [{ status: 429, retryAfter: "29" }, 200], 200, [29_250]],
  ["a longer wait than that", [{ status: 429, retryAfter: "30" }], 429, []],
  [
    "an attempt that was under way",
    [503, { status: 409, body: '{"error":{"code":"IDEMPOTENCY_CONFLICT"}}' }, 201],
    201,
    [375, 750],
  ],
  ["another conflict", [503, { status: 409, body: '{"error":{"code":"SLUG_TAKEN"}}' }], 409, [375]],
  ["a fault that stays", [500, 500, 500, 500], 500, [375, 750, 1_500]],
  ["a connection that stays broken", Array(4).fill(new TypeError("reset")), "reset", [375, 750, 1_500]],
])("%s", async (_, answers, outcome, waitsMs) => {
  const made = await call(answers);
  expect([made.outcome, made.waitsMs, made.sent.length]).toEqual([outcome, waitsMs, answers.length]);
});

test("calls that must not be retried", async () => {
  expect(await call([503], { retries: 0 })).toMatchObject({ outcome: 503, waitsMs: [] });
});

describe("the Idempotency-Key of a POST", () => {
  test("is the same for each attempt and differs between calls", async () => {
    const [first, second] = [await call([503, 201], {}, post()), await call([201], {}, post())];
    const keys = [...first.sent, ...second.sent].map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(first.bodies).toEqual(Array(2).fill('{"url":"https://example.com/"}'));
  });

  test("is the caller's if there is one, and absent for other methods", async () => {
    const { sent } = await call([201], {}, post({ "Idempotency-Key": "mine" }));
    expect(sent[0]?.headers.get("Idempotency-Key")).toBe("mine");
    for (const { sent } of [await call([200]), await call([201], { retries: 0 }, post())])
      expect(sent[0]?.headers.has("Idempotency-Key")).toBe(false);
  });
});

describe("calls that end early", () => {
  test("aborting throws the caller's reason, also between attempts", async () => {
    const controller = new AbortController();
    const fetch = createRetryingFetch({
      fetch: async () => new Response("{}", { status: 503 }),
      sleep: (durationMs, signal) => {
        queueMicrotask(() => controller.abort(new Error("enough")));
        return sleep(durationMs, signal);
      },
      random: () => 0,
      nowMs: () => NOW_MS,
    });
    const request = new Request("https://api.example/", { signal: controller.signal });
    await expect(fetch(request)).rejects.toThrow("enough");
  });

  test("aborting during an attempt starts no further attempt", async () => {
    const controller = new AbortController();
    let attempts = 0;
    const fetch = createRetryingFetch({
      async fetch() {
        attempts += 1;
        controller.abort(new Error("enough"));
        throw controller.signal.reason;
      },
      sleep,
      random: () => 0,
      nowMs: () => NOW_MS,
    });
    const request = new Request("https://api.example/", { signal: controller.signal });
    await expect(fetch(request)).rejects.toThrow("enough");
    expect(attempts).toBe(1);
  });

  test("an attempt times out after a minute by default", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    await call([200]);
    expect(timeout.mock.calls).toEqual([[60_000]]);
    timeout.mockRestore();
  });

  test("an attempt without a response ends after its timeout", async () => {
    const hang = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener("abort", () => reject(request.signal.reason)),
      );
    const fetch = createRetryingFetch(
      { fetch: hang, sleep, random: () => 0, nowMs: () => NOW_MS },
      { retries: 0, timeoutMs: 5 },
    );
    await expect(fetch(new Request("https://api.example/"))).rejects.toThrow(/timed? ?out|timeout/i);
  });
});
