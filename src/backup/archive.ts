import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar";
import * as z from "zod";

/**
 * Archive of an installation or a workspace: a gzipped tar that is written and read as a stream. `manifest.json` comes
 * first, then `rows/DATABASE/TABLE/N.ndjson` and `files/BUCKET/KEY` in any order, and `end.json` with a digest last.
 * Lines of rows are written by `row-json.ts`.
 */

const FORMAT = 1;
/** Maximum size of a part of a table's rows. Only a part with a single row can be larger. */
const PART_MAX_BYTES = 1_048_576;
/** Maximum size of an entry that is read as a whole, which is every entry except files. */
const ENTRY_MAX_BYTES = 16 * 1_048_576;
const MANIFEST_NAME = "manifest.json";
const END_NAME = "end.json";
/** PAX record with the metadata of a file, as JSON. */
const METADATA_RECORD = "SIGNPOST.metadata";

/** First entry of an archive. */
export interface Manifest {
  kind: "installation" | "workspace";
  /** Version of Signpost. */
  version: string;
  createdAt: string;
  /** Names of the applied migrations, by the binding of the database. */
  migrations: Record<string, string[]>;
}

const anyManifest = z.looseObject({
  version: z.string(),
  createdAt: z.string(),
  migrations: z.record(z.string(), z.array(z.string())),
});

/** Manifests by the kind of the archive. */
const MANIFESTS: Record<Manifest["kind"], z.ZodType> = {
  installation: anyManifest.extend({
    id: z.string(),
    schema: z.record(z.string(), z.array(z.looseObject({}))),
  }),
  workspace: anyManifest.extend({
    workspace: z.looseObject({ id: z.string(), slug: z.string(), primaryHost: z.string().nullable() }),
    shortDomain: z.string().min(1),
    passphraseCheck: z.string().nullable(),
  }),
};

/** Metadata of a file in any archive. */
const fileMetadata = z.looseObject({
  httpMetadata: z.looseObject({}).optional(),
  customMetadata: z.record(z.string(), z.string()).optional(),
});

/** Some rows of a table. Each line is a JSON array with one value per column. */
export interface RowsEntry {
  type: "rows";
  database: string;
  table: string;
  columns: string[];
  lines: string[];
}

/** File of a bucket. */
export interface ArchivedFile {
  bucket: string;
  key: string;
  size: number;
  /** JSON object that the writer chose. */
  metadata: Record<string, unknown>;
}

export interface FileEntry extends ArchivedFile {
  type: "file";
  body: ReadableStream<Uint8Array>;
}

/**
 * Thrown if a file is no archive, is damaged or incomplete, or has the wrong kind. The message may contain parts of the
 * archive, but no control characters, which could hide or change what a terminal shows.
 */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message.replace(/[^\P{Cc}\n]/gu, "?"));
  }
}

/** Writes the entries of an archive. See {@link writeArchive}. */
export class ArchiveWriter {
  readonly #packer = createTarPacker();
  readonly #digest = new Digest();
  /** Number of parts of each table. */
  readonly #parts = new Map<string, number>();

  get stream(): ReadableStream<Uint8Array> {
    return this.#packer.readable;
  }

  /** Writes rows of a table, in parts. Returns their number. May be called several times for a table. */
  async writeRows(
    database: string,
    table: string,
    columns: readonly string[],
    lines: AsyncIterable<string> | Iterable<string>,
  ): Promise<number> {
    const header = JSON.stringify(columns);
    let part: string[] = [header];
    let bytes = Buffer.byteLength(header);
    let rows = 0;
    const flush = async () => {
      if (part.length === 1) return;
      const folder = `rows/${database}/${table}`;
      const number = this.#parts.get(folder) ?? 0;
      this.#parts.set(folder, number + 1);
      await this.writeText(`${folder}/${number}.ndjson`, `${part.join("\n")}\n`);
      part = [header];
      bytes = Buffer.byteLength(header);
    };
    for await (const line of lines) {
      const size = Buffer.byteLength(line) + 1;
      if (bytes + size >= PART_MAX_BYTES) await flush();
      part.push(line);
      bytes += size;
      rows += 1;
    }
    await flush();
    return rows;
  }

  /** Writes a file. `body` must have exactly `file.size` bytes. */
  async writeFile(file: ArchivedFile, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { bucket, key, size, metadata } = file;
    await this.#write(`files/${bucket}/${key}`, size, body, JSON.stringify(metadata));
  }

  async writeText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#write(name, bytes.length, [bytes]);
  }

  async finish(): Promise<void> {
    await this.writeText(END_NAME, JSON.stringify({ format: FORMAT, sha256: this.#digest.read() }));
    this.#packer.controller.finalize();
  }

  fail(error: unknown): void {
    this.#packer.controller.error(error);
  }

  async #write(
    name: string,
    size: number,
    body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    metadata?: string,
  ): Promise<void> {
    this.#digest.startEntry(name, size, metadata);
    const pax = metadata === undefined ? {} : { [METADATA_RECORD]: metadata };
    const writer = this.#packer.controller.add({ name, size, mode: 0o600, pax }).getWriter();
    for await (const chunk of body) {
      this.#digest.update(chunk);
      await writer.write(chunk);
    }
    await writer.close();
  }
}

/** Digest of the names, metadata and contents of all entries. */
class Digest {
  readonly #hash = createHash("sha256");

  startEntry(name: string, size: number, metadata = ""): void {
    this.#hash.update(`\n${JSON.stringify([name, size, metadata])}\n`);
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  /** Returns the digest of the entries until now. */
  read(): string {
    return this.#hash.copy().digest("hex");
  }
}

/**
 * Writes an archive with the entries that `write` adds. The file appears when it is complete. Until then, its name
 * ends with `.part`. Only its owner can read it.
 */
export async function writeArchive(
  path: string,
  manifest: Manifest,
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`;
  const archive = new ArchiveWriter();
  const storing = pipeline(
    Readable.fromWeb(archive.stream as never),
    createGzip(),
    createWriteStream(part, { mode: 0o600, flush: true }),
  );
  // Without a handler, a full disk would end the process while `write` waits for its next entry.
  storing.catch((error) => archive.fail(error));
  try {
    await archive.writeText(MANIFEST_NAME, JSON.stringify({ format: FORMAT, ...manifest }));
    await write(archive);
    await archive.finish();
    await storing;
    await rename(part, path);
  } catch (error) {
    archive.fail(error);
    await storing.catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Reads a whole archive, and returns its manifest. Throws {@link ArchiveError} if an entry was changed or is missing, or
 * if the archive has another kind.
 */
export async function checkArchive<Expected extends Manifest>(
  path: string,
  kind: Expected["kind"],
): Promise<Expected> {
  const digest = new Digest();
  let manifest: string | undefined;
  let expected: string | undefined;
  try {
    for await (const { header, body } of readEntries(path)) {
      const { name, size } = header;
      if (size > ENTRY_MAX_BYTES && !name.startsWith("files/")) {
        throw new ArchiveError(`${path} has an entry of more than 16 MiB, which Signpost never writes`);
      }
      if (name === END_NAME) {
        expected = JSON.parse(await readText(body)).sha256;
        continue;
      }
      if (manifest === undefined && name !== MANIFEST_NAME) break;
      digest.startEntry(name, size, getMetadata(header));
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) {
        digest.update(chunk);
        if (name === MANIFEST_NAME) chunks.push(chunk);
      }
      manifest ??= Buffer.concat(chunks).toString();
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${path} is damaged, incomplete, or no backup or export of Signpost`);
  }
  if (manifest === undefined) throw new ArchiveError(`${path} is no backup or export of Signpost`);
  if (expected !== digest.read()) throw new ArchiveError(`${path} is damaged or incomplete`);
  return parseManifest(manifest, kind);
}

function parseManifest<Expected extends Manifest>(text: string, kind: Expected["kind"]): Expected {
  const { format, kind: found } = parseJson(text, z.looseObject({}), MANIFEST_NAME);
  if (format !== FORMAT) {
    throw new ArchiveError("the archive was written by a newer version of Signpost; update first");
  }
  if (found !== kind) {
    throw new ArchiveError(`the archive is of the kind ${JSON.stringify(found)}, not "${kind}"`);
  }
  return parseJson(text, MANIFESTS[kind], MANIFEST_NAME) as unknown as Expected;
}

/** Parses JSON of an entry. Throws {@link ArchiveError} if it has another shape than every archive that Signpost writes. */
function parseJson<Shape extends z.ZodType>(text: string, shape: Shape, name: string): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new ArchiveError(`the archive has an invalid ${name}`);
  }
}

/** Yields the entries of a checked archive. The body of a file must be read before the next entry is requested. */
export async function* readArchive(path: string): AsyncGenerator<RowsEntry | FileEntry> {
  for await (const { header, body } of readEntries(path)) {
    const [folder = "", first = "", ...rest] = header.name.split("/");
    if (folder === "rows") {
      const [columns = "[]", ...lines] = (await readText(body)).trimEnd().split("\n");
      const names = parseJson(columns, z.array(z.string()), header.name);
      yield { type: "rows", database: first, table: rest[0] ?? "", columns: names, lines };
    } else if (folder === "files") {
      const metadata = parseJson(getMetadata(header) ?? "{}", fileMetadata, header.name);
      yield { type: "file", bucket: first, key: rest.join("/"), size: header.size, metadata, body };
    } else {
      // The decoder would lose the next entry's body if this one was cancelled.
      await readText(body);
    }
  }
}

/** Yields the entries of the tar file. Throws {@link ArchiveError} if it can't be opened. */
async function* readEntries(path: string): AsyncGenerator<ParsedTarEntry> {
  const handle = await open(path).catch((error) => {
    throw new ArchiveError(error.message);
  });
  const file = handle.createReadStream();
  const bytes = file.pipe(createGunzip());
  file.once("error", (error) => bytes.destroy(error));
  const decoder = createTarDecoder({ strict: true });
  try {
    yield* (Readable.toWeb(bytes) as unknown as ReadableStream<Uint8Array>).pipeThrough(decoder).values();
  } finally {
    file.destroy();
  }
}

function getMetadata({ pax }: ParsedTarEntry["header"]): string | undefined {
  return pax?.[METADATA_RECORD];
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
