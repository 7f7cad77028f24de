// Pure: no I/O, clock or randomness.

/** Undo history of a design. */

/** Previous states and undone states. */
export interface DesignHistory<State> {
  past: readonly State[];
  future: readonly State[];
  /** Subject and time of the last change. */
  last: { subject: string; atMs: number } | null;
}

/** Changes of the same subject within this time are one step, for example while a slider is dragged. */
export const STEP_MS = 800;
const STEPS_MAX = 100;

export const NO_HISTORY: DesignHistory<never> = { past: [], future: [], last: null };

/** Returns the history after a change. `before` is the state before the change. */
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

/** State after an undo or redo, with the history from there. */
export interface HistoryStep<State> {
  state: State;
  history: DesignHistory<State>;
}

/** Undoes one step. Returns null if there is none. */
export function undoStep<State>(
  { past, future }: DesignHistory<State>,
  current: State,
): HistoryStep<State> | null {
  const state = past.at(-1);
  if (state === undefined) return null;
  return { state, history: { past: past.slice(0, -1), future: [current, ...future], last: null } };
}

/** Redoes one step. Returns null if there is none. */
export function redoStep<State>(
  { past, future }: DesignHistory<State>,
  current: State,
): HistoryStep<State> | null {
  const [state, ...rest] = future;
  if (state === undefined) return null;
  return { state, history: { past: [...past, current], future: rest, last: null } };
}
