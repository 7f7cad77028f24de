import { afterEach, expect, test, vi } from "vitest";
import { FlightTimeoutError, SingleFlight, type Work } from "../../src/caching/single-flight.ts";

const ignore = () => {};
const KEY = "key";

afterEach(() => void vi.useRealTimers());

test("a work is done once for all that join it, and again for those that come after it", async () => {
  const flights = new SingleFlight<number>();
  let count = 0;
  const work: Work<number> = async (publish) => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    publish(count);
  };
  const join = () => flights.join(KEY, 5_000, work, ignore);
  expect(await Promise.all(Array.from({ length: 50 }, join))).toEqual(Array(50).fill(1));
  expect(await flights.join("other", 5_000, work, ignore)).toBe(2);
  expect(await join()).toBe(3);
});

test("the error of a work reaches all that joined it", async () => {
  const flights = new SingleFlight<number>();
  const work = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error("down");
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => flights.join(KEY, 5_000, work, ignore)));
  expect(results.map((result) => result.status === "rejected" && String(result.reason))).toEqual(
    Array(3).fill("Error: down"),
  );
});

test("a published result does not wait for the rest of the work", async () => {
  const flights = new SingleFlight<string>();
  const rest = Promise.withResolvers<void>();
  const done: Promise<void>[] = [];
  const work: Work<string> = async (publish) => {
    publish("early");
    await rest.promise;
  };
  expect(await flights.join(KEY, 5_000, work, (promise) => done.push(promise))).toBe("early");
  rest.resolve();
  await Promise.all(done);
});

test("a work whose request was cancelled is started again after a second, once for all that wait", async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  const works: Work<string>[] = [() => new Promise<void>(ignore), async (publish) => publish("second")];
  const started: number[] = [];
  const work: Work<string> = (publish) => {
    started.push(Date.now());
    return (works.shift() as Work<string>)(publish);
  };
  flights.start(KEY, work, ignore);
  const joined = Promise.all([1, 2, 3].map(() => flights.join(KEY, 5_000, work, ignore)));
  await vi.advanceTimersByTimeAsync(2_100);
  expect(await joined).toEqual(Array(3).fill("second"));
  expect(started).toHaveLength(2);
});

test("without a result, joining ends after its timeout", async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight<string>();
  const joined = flights.join(KEY, 300, () => new Promise<void>(ignore), ignore).catch((error) => error);
  await vi.advanceTimersByTimeAsync(300);
  expect(await joined).toBeInstanceOf(FlightTimeoutError);
});
