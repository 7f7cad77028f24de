import { CountingWindow, type Window } from "../../src/counting/window.ts";

/** Records facts, each with its time, and answers with the windows that an isolate sends of them. */
export async function packWindows<Facts>(occurrences: readonly [Facts, number][]): Promise<Window<Facts>[]> {
  const sent: Window<Facts>[] = [];
  const queue = {
    send: async (message: Window<Facts>) => {
      sent.push(message);
    },
  } as unknown as Queue<Window<Facts>>;
  const leaving: Promise<unknown>[] = [];
  const window = new CountingWindow<Facts>();
  for (const [facts, timeMs] of occurrences) {
    window.record(queue, facts, timeMs, (promise) => leaving.push(promise));
  }
  await Promise.all(leaving);
  return sent;
}
