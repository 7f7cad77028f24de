// Pure: no I/O, clock or randomness.

/** Undo history of a form. */

/** Previous states, the current state, and undone states. */
export interface EditHistory<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /**
   * Last change. Further changes of the same field within {@link STEP_PAUSE_MS} are part of the same step.
   */
  last: { field: string; atMs: number } | null;
}

const STATES_MAX = 200;
/** Longest pause between two changes of a field that count as one step. */
export const STEP_PAUSE_MS = 1_000;

/** Returns the history of an unchanged form. */
export function beginHistory<State>(present: State): EditHistory<State> {
  return { past: [], present, future: [], last: null };
}

/** Adds a state. `field` names the changed field. An empty string always starts a new step. */
export function recordEdit<State>(
  history: EditHistory<State>,
  present: State,
  field: string,
  nowMs: number,
): EditHistory<State> {
  const { last, past } = history;
  const goesOn = field !== "" && last?.field === field && nowMs - last.atMs <= STEP_PAUSE_MS;
  return {
    past: goesOn ? past : [...past, history.present].slice(-STATES_MAX),
    present,
    future: [],
    last: { field, atMs: nowMs },
  };
}

/** Undoes one step. Returns the history unchanged if there is none. */
export function undoEdit<State>({ past, present, future, last }: EditHistory<State>): EditHistory<State> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, last };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: null };
}

/** Redoes one step. Returns the history unchanged if there is none. */
export function redoEdit<State>({ past, present, future, last }: EditHistory<State>): EditHistory<State> {
  const [after, ...later] = future;
  if (after === undefined) return { past, present, future, last };
  return { past: [...past, present], present: after, future: later, last: null };
}

/** Replaces the current state without adding a step, for example after a save. */
export function replacePresent<State>(history: EditHistory<State>, present: State): EditHistory<State> {
  return { ...history, present, last: null };
}
