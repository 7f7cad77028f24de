import { sleep } from "../core/timeout.ts";

/** Runs renders one at a time, so that other requests of the isolate don't wait for many renders in a row. */

/**
 * Time without a pause after which a turn (the run of one render) counts as over: its request was cancelled.
 */
const SILENCE_MAX_MS = 500;

// State of the isolate, not of a request.
let lastTurn: Promise<void> = Promise.resolve();
let lastSignMs = 0;

/** Lets other requests run. */
export type Pause = () => Promise<void>;

/**
 * Runs `work` once all earlier renders have ended. `work` must await the given pause every few milliseconds:
 * a redirect then waits at most for a part of one render, however many renders the isolate has queued.
 */
export async function takeTurn<Result>(work: (pause: Pause) => Promise<Result>): Promise<Result> {
  const before = lastTurn;
  let end = () => {};
  lastTurn = new Promise((resolve) => {
    end = resolve;
  });
  await waitForEnd(before);
  lastSignMs = Date.now();
  try {
    return await work(pause);
  } finally {
    end();
  }
}

async function pause(): Promise<void> {
  await sleep(0);
  lastSignMs = Date.now();
}

/**
 * Waits until a turn ends. A cancelled request never ends its turn, so a turn without pauses also counts as
 * over.
 */
async function waitForEnd(turn: Promise<void>): Promise<void> {
  let isOver = false;
  const over = turn.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([over, sleep(SILENCE_MAX_MS)]);
    if (Date.now() - lastSignMs >= SILENCE_MAX_MS) return;
  }
}
