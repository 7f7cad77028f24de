import { signal } from "@preact/signals";
import type { PrintItem } from "../../../client/print/print-items.ts";
import type { PrintDesign, PrintOutput } from "../../../client/print/write-codes.ts";
import { formatCount } from "../../../core/format-count.ts";
import type { DesignInput } from "../../../qr/design.ts";
import type { Format } from "../../../qr/image-size.ts";
import { announce, showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { printSelection } from "../../data/print-selection.ts";
import { saveFile } from "../../data/save-file.ts";
import { readAll } from "../links/link-store.ts";
import { readPrintLogo } from "./code-image.ts";
import { readTemplateDesign } from "./template-store.ts";

/** Creates many codes in the browser, as one file. */

/** Links or rows for which codes are created. */
export type CodeSource =
  | { kind: "label" | "search"; text: string }
  | { kind: "selection" }
  | { kind: "csv"; file: File };

/** Creation in progress. `total` is 0 while links are read. */
export interface ManyRun {
  done: number;
  total: number;
  abort: AbortController;
}

/** Creation in progress, or null. Only one runs at a time. */
export const manyRun = signal<ManyRun | null>(null);
/** Message of the last failure, or null. */
export const manyProblem = signal<string | null>(null);

/** Longest time without letting the page respond. */
const BUSY_MAX_MS = 30;
/** Bytes after which parts are handed over to the browser, which may keep them on disk. */
const BLOB_BYTES = 4_194_304;

/** Creates the file and saves it. */
export async function createCodes(
  source: CodeSource,
  design: DesignInput,
  output: PrintOutput,
): Promise<void> {
  const abort = new AbortController();
  manyProblem.value = null;
  manyRun.value = { done: 0, total: 0, abort };
  try {
    // Loaded here, because they contain the renderer and the CSV library.
    const [{ decodeFile }, { readPrintItems, toPrintItem }, { writeCodes }] = await Promise.all([
      import("../../../client/import/file-text.ts"),
      import("../../../client/print/print-items.ts"),
      import("../../../client/print/write-codes.ts"),
    ]);
    const isCompact = design.compact ?? true;
    const items: PrintItem[] =
      source.kind === "csv"
        ? readPrintItems(decodeFile(new Uint8Array(await source.file.arrayBuffer())), isCompact)
        : (await readLinks(source, abort.signal)).map((link) => toPrintItem(link, isCompact));
    const format = output.kind === "sheets" ? "pdf" : output.format;
    const logo = await readPrintLogo(design, format);
    const templates = await readOwnDesigns(items, format);
    const file = openBlob();
    const pause = createPause(abort.signal);
    await writeCodes({ items, design, templates, output, logo }, file.write, {
      onProgress: (done) => {
        manyRun.value = { done, total: items.length, abort };
      },
      pause,
    });
    const type = output.kind === "sheets" ? "application/pdf" : "application/zip";
    saveFile(output.kind === "sheets" ? "qr-codes.pdf" : "qr-codes.zip", file.finish(type));
    showToast(`Saved ${formatCount(items.length, "QR code")}`);
  } catch (thrown) {
    if (abort.signal.aborted) announce("Stopped");
    else manyProblem.value = describeProblem(thrown);
  }
  manyRun.value = null;
}

/** Reads the designs of links that have a template of their own. Deleted templates are left out. */
async function readOwnDesigns(
  items: readonly PrintItem[],
  format: Format,
): Promise<Map<string, PrintDesign>> {
  const designs = new Map<string, PrintDesign>();
  for (const id of new Set(items.flatMap(({ templateId }) => templateId ?? []))) {
    const design = await readTemplateDesign(id);
    if (design === null) continue;
    designs.set(id, { design, logo: await readPrintLogo(design, format) });
  }
  return designs;
}

/** Stops the creation without saving a file. */
export function stopCodes(): void {
  manyRun.peek()?.abort.abort();
}

async function readLinks(source: Exclude<CodeSource, { kind: "csv" }>, signal: AbortSignal) {
  if (source.kind === "selection") return printSelection.value;
  const links = await readAll({ [source.kind]: source.text }, () => !signal.aborted);
  signal.throwIfAborted();
  return links;
}

/** Errors about the file, the layout or the codes. Their messages say what to change. */
const EXPLAINED = ["PrintError", "SheetError", "ZipTooLargeError", "PrintItemsError", "ImportFormatError"];

function describeProblem(thrown: unknown): string {
  if (thrown instanceof Error && EXPLAINED.includes(thrown.name)) return thrown.message;
  return asFault(thrown).message;
}

/** Collects the parts of a file. */
function openBlob() {
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const flush = () => {
    blobs.push(new Blob(parts));
    parts = [];
    bytes = 0;
  };
  return {
    write(part: Uint8Array) {
      parts.push(part as Uint8Array<ArrayBuffer>);
      bytes += part.length;
      if (bytes >= BLOB_BYTES) flush();
    },
    finish(type: string): Blob {
      flush();
      return new Blob(blobs, { type });
    },
  };
}

/** Returns a function that lets the page respond from time to time, and throws once the signal is aborted. */
function createPause(signal: AbortSignal): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    if (performance.now() - lastMs >= BUSY_MAX_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      lastMs = performance.now();
    }
    signal.throwIfAborted();
  };
}
