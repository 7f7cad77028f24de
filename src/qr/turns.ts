import { sleep } from "../core/timeout.ts";

/** Turns of renders, so that other requests of an isolate do not wait for many renders at once. */

/** Time without a sign of life after which a turn counts as over: its request was cancelled. */
const SILENCE_MAX_MS = 500;

// State of the isolate, not of a request.
let lastTurn: Promise<void> = Promise.resolve();
let lastSignMs = 0;

/** Lets other requests run. */
export type Pause = () => Promise<void>;

/**
 * Runs `work` once the renders before it have ended. `work` awaits the pause that it gets every few milliseconds: a
 * redirect then waits for a part of one render at most, however many renders the isolate has to do.
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

/** Waits for the end of a turn. A cancelled request never ends its turn, so silence ends it too. */
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
