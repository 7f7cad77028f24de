/** Calls that wait for each other, so that many of them stay below the limit of the service. */

interface PauseOptions {
  /** Returns how long to wait before a call is tried again, or null to give it up. */
  getPauseMs: (fault: unknown, tries: number) => number | null;
  pause: (ms: number) => Promise<void>;
}

/** Makes a call, again after each pause. Throws the fault that is given up. */
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
  /** Calls at the same time. */
  parallel: number;
}

/** Runs a call when its turn has come. */
export type Gate = <Value>(call: () => Promise<Value>) => Promise<Value>;

/** Creates a gate. A call that is tried again keeps its turn, so that the others wait, too. */
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
