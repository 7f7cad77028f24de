import { onTestFinished, vi } from "vitest";

/** How many times as fast timers run as the clock. */
const SPEED = 10;
const STEP_MS = 5;

/**
 * Lets timers fire ten times as early until the running test ends, for tests in which something never responds. However
 * busy the machine is, at most 50 ms of a timer pass between two turns of the event loop, so work of a few turns is still
 * in time. `Date` stays as it is.
 */
export function hurryTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pump = setInterval(() => vi.advanceTimersByTime(SPEED * STEP_MS), STEP_MS);
  onTestFinished(() => {
    clearInterval(pump);
    vi.useRealTimers();
  });
}

/** Lets `AbortSignal.timeout` abort twenty times as early until the running test ends. */
export function hurryTimeouts(): void {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
  onTestFinished(() => spy.mockRestore());
}
