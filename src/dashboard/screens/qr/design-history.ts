/** Steps back and forth between states of something that is edited. */

/** Former states, and those that were undone. */
export interface DesignHistory<State> {
  past: readonly State[];
  future: readonly State[];
  /** Subject of the last change, and its time. */
  last: { subject: string; atMs: number } | null;
}

/** Changes of the same subject within this time are one step, such as those of a slider that is dragged. */
export const STEP_MS = 800;
const STEPS_MAX = 100;

export const NO_HISTORY: DesignHistory<never> = { past: [], future: [], last: null };

/** Returns the history after a change. `before` is the state that was changed. */
export function rememberStep<State>(
  { past, last }: DesignHistory<State>,
  before: State,
  subject: string,
  nowMs: number,
): DesignHistory<State> {
  const isSameStep = last !== null && last.subject === subject && nowMs - last.atMs <= STEP_MS;
  return {
    past: isSameStep ? past : [...past, before].slice(-STEPS_MAX),
    future: [],
    last: { subject, atMs: nowMs },
  };
}

/** State after a step, and the history that leads on from there. */
export interface HistoryStep<State> {
  state: State;
  history: DesignHistory<State>;
}

/** Goes a step back. Returns null if there is none. */
export function undoStep<State>(
  { past, future }: DesignHistory<State>,
  current: State,
): HistoryStep<State> | null {
  const state = past.at(-1);
  if (state === undefined) return null;
  return { state, history: { past: past.slice(0, -1), future: [current, ...future], last: null } };
}

/** Goes a step forth again. Returns null if there is none. */
export function redoStep<State>(
  { past, future }: DesignHistory<State>,
  current: State,
): HistoryStep<State> | null {
  const [state, ...rest] = future;
  if (state === undefined) return null;
  return { state, history: { past: [...past, current], future: rest, last: null } };
}
