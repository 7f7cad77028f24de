import { CountingWindow, type Window } from "../../src/counting/window.ts";

/** Records facts with their times, and returns the windows that an isolate sends to the queue. */
export async function recordWindows<Facts>(
  occurrences: readonly [Facts, number][],
): Promise<Window<Facts>[]> {
  const sent: Window<Facts>[] = [];
  const queue = {
    send: async (message: Window<Facts>) => {
      sent.push(message);
    },
  } as unknown as Queue<Window<Facts>>;
  const sending: Promise<unknown>[] = [];
  const window = new CountingWindow<Facts>();
  for (const [facts, timeMs] of occurrences) {
    window.record({ main: queue, spare: queue }, facts, timeMs, (promise) => sending.push(promise));
  }
  await Promise.all(sending);
  return sent;
}
