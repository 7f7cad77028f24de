/**
 * Writes and reads DNS messages (RFC 1035), as far as looking up TXT records over HTTPS (RFC 8484) needs
 * them: one question, and the texts of the response.
 */

const TYPE_CNAME = 5;
export const TYPE_TXT = 16;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
const NAME_MAX_BYTES = 255;
const LABEL_MAX_BYTES = 63;
/** Marks a compressed name, which continues elsewhere in the message. */
const POINTER = 0xc0;
/** Maximum size of a message over TCP or HTTPS (RFC 1035 section 4.2.2). */
export const MESSAGE_MAX_BYTES = 65_535;
/** Bounds of one response: aliases followed and records read. */
const ALIASES_MAX = 8;
const RECORDS_MAX = 1_000;

const FLAG_RESPONSE = 0x8000;
const FLAG_OPCODE = 0x7800;
const FLAG_TRUNCATED = 0x0200;
const FLAG_RECURSION_DESIRED = 0x0100;
const RCODE = 0x000f;
const RCODE_NAME_ERROR = 3;
const RCODE_NAMES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];

/** Result of a TXT query: the texts, or the reason for the failure. */
export type TextAnswer = { status: "found"; texts: string[] } | { status: "failed"; reason: string };

/** Thrown if a message isn't a valid response to the query. */
class MessageError extends Error {}

/**
 * Builds a query for the records of a name made of ASCII labels. Throws a `RangeError` for an invalid name.
 * The id is 0, as RFC 8484 recommends.
 */
export function buildDnsQuery(name: string, type = TYPE_TXT): Uint8Array<ArrayBuffer> {
  const labels = name.split(".").map((label) => new TextEncoder().encode(label));
  if (labels.some(({ length }) => length === 0 || length > LABEL_MAX_BYTES))
    throw new RangeError("a bad label");
  const question = [...labels.flatMap((label) => [label.length, ...label]), 0];
  if (question.length > NAME_MAX_BYTES) throw new RangeError("the name is too long");
  const header = [0, 0, FLAG_RECURSION_DESIRED >> 8, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  return new Uint8Array([...header, ...question, type >> 8, type & 0xff, 0, CLASS_IN]);
}

/**
 * Parses the response to {@link buildDnsQuery} and returns the texts of the name's TXT records, following
 * aliases. Returns an empty list for a name that doesn't exist. Joins the strings of each record (RFC 7208
 * section 3.3 has the same rule).
 */
export function parseTextAnswer(message: Uint8Array, name: string, type = TYPE_TXT): TextAnswer {
  try {
    return { status: "found", texts: readTexts(new Reader(message), name.toLowerCase(), type) };
  } catch (error) {
    if (error instanceof MessageError) return { status: "failed", reason: error.message };
    throw error;
  }
}

function readTexts(reader: Reader, name: string, type: number): string[] {
  reader.readUint16();
  const flags = reader.readUint16();
  const [questions, answers] = [reader.readUint16(), reader.readUint16()];
  reader.offset = HEADER_BYTES;
  if ((flags & FLAG_RESPONSE) === 0 || (flags & FLAG_OPCODE) !== 0) throw new MessageError("not a response");
  const rcode = flags & RCODE;
  if (rcode !== 0 && rcode !== RCODE_NAME_ERROR)
    throw new MessageError(RCODE_NAMES[rcode] ?? `RCODE ${rcode}`);
  if ((flags & FLAG_TRUNCATED) !== 0) throw new MessageError("the response is truncated");
  const isAsked =
    questions === 1 &&
    reader.readName() === name &&
    reader.readUint16() === type &&
    reader.readUint16() === CLASS_IN;
  if (!isAsked) throw new MessageError("the response answers a different question");
  if (answers > RECORDS_MAX) throw new MessageError("the response has too many records");
  return followAliases(readRecords(reader, answers), name);
}

interface Records {
  aliases: Map<string, string>;
  texts: Map<string, string[]>;
}

function readRecords(reader: Reader, count: number): Records {
  const aliases = new Map<string, string>();
  const texts = new Map<string, string[]>();
  for (let index = 0; index < count; index++) {
    const owner = reader.readName();
    const [type, klass] = [reader.readUint16(), reader.readUint16()];
    reader.skip(4);
    const end = reader.readUint16() + reader.offset;
    if (klass === CLASS_IN && type === TYPE_CNAME) aliases.set(owner, reader.readName());
    else if (klass === CLASS_IN && type === TYPE_TXT)
      texts.set(owner, [...(texts.get(owner) ?? []), reader.readStrings(end)]);
    else reader.skip(end - reader.offset);
    if (reader.offset !== end) throw new MessageError("the length of a record is wrong");
  }
  return { aliases, texts };
}

/**
 * Returns the texts of a name or of the name that it is an alias for. Ignores records of other names, which
 * prove nothing.
 */
function followAliases({ aliases, texts }: Records, name: string): string[] {
  let owner = name;
  for (let followed = 0; followed <= ALIASES_MAX; followed++) {
    const next = aliases.get(owner);
    if (next === undefined) return texts.get(owner) ?? [];
    owner = next;
  }
  throw new MessageError("the name has too many aliases");
}

/** Cursor over the bytes of a message. Throws {@link MessageError} when reading past the end. */
class Reader {
  readonly #bytes: Uint8Array;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readUint16(): number {
    return this.#readByte() * 256 + this.#readByte();
  }

  skip(bytes: number): void {
    this.offset += bytes;
    if (bytes < 0 || this.offset > this.#bytes.length) throw new MessageError("the response ends early");
  }

  /** Reads and joins the strings up to an offset. */
  readStrings(end: number): string {
    let text = "";
    while (this.offset < end) {
      const start = this.offset + 1;
      this.skip(1 + this.#readAt(this.offset));
      text += new TextDecoder().decode(this.#bytes.subarray(start, this.offset));
    }
    return text;
  }

  /**
   * Reads a name in lower case. Pointers must point backwards (RFC 1035 section 4.1.4), so loops are
   * impossible.
   */
  readName(): string {
    const labels: string[] = [];
    let at = this.offset;
    let start = at;
    let end: number | null = null;
    let size = 1;
    for (;;) {
      const length = this.#readAt(at);
      if (length >= POINTER) {
        const target = (length & 0x3f) * 256 + this.#readAt(at + 1);
        if (target >= start) throw new MessageError("a name points forward");
        end ??= at + 2;
        at = target;
        start = target;
        continue;
      }
      if (length > LABEL_MAX_BYTES) throw new MessageError("a name has an unknown form");
      if (length === 0) break;
      size += length + 1;
      if (size > NAME_MAX_BYTES) throw new MessageError("a name is too long");
      if (at + length >= this.#bytes.length) throw new MessageError("the response ends early");
      // Escapes dots within labels, so that they aren't confused with separators.
      labels.push(
        String.fromCharCode(...this.#bytes.subarray(at + 1, at + 1 + length)).replaceAll(".", "\\."),
      );
      at += length + 1;
    }
    this.offset = end ?? at + 1;
    return labels.join(".").toLowerCase();
  }

  #readByte(): number {
    const byte = this.#readAt(this.offset);
    this.offset += 1;
    return byte;
  }

  #readAt(offset: number): number {
    const byte = this.#bytes[offset];
    if (byte === undefined) throw new MessageError("the response ends early");
    return byte;
  }
}
