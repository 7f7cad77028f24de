import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { ScanRequest } from "../../src/guards/scan-gate.ts";
import { eraseLinks } from "../../src/links/link-writes.ts";
import { createLink, newWorkspace, workerEnv } from "../support/harness.ts";

/** Tests of the object that counts the scans of a limited link. */

function getGate(linkId: string) {
  return workerEnv.SCAN_GATE.getByName(linkId);
}

function buildRequest(linkId: string, change: Partial<ScanRequest> = {}): ScanRequest {
  const scanId = crypto.randomUUID();
  return { scanId, workspaceId: "w", linkId, scansMax: 3, updatedAtMs: 1, scansCounted: 0, ...change };
}

/** Requests scans one after another and returns the results. */
async function takeScans(linkId: string, count: number, change: Partial<ScanRequest> = {}) {
  const verdicts: boolean[] = [];
  for (let n = 0; n < count; n++)
    verdicts.push((await getGate(linkId).take(buildRequest(linkId, change))).isTaken);
  return verdicts;
}

afterEach(() => void vi.restoreAllMocks());

function readAlarm(linkId: string): Promise<number | null> {
  return runInDurableObject(getGate(linkId), (_, { storage }) => storage.getAlarm());
}

function countKeys(linkId: string): Promise<number> {
  return runInDurableObject(getGate(linkId), (_, { storage }) => [...storage.kv.list()].length);
}

test("the gate allows as many scans as the limit, even after an eviction", async () => {
  const id = generateUuidv7(Date.now());
  expect(await takeScans(id, 2)).toEqual([true, true]);
  await evictDurableObject(getGate(id));
  expect(await takeScans(id, 3)).toEqual([true, false, false]);
  expect(await getGate(id).count()).toBe(3);
});

test("a repeated call counts as the same scan, even after an eviction", async () => {
  const id = generateUuidv7(Date.now());
  const visit = buildRequest(id);
  expect(await getGate(id).take(visit)).toEqual({ isTaken: true, taken: 1 });
  await evictDurableObject(getGate(id));
  expect(await getGate(id).take(visit)).toEqual({ isTaken: true, taken: 1 });
  await takeScans(id, 2);
  expect(await getGate(id).take(visit)).toEqual({ isTaken: true, taken: 3 });
  expect(await takeScans(id, 1)).toEqual([false]);
});

test("scans counted without the gate reduce the remaining scans", async () => {
  const id = generateUuidv7(Date.now());
  expect(await takeScans(id, 2, { scansCounted: 2 })).toEqual([true, false]);
  const other = generateUuidv7(Date.now());
  expect(await takeScans(other, 1)).toEqual([true]);
  expect(await takeScans(other, 1, { scansCounted: 3 })).toEqual([false]);
});

test("the limit of the link's latest state applies, even if a caller still has an older state", async () => {
  const id = generateUuidv7(Date.now());
  expect(await takeScans(id, 4)).toEqual([true, true, true, false]);
  expect(await takeScans(id, 2, { scansMax: 4, updatedAtMs: 2 })).toEqual([true, false]);
  expect(await takeScans(id, 1, { scansMax: 100, updatedAtMs: 1 })).toEqual([false]);
  expect(await takeScans(id, 1, { scansMax: 6, updatedAtMs: 3 })).toEqual([true]);
  expect(await takeScans(id, 1, { scansMax: 4, updatedAtMs: 2 })).toEqual([true]);
});

test("the gate of a deleted link allows no scan until the link is restored, and deletes its data at its alarm", async () => {
  const id = generateUuidv7(Date.now());
  await takeScans(id, 1, { updatedAtMs: 5 });
  await getGate(id).close(5);
  expect(await takeScans(id, 1, { updatedAtMs: 5 })).toEqual([false]);
  expect(await takeScans(id, 1, { updatedAtMs: 6, scansMax: 2 })).toEqual([true]);
  expect(await takeScans(id, 1, { updatedAtMs: 5 })).toEqual([false]);
  await getGate(id).close(6);
  expect(await runDurableObjectAlarm(getGate(id))).toBe(true);
  expect(await countKeys(id)).toBe(0);
});

test("a gate's alarm keeps the data of limited links and deletes all other data", async () => {
  const workspace = await newWorkspace();
  const limited = await createLink(workspace);
  const unlimited = await createLink(workspace);
  await workspace.shard.prepare("UPDATE links SET max_scans = 3 WHERE id = ?").bind(limited.id).run();
  const unknown = { ...limited, id: generateUuidv7(Date.now()) };
  const kept: number[] = [];
  for (const { id } of [limited, unlimited, unknown]) {
    await takeScans(id, 1, { workspaceId: workspace.id });
    expect(await runDurableObjectAlarm(getGate(id))).toBe(true);
    kept.push(await countKeys(id));
  }
  expect(kept).toEqual([1, 0, 0]);
  expect(await takeScans(limited.id, 3, { workspaceId: workspace.id })).toEqual([true, true, false]);
});

test("an erased workspace closes the gates of its links before it deletes the links", async () => {
  const workspace = await newWorkspace();
  const limited: string[] = [];
  for (let n = 0; n < 7; n++) limited.push((await createLink(workspace, { max_scans: 2 })).id);
  await createLink(workspace);
  for (const id of limited) await takeScans(id, 1, { workspaceId: workspace.id });
  const db = openDatabase(workspace.shard);
  const steps: number[] = [];
  do steps.push(await eraseLinks(db, workerEnv.SCAN_GATE, workspace.id));
  while (steps.at(-1) !== 0);
  expect(steps).toEqual([5, 2, 1, 0]);
  for (const id of limited) expect(await takeScans(id, 1, { workspaceId: workspace.id })).toEqual([false]);
});

test("the limit of a later state also applies after a visit that it rejected", async () => {
  const id = generateUuidv7(Date.now());
  await takeScans(id, 2);
  expect(await takeScans(id, 1, { scansMax: 2, updatedAtMs: 9 })).toEqual([false]);
  expect(await takeScans(id, 1, { scansMax: 100, updatedAtMs: 8 })).toEqual([false]);
});

test("the last 512 scans are recognized when their calls are repeated", async () => {
  const id = generateUuidv7(Date.now());
  const oldest = buildRequest(id, { scansMax: 1_000 });
  await getGate(id).take(oldest);
  await runInDurableObject(getGate(id), (_, { storage }) => {
    const state = storage.kv.get<{ recent: string[] }>("gate");
    const others = Array.from({ length: 510 }, (_, index) => `scan ${index}`);
    storage.kv.put("gate", { ...state, recent: [...others, oldest.scanId] });
  });
  expect(await takeScans(id, 1, { scansMax: 1_000 })).toEqual([true]);
  expect(await getGate(id).take(oldest)).toEqual({ isTaken: true, taken: 2 });
  expect(await takeScans(id, 1, { scansMax: 1_000 })).toEqual([true]);
  expect(await getGate(id).take(oldest)).toEqual({ isTaken: true, taken: 4 });
});

test("a gate checks its link every 30 days, and an hour after it was closed or a check failed", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { max_scans: 3 });
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const take = () => takeScans(id, 1, { workspaceId: workspace.id });
  await take();
  expect(await readAlarm(id)).toBe(nowMs + 30 * DAY_MS);
  vi.mocked(Date.now).mockReturnValue(nowMs + HOUR_MS);
  await take();
  expect(await readAlarm(id)).toBe(nowMs + 30 * DAY_MS);
  expect(await runDurableObjectAlarm(getGate(id))).toBe(true);
  expect(await readAlarm(id)).toBe(nowMs + HOUR_MS + 30 * DAY_MS);
  const log = vi.spyOn(console, "error").mockReturnValue();
  await runInDurableObject(getGate(id), (gate) => {
    Object.assign(gate, { env: {} });
  });
  expect(await runDurableObjectAlarm(getGate(id))).toBe(true);
  expect(log).toHaveBeenCalledOnce();
  expect(await readAlarm(id)).toBe(nowMs + 2 * HOUR_MS);
  expect(await countKeys(id)).toBe(1);
  vi.mocked(Date.now).mockReturnValue(nowMs + 5 * HOUR_MS);
  await getGate(id).close(1);
  expect(await readAlarm(id)).toBe(nowMs + 6 * HOUR_MS);
});

test("a closed gate deletes its data even if its link still has a limit", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { max_scans: 3 });
  await takeScans(id, 1, { workspaceId: workspace.id });
  await getGate(id).close(Number.MAX_SAFE_INTEGER);
  expect(await runDurableObjectAlarm(getGate(id))).toBe(true);
  expect(await countKeys(id)).toBe(0);
});
