import { onTestFinished, vi } from "vitest";

/** Milliseconds of a timer that pass in one turn of the event loop. */
const STEP_MS = 2;

/**
 * Lets timers fire early until the running test ends, for tests in which something never responds. They count turns of the
 * event loop instead of time, so however busy the machine is, work of a few turns is still in time. `Date` stays as it is.
 */
export function hurryTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isRunning = true;
  const turn = () => {
    if (!isRunning) return;
    vi.advanceTimersByTime(STEP_MS);
    setImmediate(turn);
  };
  turn();
  onTestFinished(() => {
    isRunning = false;
    vi.useRealTimers();
  });
}

/** Lets `AbortSignal.timeout` abort twenty times as early until the running test ends. */
export function hurryTimeouts(): void {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
  onTestFinished(() => spy.mockRestore());
}
