import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Record of the stub's zone: a TXT record with its strings, a CNAME with its target, or an address. */
export type ZoneRecord =
  | { owner: string; type: "TXT"; strings: string[] }
  | { owner: string; type: "CNAME"; target: string }
  | { owner: string; type: "A"; address: string };

/** Response of the stub for a name. */
export interface ZoneAnswer {
  records?: ZoneRecord[];
  rcode?: number;
  isTruncated?: boolean;
  /** Body that is sent instead of the records. */
  raw?: string;
  /** Number of spaces added to the body. */
  padding?: number;
  /** Status and media type of the HTTP response. */
  status?: number;
  mediaType?: string;
  hangs?: boolean;
}

const TYPES = { A: 1, CNAME: 5, TXT: 16 };
const MEDIA_TYPE = "application/dns-json";

/**
 * DNS over HTTPS resolver (here over HTTP) that Node runs alongside the tests. Responds with JSON like
 * Cloudflare's resolver, and shares no code with the Worker. `PUT /_zone/{name}` sets the response for a
 * name; other names do not exist. `GET /_asked/{name}` returns the number of queries for the name.
 */
export class DnsResolver {
  readonly #zone = new Map<string, ZoneAnswer>();
  readonly #asked = new Map<string, number>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
    // A test may end while a query waits for a response that never comes.
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

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://dns");
    const [, first, path = ""] = pathname.split("/");
    if (first === "_zone") {
      this.#zone.set(path, JSON.parse((await request.toArray()).join("")));
      return void response.end();
    }
    if (first === "_asked") return void response.end(String(this.#asked.get(path) ?? 0));
    const name = searchParams.get("name")?.toLowerCase();
    const isQuery = request.method === "GET" && request.headers.accept === MEDIA_TYPE;
    if (!isQuery || name === undefined || searchParams.get("type") !== "TXT") {
      response.statusCode = 400;
      return void response.end();
    }
    this.#asked.set(name, (this.#asked.get(name) ?? 0) + 1);
    const answer = this.#zone.get(name) ?? { rcode: 3 };
    if (answer.hangs) return;
    response.statusCode = answer.status ?? 200;
    response.setHeader("Content-Type", answer.mediaType ?? MEDIA_TYPE);
    response.end((answer.raw ?? writeAnswer(name, answer)) + " ".repeat(answer.padding ?? 0));
  }
}

function writeAnswer(name: string, { records = [], rcode = 0, isTruncated = false }: ZoneAnswer): string {
  return JSON.stringify({
    Status: rcode,
    TC: isTruncated,
    Question: [{ name, type: TYPES.TXT }],
    // Cloudflare omits an empty list.
    ...(records.length > 0 && {
      Answer: records.map((record) => ({
        name: record.owner,
        type: TYPES[record.type],
        TTL: 300,
        data: writeData(record),
      })),
    }),
  });
}

function writeData(record: ZoneRecord): string {
  if (record.type === "A") return record.address;
  if (record.type === "CNAME") return `${record.target}.`;
  return record.strings.map((text) => JSON.stringify(text)).join(" ");
}
