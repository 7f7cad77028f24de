import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { ExportLease } from "../../src/limits/export-lease.ts";
import { WorkspaceLimiter } from "../../src/limits/limiter.ts";

/** The lease by which one export of a workspace runs at a time. */

const NOW_MS = 1_800_000_000_000;
const LEASE_MS = 30_000;

let clock: MockInstance<typeof Date.now>;
let limiters: DurableObjectNamespace<WorkspaceLimiter>;

beforeEach(() => {
  clock = vi.spyOn(Date, "now").mockReturnValue(NOW_MS);
  const values = new Map<string, unknown>();
  const kv = {
    get: (key: string) => values.get(key),
    put: (key: string, value: unknown) => void values.set(key, value),
    delete: (key: string) => values.delete(key),
  };
  const limiter = new WorkspaceLimiter({ storage: { kv } } as unknown as DurableObjectState, {} as never);
  limiters = { getByName: () => limiter } as unknown as DurableObjectNamespace<WorkspaceLimiter>;
});
afterEach(() => void vi.restoreAllMocks());

const take = (requestId: string) =>
  ExportLease.take(limiters, { workspace: { id: "w" } as never, requestId });

test.each([
  [0, "30"],
  [LEASE_MS - 1_001, "2"],
  [LEASE_MS - 1_000, "1"],
  [LEASE_MS - 1, "1"],
  [LEASE_MS, undefined],
])(
  "%i ms after an export that neither ended nor was extended, another has to wait for %s s",
  async (passedMs, wait) => {
    await take("one");
    clock.mockReturnValue(NOW_MS + passedMs);
    const refused = await take("two").then(
      () => undefined,
      (error) => [error.code, error.headers["Retry-After"]],
    );
    expect(refused).toEqual(wait && ["EXPORT_IN_PROGRESS", wait]);
  },
);

test("an export may start again with its id, and another one after its end", async () => {
  const one = await take("one");
  await take("one");
  await one.end();
  const two = await take("two");
  // The end of an earlier export doesn't end the running one.
  await one.end();
  await expect(take("three")).rejects.toMatchObject({ code: "EXPORT_IN_PROGRESS" });
  await two.end();
  await take("three");
});

test("an export is extended after a third of its lease, and fails if another one has started", async () => {
  const one = await take("one");
  clock.mockReturnValue(NOW_MS + LEASE_MS / 3 - 1);
  await one.extend();
  clock.mockReturnValue(NOW_MS + LEASE_MS - 1);
  await expect(take("two")).rejects.toMatchObject({ headers: { "Retry-After": "1" } });
  clock.mockReturnValue(NOW_MS + LEASE_MS);
  const two = await take("two");
  await expect(one.extend()).rejects.toThrow("another one has started");
  clock.mockReturnValue(NOW_MS + LEASE_MS + LEASE_MS / 3);
  await two.extend();
  clock.mockReturnValue(NOW_MS + 2 * LEASE_MS);
  await expect(take("three")).rejects.toMatchObject({ headers: { "Retry-After": "10" } });
});
