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

/**
 * Reads HTTP/1.1 responses from a socket, up to their Content-Length or their last chunk. Keeps only the head of a
 * response, because reading large bodies must not delay the measured requests. Expects one response at a time.
 */
class ResponseReader {
  #head = "";
  /** Bytes of the body that are missing. Null if the head is incomplete, or if the body is sent in chunks. */
  #missing: number | null = null;
  /** Last characters of a body that is sent in chunks. Null if the head is incomplete. */
  #tail: string | null = null;
  #wake: (() => void) | null = null;
  #failure: Error | null = null;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#add(chunk);
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
      if (this.#missing === 0 || this.#tail === LAST_CHUNK) {
        const status = Number(this.#head.slice(9, 12));
        this.#head = "";
        this.#missing = this.#tail = null;
        return status;
      }
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #add(bytes: Buffer): void {
    if (this.#missing !== null) this.#missing -= bytes.length;
    else if (this.#tail !== null) this.#addChunk(bytes);
    else this.#addHead(bytes);
  }

  #addHead(bytes: Buffer): void {
    // In latin1 each byte is one character, so lengths are in bytes.
    this.#head += bytes.toString("latin1");
    const headEnd = this.#head.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const body = this.#head.slice(headEnd + HEAD_END.length);
    this.#head = this.#head.slice(0, headEnd);
    const length = /^content-length: (\d+)/im.exec(this.#head);
    if (length !== null) this.#missing = Number(length[1]) - body.length;
    else {
      // Without other chunks, the line end before the last chunk is the one of the head.
      this.#tail = "\r\n";
      this.#addChunk(Buffer.from(body, "latin1"));
    }
  }

  #addChunk(bytes: Buffer): void {
    const end = bytes.subarray(-LAST_CHUNK.length).toString("latin1");
    this.#tail = `${this.#tail}${end}`.slice(-LAST_CHUNK.length);
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
