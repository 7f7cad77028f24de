import { CallError, createOfflineFault, parseFault } from "../data/call-error.ts";
import { api, callApi, type Schemas } from "../data/calls.ts";
import type { ReportProgress, UploadJob } from "./upload-queue.ts";

export type Asset = Schemas["Asset"];
type Ticket = Schemas["PresignedAsset"];

/** Minimum remaining validity of an upload URL, so that a large file can be uploaded in time. */
const VALID_MIN_MS = 60_000;

/**
 * Creates the job that uploads a file: requests an upload URL, sends the file and confirms the upload. A
 * retry reuses the URL while the URL is valid. With `isPublished`, the file is published too.
 */
export function createUploadJob(file: File, isPublished: boolean): UploadJob<Asset> {
  let ticket: Ticket | null = null;
  const discard = () => {
    const id = ticket?.id;
    ticket = null;
    // If this fails, the service deletes the asset within a day.
    if (id !== undefined) deleteAsset(id).catch(() => {});
  };
  const run = async (report: ReportProgress, signal: AbortSignal) => {
    if (ticket !== null && Date.parse(ticket.upload.expires_at) - Date.now() < VALID_MIN_MS) discard();
    const presigned = ticket ?? (await presign(file));
    if (signal.aborted) {
      deleteAsset(presigned.id).catch(() => {});
      throw new DOMException("Aborted", "AbortError");
    }
    ticket = presigned;
    const fault = await sendFile(presigned.upload, file, report, signal);
    // ASSET_ALREADY_UPLOADED means that an earlier attempt succeeded, but its response was lost.
    if (fault !== null && fault.code !== "ASSET_ALREADY_UPLOADED") throw fault;
    report(file.size, true);
    try {
      const confirmed = await confirmUpload(presigned.id);
      return isPublished ? await publishAsset(presigned.id) : confirmed;
    } catch (thrown) {
      // The API rejects a file whose type doesn't match its name. The next attempt starts from the beginning.
      if (thrown instanceof CallError && thrown.kind === "invalid") discard();
      throw thrown;
    }
  };
  return { run, discard };
}

async function presign(file: File): Promise<Ticket> {
  const body = {
    filename: file.name,
    mime_type: file.type || "application/octet-stream",
    file_size: file.size,
  };
  const header = { "Idempotency-Key": crypto.randomUUID() };
  const { data } = await callApi(api.POST("/v1/assets/presign", { params: { header }, body }));
  return data;
}

async function confirmUpload(id: string): Promise<Asset> {
  const params = { path: { asset_id: id } };
  return (await callApi(api.POST("/v1/assets/{asset_id}/confirm", { params }))).data;
}

/** Publishes an asset on the CDN. */
export async function publishAsset(id: string): Promise<Asset> {
  const params = { path: { asset_id: id } };
  return (await callApi(api.POST("/v1/assets/{asset_id}/publish", { params }))).data;
}

/** Deletes an asset on the service. `isLeaving` lets the call continue after the page is closed. */
export async function deleteAsset(id: string, isLeaving = false): Promise<void> {
  const params = { path: { asset_id: id } };
  await callApi(api.DELETE("/v1/assets/{asset_id}", { params, keepalive: isLeaving }));
}

/**
 * Sends a file to its upload URL. Returns the fault of the response, or null. Uses XMLHttpRequest, because
 * `fetch` doesn't report upload progress.
 */
function sendFile(
  { method, url, headers }: Ticket["upload"],
  file: File,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<CallError | null> {
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  return new Promise<CallError | null>((resolve, reject) => {
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => report(Math.min(loaded, file.size), loaded >= file.size);
    request.onload = () => resolve(readUploadFault(request));
    request.onerror = () => resolve(createOfflineFault());
    request.onabort = () => reject(new DOMException("Aborted", "AbortError"));
    signal.addEventListener("abort", stop);
    request.send(file);
  }).finally(() => signal.removeEventListener("abort", stop));
}

function readUploadFault(request: XMLHttpRequest): CallError | null {
  const { status } = request;
  if (status >= 200 && status < 300) return null;
  return parseFault({
    status,
    body: parseJson(request.responseText),
    retryAfter: request.getResponseHeader("Retry-After"),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
