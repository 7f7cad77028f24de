import { signal } from "@preact/signals";
import { announce, showToast } from "../../components/toast-list.ts";
import { createOfflineFault } from "../../data/call-error.ts";
import { api, asFault, callApi, readFault } from "../../data/calls.ts";
import { saveFile } from "../../data/save-file.ts";
import { LineCounter } from "./export-count.ts";

/** Export of all links that is in progress. */
export interface ExportRun {
  /** Number of links downloaded so far. */
  done: number;
  total: number;
  abort: AbortController;
}

/** Export in progress, or null. Only one runs at a time. */
export const exportRun = signal<ExportRun | null>(null);
/** Error of the last export, or null. */
export const exportFault = signal<unknown>(null);

/** Downloads all links as CSV with progress, and saves the file once it is complete. */
export async function exportLinks(): Promise<void> {
  const run: ExportRun = { done: 0, total: 0, abort: new AbortController() };
  exportFault.value = null;
  exportRun.value = run;
  try {
    run.total = await countLinks();
    const parts = await readParts(run);
    const name = `links-${new Date().toISOString().slice(0, 10)}.csv`;
    saveFile(name, new Blob(parts, { type: "text/csv" }));
    showToast(`Saved ${name}`);
  } catch (thrown) {
    if (run.abort.signal.aborted) announce("Export stopped");
    else exportFault.value = asFault(thrown);
  }
  exportRun.value = null;
}

/** Stops the export without saving a file. */
export function stopExport(): void {
  exportRun.peek()?.abort.abort();
}

async function countLinks(): Promise<number> {
  const query = { limit: 1, archived: "all" } as const;
  return (await callApi(api.GET("/v1/links", { params: { query } }))).meta.total;
}

async function readParts(run: ExportRun): Promise<Uint8Array<ArrayBuffer>[]> {
  const { signal } = run.abort;
  const result = await api.GET("/v1/links/export", { parseAs: "stream", signal }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  const stream = result?.data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const lines = new LineCounter();
  const reader = stream.getReader();
  for (;;) {
    // A response that is cut off has already sent its status, so the read error is reported as offline.
    const { done, value } = await reader.read().catch(() => Promise.reject(createOfflineFault()));
    if (done) return parts;
    parts.push(value);
    lines.add(value);
    exportRun.value = { ...run, done: Math.max(0, lines.count - 1) };
  }
}
