import { connect, type Socket } from "node:net";
import { sleep } from "../../../src/core/timeout.ts";

/** Results of a series of requests. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds, sorted in ascending order. */
  latenciesMs: number[];
  /** Number of responses by status. */
  statuses: Map<number, number>;
}

/** Returns the text of the n-th request. */
export type RequestMaker = (n: number) => string;

/**
 * Sends requests over persistent connections. Each connection sends its next request after the response to
 * the previous one, all of them together at most `perSecond`. Uses sockets, because a general HTTP client takes more time
 * than the redirects being measured. Stops after `requests` requests, or when `signal` is aborted.
 */
export async function runLoad(
  port: number,
  requests: number,
  connections: number,
  makeRequest: RequestMaker,
  signal?: AbortSignal,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const startMs = performance.now();
  const takeRequest = (): string | null => (sent < requests && !signal?.aborted ? makeRequest(sent++) : null);
  const pace = async () => {
    const waitMs = startMs + (sent / perSecond) * 1_000 - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  };
  await Promise.all(
    Array.from({ length: connections }, () =>
      driveConnection(port, takeRequest, pace, latenciesMs, statuses),
    ),
  );
  const seconds = (performance.now() - startMs) / 1_000;
  return { requests, seconds, latenciesMs: latenciesMs.sort((a, b) => a - b), statuses };
}

/** Sends requests over one connection until `takeRequest` returns null. */
async function driveConnection(
  port: number,
  takeRequest: () => string | null,
  pace: () => Promise<void>,
  latenciesMs: number[],
  statuses: Map<number, number>,
): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const reader = new ResponseReader(socket);
  for (;;) {
    await pace();
    const request = takeRequest();
    if (request === null) break;
    const startMs = performance.now();
    socket.write(request);
    const status = await reader.read();
    latenciesMs.push(performance.now() - startMs);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  socket.destroy();
}

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "\r\n0\r\n\r\n";

/** Reads HTTP/1.1 responses from a socket, up to their Content-Length or their last chunk. */
class ResponseReader {
  #buffered = "";
  #wake: (() => void) | null = null;
  #failure: Error | null = null;

  constructor(socket: Socket) {
    // In latin1 each byte is one character, so lengths are in bytes.
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

  /** Waits for the next response and returns its status. Throws if the connection fails. */
  async read(): Promise<number> {
    for (;;) {
      const end = this.#findResponseEnd();
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

  /** Returns the index after the first response, or -1 if it is incomplete. */
  #findResponseEnd(): number {
    const headEnd = this.#buffered.indexOf(HEAD_END);
    if (headEnd === -1) return -1;
    const bodyStart = headEnd + HEAD_END.length;
    const length = /^content-length: (\d+)/im.exec(this.#buffered.slice(0, headEnd));
    if (length !== null) {
      const end = bodyStart + Number(length[1]);
      return this.#buffered.length >= end ? end : -1;
    }
    // Without other chunks, the line end before the last chunk is the one of the head.
    const lastChunk = this.#buffered.indexOf(LAST_CHUNK, bodyStart - 2);
    if (lastChunk !== -1) return lastChunk + LAST_CHUNK.length;
    // Drops the searched part, because each further chunk of a long body would search it again.
    const rest = this.#buffered.slice(bodyStart).slice(1 - LAST_CHUNK.length);
    this.#buffered = this.#buffered.slice(0, bodyStart) + rest;
    return -1;
  }
}

/** Returns a percentile of sorted numbers. `share` is between 0 and 1. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
