import { api, callApi, getWorkspaceHeader, type Schemas } from "../../data/calls.ts";
import type { PagedList } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";

/** API keys of the workspace: reads, creates, rotates and revokes them. */

export type Key = Schemas["Key"];
export type MadeKey = Schemas["MadeKey"];
export type NewKey = Schemas["NewKey"];

export const KEYS_KEY = "keys";

export async function readKeys(): Promise<PagedList<Key>> {
  return {
    items: (await callApi(api.GET("/v1/keys", { params: { header: getWorkspaceHeader() } }))).data,
    nextBefore: null,
  };
}

/** Creates a key. Repeating the call with the same idempotency key is safe: it returns the first response. */
export async function createKey(body: NewKey, idempotencyKey: string): Promise<MadeKey> {
  const header = { ...getWorkspaceHeader(), "Idempotency-Key": idempotencyKey };
  const { data } = await callApi(api.POST("/v1/keys", { params: { header }, body }));
  await reread();
  return data;
}

/** Replaces a key; name, scopes and expiry stay the same. The old key works until the overlap ends. */
export async function rotateKey(id: string, overlapHours: number, idempotencyKey: string): Promise<MadeKey> {
  const header = { ...getWorkspaceHeader(), "Idempotency-Key": idempotencyKey };
  const params = { path: { key_id: id }, header };
  const body = { overlap_hours: overlapHours };
  const { data } = await callApi(api.POST("/v1/keys/{key_id}/rotate", { params, body }));
  await reread();
  return data;
}

/** Revokes a key immediately. */
export async function revokeKey(id: string): Promise<void> {
  const params = { path: { key_id: id }, header: getWorkspaceHeader() };
  await callApi(api.DELETE("/v1/keys/{key_id}", { params }));
  await reread();
}

function reread(): Promise<void> {
  return resources.read(KEYS_KEY, readKeys);
}
