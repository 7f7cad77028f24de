import { connect, type Socket } from "node:net";

/** How a burst of requests went. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds, sorted. */
  latenciesMs: number[];
  /** Statuses seen, and how often. */
  statuses: Map<number, number>;
}

/** Makes the bytes of the n-th request. */
export type RequestMaker = (n: number) => string;

/**
 * Sends `requests` requests over `connections` kept-alive connections, each waiting for its answer before the next.
 * A client of its own, since a general one spends more time than the redirect it measures.
 */
export async function load(
  port: number,
  requests: number,
  connections: number,
  make: RequestMaker,
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const next = (): string | null => (sent < requests ? make(sent++) : null);
  const startMs = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive(port, next, latenciesMs, statuses)));
  const seconds = (performance.now() - startMs) / 1_000;
  return { requests, seconds, latenciesMs: latenciesMs.sort((a, b) => a - b), statuses };
}

async function drive(
  port: number,
  next: () => string | null,
  latenciesMs: number[],
  statuses: Map<number, number>,
): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const reader = new AnswerReader(socket);
  for (let request = next(); request !== null; request = next()) {
    const startMs = performance.now();
    socket.write(request);
    const status = await reader.read();
    latenciesMs.push(performance.now() - startMs);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  socket.destroy();
}

const HEAD_END = "\r\n\r\n";

/** Reads answers one after the other: as long as their Content-Length says, or to their last chunk. */
class AnswerReader {
  #buffered = "";
  #wake: (() => void) | null = null;
  #failure: Error | null = null;

  constructor(socket: Socket) {
    // One character a byte, so that lengths are those of the wire.
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      this.#buffered += chunk;
      this.#wake?.();
    });
    socket.on("close", () => {
      this.#failure ??= new Error("the connection was closed");
      this.#wake?.();
    });
    socket.on("error", (error) => {
      this.#failure = error;
    });
  }

  async read(): Promise<number> {
    for (;;) {
      const end = this.#endOfAnswer();
      if (end !== -1) {
        const status = Number(this.#buffered.slice(9, 12));
        this.#buffered = this.#buffered.slice(end);
        return status;
      }
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #endOfAnswer(): number {
    const headEnd = this.#buffered.indexOf(HEAD_END);
    if (headEnd === -1) return -1;
    const bodyStart = headEnd + HEAD_END.length;
    const length = /^content-length: (\d+)/im.exec(this.#buffered.slice(0, headEnd));
    if (length !== null) {
      const end = bodyStart + Number(length[1]);
      return this.#buffered.length >= end ? end : -1;
    }
    const lastChunk = this.#buffered.indexOf("0\r\n\r\n", bodyStart);
    return lastChunk === -1 ? -1 : lastChunk + "0\r\n\r\n".length;
  }
}

/** The latency that `share` of the requests stay within, of a sorted list. */
export function percentile(sortedMs: readonly number[], share: number): number {
  return sortedMs[Math.min(sortedMs.length - 1, Math.floor(sortedMs.length * share))] ?? 0;
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
