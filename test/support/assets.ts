import type * as z from "zod";
import { assetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import { expectData, send, type TestWorkspace } from "./harness.ts";

export type PresignedAsset = z.output<typeof presignResponse>;
export type Upload = PresignedAsset["upload"];

interface FileFields {
  filename?: string;
  mime_type?: string;
  file_size?: number;
  tags?: string[];
}

export const TEXT = new TextEncoder().encode("a file of a test");

/** Creates a pending asset for a file with these bytes. */
export async function presignAsset(
  workspace: TestWorkspace,
  bytes: Uint8Array = TEXT,
  fields: FileFields = {},
): Promise<PresignedAsset> {
  const body = { filename: "notes.txt", mime_type: "text/plain", file_size: bytes.byteLength, ...fields };
  const response = await workspace.call("POST", "/v1/assets/presign", { body });
  return (await expectData(response, presignResponse, 201)).data;
}

/** Uploads a file to the upload URL of a presigned asset. */
export function uploadFile(upload: Upload, body: BodyInit = TEXT, headers: HeadersInit = upload.headers) {
  return send(new Request(upload.url, { method: upload.method, headers, body }));
}

/** Creates an asset whose upload is confirmed. */
export async function createConfirmedAsset(
  workspace: TestWorkspace,
  bytes: Uint8Array = TEXT,
  fields?: FileFields,
) {
  const asset = await presignAsset(workspace, bytes, fields);
  await uploadFile(asset.upload, bytes);
  const response = await workspace.call("POST", `/v1/assets/${asset.id}/confirm`);
  return (await expectData(response, assetResponse)).data;
}

/** Creates a published asset and returns its id and CDN URL. */
export async function createPublishedAsset(
  workspace: TestWorkspace,
  bytes: Uint8Array = TEXT,
  fields?: FileFields,
): Promise<{ id: string; url: string }> {
  const { id } = await createConfirmedAsset(workspace, bytes, fields);
  const response = await workspace.call("POST", `/v1/assets/${id}/publish`);
  const { data } = await expectData(response, assetResponse);
  return { id, url: data.public_url as string };
}

/** Requests a file from the CDN. */
export function fetchFile(url: string, init?: RequestInit): Promise<Response> {
  return send(new Request(url, init));
}
