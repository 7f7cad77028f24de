import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Request that the receiver got. */
export interface Received {
  receivedAtMs: number;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Webhook receiver that Node runs alongside the tests. It records each `POST /{name}` under the name.
 * `GET /_received/{name}` returns the recorded requests. The query of a request sets its response:
 * - `status=500`: this status.
 * - `location=…`: a redirect with status 302.
 * - `failures=N`: 503 for the first N requests of each delivery id.
 * - `gate`: 503 until `POST /_open/{name}`.
 * - `bytes=N`: a body of N bytes.
 * - `cut`: a body that ends early.
 * - `slow=N`: a delay of N milliseconds.
 * - `hang`: no response.
 * - `reset`: a reset of the connection.
 */
export class Receiver {
  readonly #received = new Map<string, Received[]>();
  readonly #opened = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
    // The last request of a test may still wait for a response that never comes.
    this.#server.unref();
  }

  /** Listens on a free loopback port and returns its URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  received(name: string): Received[] {
    return this.#received.get(name) ?? [];
  }

  open(name: string): void {
    this.#opened.add(name);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://receiver");
    const [, first = "", second = ""] = url.pathname.split("/");
    if (first === "_received") return void response.end(JSON.stringify(this.received(second)));
    if (first === "_open") {
      this.open(second);
      return void response.end();
    }
    const received = await readRequest(request);
    const others = this.received(first);
    this.#received.set(first, [...others, received]);
    const query = url.searchParams;
    if (query.has("hang")) return;
    if (query.has("reset")) return void request.socket.resetAndDestroy();
    if (query.has("slow")) await new Promise((resolve) => setTimeout(resolve, Number(query.get("slow"))));
    const earlier = others.filter(
      (other) => other.headers["x-svc-delivery"] === received.headers["x-svc-delivery"],
    );
    const isFailing =
      earlier.length < Number(query.get("failures") ?? 0) || (query.has("gate") && !this.#opened.has(first));
    const location = query.get("location");
    if (location !== null) response.setHeader("Location", location);
    response.statusCode = isFailing ? 503 : Number(query.get("status") ?? (location === null ? 200 : 302));
    if (query.has("cut")) sendCut(response);
    else if (query.has("bytes")) sendBytes(response, Number(query.get("bytes")));
    else response.end(response.statusCode === 204 ? undefined : `response of ${first}`);
  }
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    receivedAtMs: Date.now(),
    method: request.method ?? "",
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks).toString(),
  };
}

/** Sends fewer bytes than `Content-Length` declares. */
function sendCut(response: ServerResponse): void {
  response.setHeader("Content-Length", "100");
  response.write("the beginning", () => response.socket?.end());
}

function sendBytes(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const send = () => {
    while (left > 0 && !response.destroyed) {
      const chunk = Math.min(left, 65_536);
      left -= chunk;
      if (!response.write(Buffer.alloc(chunk, "x"))) return void response.once("drain", send);
    }
    response.end();
  };
  send();
}
