// Pure: no I/O, clock or randomness.

/** Limits the number of parallel calls, so that they stay below the service's rate limit. */

interface PauseOptions {
  /** Returns the wait before a retry in milliseconds, or null to give up. */
  getPauseMs: (fault: unknown, tries: number) => number | null;
  pause: (ms: number) => Promise<void>;
}

/** Makes a call and retries it after each pause. Throws the fault if `getPauseMs` returns null. */
export async function tryAgain<Value>(
  call: () => Promise<Value>,
  { getPauseMs, pause }: PauseOptions,
): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (fault) {
      const pauseMs = getPauseMs(fault, tries);
      if (pauseMs === null) throw fault;
      await pause(pauseMs);
    }
  }
}

interface GateOptions extends PauseOptions {
  /** Maximum number of parallel calls. */
  parallel: number;
}

/** Runs a call as soon as fewer than `parallel` other calls are running. */
export type Gate = <Value>(call: () => Promise<Value>) => Promise<Value>;

/** Creates a gate. A call that waits for its retry counts as running, so that other calls wait too. */
export function createGate({ parallel, getPauseMs, pause }: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await tryAgain(call, { getPauseMs, pause });
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
