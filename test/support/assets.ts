import type * as z from "zod";
import { assetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import { expectData, send, type TestWorkspace } from "./harness.ts";

export type PresignedAsset = z.output<typeof presignResponse>;
export type Upload = PresignedAsset["upload"];

interface FileFacts {
  filename?: string;
  mime_type?: string;
  file_size?: number;
  tags?: string[];
}

export const TEXT = new TextEncoder().encode("a file of a test");

/** A pending asset for a file of these bytes. */
export async function presign(
  workspace: TestWorkspace,
  bytes: Uint8Array = TEXT,
  facts: FileFacts = {},
): Promise<PresignedAsset> {
  const body = { filename: "notes.txt", mime_type: "text/plain", file_size: bytes.byteLength, ...facts };
  const response = await workspace.call("POST", "/v1/assets/presign", { body });
  return (await expectData(response, presignResponse, 201)).data;
}

/** Uploads bytes as `presign` said. */
export function put(upload: Upload, body: BodyInit = TEXT, headers: HeadersInit = upload.headers) {
  return send(new Request(upload.url, { method: upload.method, headers, body }));
}

/** An asset whose file is uploaded and confirmed. */
export async function confirmedAsset(workspace: TestWorkspace, bytes: Uint8Array = TEXT, facts?: FileFacts) {
  const asset = await presign(workspace, bytes, facts);
  await put(asset.upload, bytes);
  const response = await workspace.call("POST", `/v1/assets/${asset.id}/confirm`);
  return (await expectData(response, assetResponse)).data;
}

/** The CDN address of a published asset. */
export async function publishedUrl(
  workspace: TestWorkspace,
  bytes: Uint8Array = TEXT,
  facts?: FileFacts,
): Promise<{ id: string; url: string }> {
  const { id } = await confirmedAsset(workspace, bytes, facts);
  const response = await workspace.call("POST", `/v1/assets/${id}/publish`);
  const { data } = await expectData(response, assetResponse);
  return { id, url: data.public_url as string };
}

/** Asks the CDN. */
export function read(url: string, init?: RequestInit): Promise<Response> {
  return send(new Request(url, init));
}
