/** States of a form, so that changes can be undone and made again. */

/** States before and after the one that is shown. */
export interface EditHistory<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** Last change: typing on in the same field is one step. */
  last: { field: string; atMs: number } | null;
}

const STATES_MAX = 200;
/** Longest pause between two changes of a field that are one step. */
export const STEP_PAUSE_MS = 1_000;

/** Returns the history of a form that was not changed yet. */
export function beginHistory<State>(present: State): EditHistory<State> {
  return { past: [], present, future: [], last: null };
}

/** Adds a state. `field` is what changed; an empty text is a step of its own, such as a move. */
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

/** Goes one step back. Returns the same history if there is none. */
export function undoEdit<State>({ past, present, future, last }: EditHistory<State>): EditHistory<State> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, last };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: null };
}

/** Goes one step forward again. Returns the same history if there is none. */
export function redoEdit<State>({ past, present, future, last }: EditHistory<State>): EditHistory<State> {
  const [after, ...later] = future;
  if (after === undefined) return { past, present, future, last };
  return { past: [...past, present], present: after, future: later, last: null };
}

/** Replaces the present state without a step, as after a save. */
export function replacePresent<State>(history: EditHistory<State>, present: State): EditHistory<State> {
  return { ...history, present, last: null };
}
