import { CountingWindow, type MarkVisitor, type Window } from "../../src/counting/window.ts";

/** Records facts with their times and visitors, and returns the windows that an isolate sends to the queue. */
export async function recordWindows<Facts>(
  occurrences: readonly [facts: Facts, timeMs: number, markVisitor?: MarkVisitor][],
): Promise<Window<Facts>[]> {
  const sent: Window<Facts>[] = [];
  const queue = {
    send: async (message: Window<Facts>) => {
      sent.push(message);
    },
  } as unknown as Queue<Window<Facts>>;
  const sending: Promise<unknown>[] = [];
  const window = new CountingWindow<Facts>();
  const queues = { main: queue, spare: queue };
  for (const [facts, timeMs, markVisitor] of occurrences) {
    window.record(queues, facts, timeMs, (promise) => sending.push(promise), markVisitor);
  }
  await Promise.all(sending);
  return sent;
}
