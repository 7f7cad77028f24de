import { afterEach, expect, test, vi } from "vitest";
import { FlightTimeoutError, SingleFlight, type Task } from "../../src/caching/single-flight.ts";

const ignore = () => {};
const KEY = "key";

afterEach(() => void vi.useRealTimers());

test("concurrent callers share one execution, and later callers start another", async () => {
  const flights = new SingleFlight<number>();
  let count = 0;
  const task: Task<number> = async (publish) => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    publish(count);
  };
  const join = () => flights.join(KEY, 5_000, task, ignore);
  expect(await Promise.all(Array.from({ length: 50 }, join))).toEqual(Array(50).fill(1));
  expect(await flights.join("other", 5_000, task, ignore)).toBe(2);
  expect(await join()).toBe(3);
});

test("an error reaches all callers that joined", async () => {
  const flights = new SingleFlight<number>();
  const task = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error("down");
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => flights.join(KEY, 5_000, task, ignore)));
  expect(results.map((result) => result.status === "rejected" && String(result.reason))).toEqual(
    Array(3).fill("Error: down"),
  );
});

test("a published result does not wait for the rest of the execution", async () => {
  const flights = new SingleFlight<string>();
  const rest = Promise.withResolvers<void>();
  const done: Promise<void>[] = [];
  const task: Task<string> = async (publish) => {
    publish("early");
    await rest.promise;
  };
  expect(await flights.join(KEY, 5_000, task, (promise) => done.push(promise))).toBe("early");
  rest.resolve();
  await Promise.all(done);
});

test("an execution whose request was cancelled is restarted once after a second for all callers", async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  const tasks: Task<string>[] = [() => new Promise<void>(ignore), async (publish) => publish("second")];
  const started: number[] = [];
  const task: Task<string> = (publish) => {
    started.push(Date.now());
    return (tasks.shift() as Task<string>)(publish);
  };
  flights.start(KEY, task, ignore);
  const joined = Promise.all([1, 2, 3].map(() => flights.join(KEY, 5_000, task, ignore)));
  await vi.advanceTimersByTimeAsync(2_100);
  expect(await joined).toEqual(Array(3).fill("second"));
  expect(started.map((atMs) => atMs - (started[0] as number))).toEqual([0, 1_000]);
});

test("an execution of less than a second is not restarted", async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  const task = vi.fn<Task<string>>(async (publish) => {
    await new Promise((resolve) => setTimeout(resolve, 999));
    publish("done");
  });
  const joined = Promise.all([1, 2].map(() => flights.join(KEY, 1_000, task, ignore)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await joined).toEqual(["done", "done"]);
  expect(task).toHaveBeenCalledTimes(1);
});

/**
 * Starts an execution that publishes after some time. Returns the time after which a caller that joined has
 * its result.
 */
async function measureWait(publishAfterMs: number): Promise<number> {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  const startMs = Date.now();
  let seenAtMs = 0;
  flights.start(
    KEY,
    async (publish) => {
      await new Promise((resolve) => setTimeout(resolve, publishAfterMs));
      publish("done");
    },
    ignore,
  );
  const joined = flights
    .join(KEY, 1_000, () => new Promise<void>(ignore), ignore)
    .then(() => {
      seenAtMs = Date.now();
    });
  await vi.advanceTimersByTimeAsync(500);
  await joined;
  return seenAtMs - startMs;
}

test.each([
  [0, 1],
  [2, 3],
  [4, 7],
  [14, 15],
  [16, 31],
  [32, 47],
  [48, 63],
])(
  "a result published after %i ms arrives after %i: pauses of 1 ms, doubled up to 16",
  async (afterMs, seenMs) => {
    expect(await measureWait(afterMs)).toBe(seenMs);
  },
);

test("a thousand executions are remembered, and the oldest is dropped first", () => {
  const flights = new SingleFlight<string>();
  const task = vi.fn(() => new Promise<void>(ignore));
  const start = (key: number) => flights.start(`key-${key}`, task, ignore);
  for (let key = 0; key < 1_000; key++) start(key);
  start(0);
  expect(task).toHaveBeenCalledTimes(1_000);
  start(1_000);
  start(1);
  expect(task).toHaveBeenCalledTimes(1_001);
  start(0);
  expect(task).toHaveBeenCalledTimes(1_002);
});

test("without a result, joining ends after its timeout", async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  for (const timeoutMs of [300, 1_000]) {
    const task = vi.fn(() => new Promise<void>(ignore));
    let outcome: unknown = "waits";
    flights.join(`${KEY} ${timeoutMs}`, timeoutMs, task, ignore).catch((error) => {
      outcome = error;
    });
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(outcome).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBeInstanceOf(FlightTimeoutError);
    expect(task).toHaveBeenCalledTimes(1);
  }
});
