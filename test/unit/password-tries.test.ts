import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PasswordTries, type TryOrigin } from "../../src/limits/password-tries.ts";

/** Limits of tries on one link in one moment. `test/worker/password-tries` tests their course of time. */

const START_MS = 1_800_000_000_000;

let tries: PasswordTries;
let count = 0;

beforeEach(() => {
  vi.spyOn(Date, "now").mockReturnValue(START_MS);
  const values = new Map<string, unknown>();
  const kv = {
    get: (key: string) => values.get(key),
    put: (key: string, value: unknown) => void values.set(key, value),
  };
  const storage = { kv, setAlarm: async () => {} };
  tries = new PasswordTries({ storage } as unknown as DurableObjectState, {} as never);
});
afterEach(() => void vi.restoreAllMocks());

const from = (client: string, network = "n", site = "s", provider = "p"): TryOrigin => ({
  client: `${site} ${network} ${client}`,
  network: `${site} ${network}`,
  site,
  provider,
});

/** Tries until a try is refused. Returns how many were allowed. */
async function tryAll(isRight: boolean, origin: TryOrigin): Promise<number> {
  for (let allowed = 0; allowed < 200; allowed++) {
    count += 1;
    if (!(await tries.take(String(count), origin)).isAllowed) return allowed;
    tries.settle(String(count), isRight);
  }
  return 200;
}

test("right tries are limited to 40 for a client and 120 for its network", async () => {
  const counts: number[] = [];
  for (const client of ["a", "b", "c", "d"]) counts.push(await tryAll(true, from(client)));
  expect([...counts, await tryAll(true, from("a", "other"))]).toEqual([40, 40, 40, 0, 40]);
});

test("wrong tries are limited to 10 for a client, 30 for its network and 60 for its site", async () => {
  const counts: number[] = [];
  for (const network of ["n1", "n2", "n3"]) {
    for (const client of ["a", "b", "c", "d"]) counts.push(await tryAll(false, from(client, network)));
  }
  expect(counts).toEqual([10, 10, 10, 0, 10, 10, 10, 0, 0, 0, 0, 0]);
});

test("wrong tries are limited to 300 for a provider, beside 3 for each site of another one", async () => {
  const counts: number[] = [];
  for (let site = 0; site < 80; site++) counts.push(await tryAll(false, from("c", "n", `s${site}`)));
  expect(counts.slice(0, 10)).toEqual(Array(10).fill(10));
  expect(counts.slice(10, 76)).toEqual(Array(66).fill(3));
  expect(counts.slice(76)).toEqual([2, 0, 0, 0]);
  expect(await tryAll(false, from("c", "n", "s", "other"))).toBe(3);
});

test("a site beyond its 3 tries waits until fewer than 100 tries of all sites are left", async () => {
  const at = (passedMs: number) => void vi.mocked(Date.now).mockReturnValue(START_MS + passedMs);
  for (let n = 0; n < 100; n++) {
    at(200 * n);
    expect((await tries.take(`early ${n}`, from("c", "n", `s${n % 10}`))).isAllowed).toBe(true);
    tries.settle(`early ${n}`, false);
  }
  at(30_000);
  expect(await tryAll(false, from("c", "n", "late"))).toBe(3);
  // The first four of 103 tries have to expire. The fourth was made after 600 ms.
  const verdict = await tries.take("fourth", from("c", "n", "late"));
  expect(verdict).toEqual({ isAllowed: false, retryAfterMs: 30_600 });
});
