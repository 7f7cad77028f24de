import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Record of the stub's zone. `strings` are those of a TXT record, `target` the name of an alias. */
export type ZoneRecord =
  | { owner: string; type: "TXT"; strings: string[] }
  | { owner: string; type: "CNAME"; target: string }
  | { owner: string; type: "A"; bytes: number[] };

/** Answer of the stub for a name. */
export interface ZoneAnswer {
  records?: ZoneRecord[];
  rcode?: number;
  isTruncated?: boolean;
  /** Names another name in the question of the response. */
  question?: string;
  /** Bytes that are sent instead of an answer, in base64. */
  raw?: string;
  /** Bytes that are added to the answer. */
  padding?: number;
  /** Status and media type of the HTTP response. */
  status?: number;
  mediaType?: string;
  hangs?: boolean;
}

const TYPES = { A: 1, CNAME: 5, TXT: 16 };

/**
 * DNS resolver over https (RFC 8484, here over http) that Node runs beside the tests. It speaks the wire format of RFC
 * 1035, with compressed names, and shares no code with the Worker. `PUT /_zone/{name}` sets the answer for a name; other
 * names do not exist. `GET /_asked/{name}` returns how often it was asked for.
 */
export class DnsResolver {
  readonly #zone = new Map<string, ZoneAnswer>();
  readonly #asked = new Map<string, number>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
    // A test may end while a question waits for an answer that never comes.
    this.#server.unref();
  }

  /** Listens on a loopback port, a free one without `port`, and returns its address. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const [, first = "", name = ""] = (request.url ?? "/").split("/");
    if (first === "_zone") {
      this.#zone.set(name, JSON.parse(body.toString()));
      return void response.end();
    }
    if (first === "_asked") return void response.end(String(this.#asked.get(name) ?? 0));
    if (request.method !== "POST" || request.headers["content-type"] !== "application/dns-message") {
      response.statusCode = 415;
      return void response.end();
    }
    const question = readQuestion(body);
    this.#asked.set(question.name, (this.#asked.get(question.name) ?? 0) + 1);
    const answer = this.#zone.get(question.name) ?? { rcode: 3 };
    if (answer.hangs) return;
    response.statusCode = answer.status ?? 200;
    response.setHeader("Content-Type", answer.mediaType ?? "application/dns-message");
    response.end(
      answer.raw === undefined ? writeAnswer(question, answer) : Buffer.from(answer.raw, "base64"),
    );
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Question {
  id: number;
  name: string;
  type: number;
}

/** Reads the one question of a query for TXT records. Throws for any other message. */
function readQuestion(query: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const [flags, questions] = [query.readUInt16BE(2), query.readUInt16BE(4)];
  const [type, klass] = [query.readUInt16BE(at + 1), query.readUInt16BE(at + 3)];
  if (flags !== 0x0100 || questions !== 1 || type !== TYPES.TXT || klass !== 1 || query.length !== at + 5)
    throw new Error("not a query for TXT records");
  return { id: query.readUInt16BE(0), name: labels.join(".").toLowerCase(), type };
}

/** Writes names, with a pointer to the place where the rest of a name stands already. */
class NameWriter {
  readonly #places = new Map<string, number>();

  write(name: string, at: number): Buffer {
    const parts: Buffer[] = [];
    let offset = at;
    for (let rest = name; rest !== ""; rest = rest.split(".").slice(1).join(".")) {
      const place = this.#places.get(rest);
      if (place !== undefined)
        return Buffer.concat([...parts, Buffer.from([0xc0 | (place >> 8), place & 0xff])]);
      this.#places.set(rest, offset);
      const label = Buffer.from(rest.split(".")[0] ?? "", "latin1");
      parts.push(Buffer.from([label.length]), label);
      offset += label.length + 1;
    }
    return Buffer.concat([...parts, Buffer.from([0])]);
  }
}

function writeAnswer({ id, name, type }: Question, answer: ZoneAnswer): Buffer {
  const { records = [], rcode = 0, isTruncated = false, question = name, padding = 0 } = answer;
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x8180 | (isTruncated ? 0x0200 : 0) | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const names = new NameWriter();
  let message = Buffer.concat([header, names.write(question, 12), uint16(type), uint16(1)]);
  for (const record of records) {
    const owner = names.write(record.owner, message.length);
    const start = Buffer.concat([
      message,
      owner,
      uint16(TYPES[record.type]),
      uint16(1),
      Buffer.from([0, 0, 1, 44]),
    ]);
    const data = writeData(record, names, start.length + 2);
    message = Buffer.concat([start, uint16(data.length), data]);
  }
  return Buffer.concat([message, Buffer.alloc(padding)]);
}

function writeData(record: ZoneRecord, names: NameWriter, at: number): Buffer {
  if (record.type === "A") return Buffer.from(record.bytes);
  if (record.type === "CNAME") return names.write(record.target, at);
  return Buffer.concat(
    record.strings.map((text) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])),
  );
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
