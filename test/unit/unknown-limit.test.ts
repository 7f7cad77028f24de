import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { type UnknownKind, UnknownLimit, UnknownLimitError } from "../../src/limits/unknown-limit.ts";

const NOW_MS = 1_800_000_000_000;

let addressCount = 0;

beforeEach(() => {
  forgetRecurringErrors();
  vi.spyOn(console, "error").mockReturnValue();
  addressCount += 1;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const refuse: RateLimit["limit"] = async () => ({ success: false });

/** Returns the limit of a client in this test's network at a given time. */
function open(nowMs: number, limit = refuse, headers: Record<string, string> = {}, kind?: UnknownKind) {
  const address = { "CF-Connecting-IP": `203.0.113.${addressCount}` };
  return new UnknownLimit({ limit }, new Headers({ ...address, ...headers }), nowMs, kind);
}

/** Makes look-ups that find nothing until the limit refuses one. Returns their number. */
function guess(nowMs: number, headers: Record<string, string> = {}, kind?: UnknownKind): number {
  for (let count = 0; count < 1_000; count++) {
    try {
      open(nowMs, refuse, headers, kind).takeSpare();
    } catch (error) {
      expect(error).toEqual(new UnknownLimitError(1));
      return count;
    }
  }
  throw new Error("the limit refuses nothing");
}

test.each([
  [0, true],
  [9_999, true],
  [10_000, false],
])("%i ms after a network exceeded the limit, it is limited: %s", async (passedMs, isLimited) => {
  await open(NOW_MS).count();
  expect(open(NOW_MS + passedMs).isExceeded).toBe(isLimited);
});

test("a network within the limit uses up no spare look-ups", async () => {
  for (let count = 0; count < 100; count++) open(NOW_MS).takeSpare();
  await open(NOW_MS).count();
  expect(guess(NOW_MS)).toBe(20);
});

test("a client has 20 spare look-ups and 2 more per second, and other clients of its network have theirs", async () => {
  await open(NOW_MS).count();
  expect(guess(NOW_MS)).toBe(20);
  expect([guess(NOW_MS + 499), guess(NOW_MS + 500), guess(NOW_MS + 1_500)]).toEqual([0, 1, 2]);
  for (const name of ["User-Agent", "Accept-Language", "Sec-Fetch-Mode", "Sec-Fetch-Dest"])
    expect(() => open(NOW_MS + 1_500, refuse, { [name]: "other" }).takeSpare()).not.toThrow();
});

test("only the first 200 characters of a header distinguish clients", async () => {
  await open(NOW_MS).count();
  const guessAs = (end: string) => guess(NOW_MS, { "User-Agent": "x".repeat(199) + end });
  expect([guessAs("ab"), guessAs("ac"), guessAs("b")]).toEqual([20, 0, 20]);
});

test("the clients of a network have 40 spare look-ups together and 4 more per second", async () => {
  await open(NOW_MS).count();
  const guessAs = (client: number, nowMs = NOW_MS) => guess(nowMs, { "User-Agent": `agent ${client}` });
  expect([guessAs(1), guessAs(2), guessAs(3)]).toEqual([20, 20, 0]);
  expect([guessAs(3, NOW_MS + 249), guessAs(3, NOW_MS + 1_000), guessAs(4, NOW_MS + 1_000)]).toEqual([
    0, 4, 0,
  ]);
});

test("a spare look-up that finds something is returned", async () => {
  await open(NOW_MS).count();
  for (let count = 0; count < 100; count++) {
    const limit = open(NOW_MS);
    limit.takeSpare();
    limit.returnSpare();
    limit.returnSpare();
  }
  expect(guess(NOW_MS)).toBe(20);
});

test("kinds of look-ups have limits of their own", async () => {
  await open(NOW_MS, refuse, {}, "api key").count();
  expect([open(NOW_MS).isExceeded, open(NOW_MS, refuse, {}, "session").isExceeded]).toEqual([false, false]);
  expect(guess(NOW_MS, {}, "api key")).toBe(20);
});

test("lookUp counts what is not found, and always looks up what was found before", async () => {
  const limit = vi.fn(refuse);
  const lookUp = (key: string, value: string | null) =>
    open(NOW_MS, limit, {}, "bio slug").lookUp(key, async () => value);
  expect(await lookUp("here", "page")).toBe("page");
  expect(limit).not.toHaveBeenCalled();
  expect(await lookUp("unknown", null)).toBeNull();
  expect(limit.mock.calls).toEqual([[{ key: `bio slug 203.0.113.${addressCount}` }]]);
  // A look-up that finds something uses up no spare look-up.
  for (let count = 0; count < 30; count++) expect(await lookUp(`here ${count}`, "page")).toBe("page");
  for (let count = 0; count < 20; count++) expect(await lookUp(`unknown ${count}`, null)).toBeNull();
  expect(limit).toHaveBeenCalledTimes(1);
  await expect(lookUp("unknown 20", null)).rejects.toThrow(UnknownLimitError);
  await expect(lookUp("elsewhere", "page")).rejects.toThrow(UnknownLimitError);
  expect(await lookUp("here", "page")).toBe("page");
  // Once it is gone, it is like any other.
  expect(await lookUp("here", null)).toBeNull();
  await expect(lookUp("here", null)).rejects.toThrow(UnknownLimitError);
});

describe("look-ups at the same time", () => {
  const allow: RateLimit["limit"] = async () => ({ success: true });
  /** Starts look-ups of different keys that never end, and returns the number of those that reach the database. */
  async function start(count: number, nowMs: number, headers = {}, name = (n: number) => `key ${n}`) {
    const read = vi.fn(() => new Promise<null>(() => {}));
    const starts = Array.from({ length: count }, (_, n) => {
      const asking = open(nowMs, allow, headers, "api key").lookUp(name(n), read);
      return Promise.race([asking, Promise.resolve()]).catch(() => {});
    });
    await Promise.all(starts);
    return read.mock.calls.length;
  }

  test("are limited to 60 keys and the spare ones for a network, until ten seconds have passed", async () => {
    expect(await start(200, NOW_MS)).toBe(80);
    expect(await start(30, NOW_MS, { "User-Agent": "neighbour" })).toBe(20);
    expect(guess(NOW_MS + 9_999, { "User-Agent": "another" }, "api key")).toBe(20);
    expect(open(NOW_MS + 10_000, allow, {}, "api key").isExceeded).toBe(false);
    expect(open(NOW_MS, allow, {}, "session").isExceeded).toBe(false);
  });

  test("of one key count once", async () => {
    expect(await start(200, NOW_MS, {}, () => "key")).toBe(200);
  });

  test("count no longer once they have ended, also with an error", async () => {
    const fail = () => Promise.reject(new Error("the database is down"));
    for (let n = 0; n < 100; n++) {
      await open(NOW_MS, allow, {}, "api key").lookUp(`there ${n}`, async () => "value");
      await expect(open(NOW_MS, allow, {}, "api key").lookUp(`key ${n}`, fail)).rejects.toThrow("down");
    }
    expect(await start(60, NOW_MS)).toBe(60);
    expect(await open(NOW_MS, allow, {}, "api key").lookUp("also there", async () => "value")).toBe("value");
    expect(open(NOW_MS, allow, {}, "api key").isExceeded).toBe(true);
  });
});

test("reserve counts a request before it continues, and takes a spare look-up only once", async () => {
  const limit = vi.fn(refuse);
  const first = open(NOW_MS, limit);
  await first.reserve();
  await first.reserve();
  expect(limit).toHaveBeenCalledTimes(1);
  first.returnSpare();
  expect(guess(NOW_MS)).toBe(20);
  await expect(open(NOW_MS, limit).reserve()).rejects.toThrow(UnknownLimitError);
  const within = vi.fn(async () => ({ success: true }));
  for (let n = 0; n < 30; n++) await open(NOW_MS, within, { "CF-Connecting-IP": "192.0.2.1" }).reserve();
  expect(within).toHaveBeenCalledTimes(30);
});

test("a request counts once, and not without an IP address", async () => {
  const limit = vi.fn(async () => ({ success: true }));
  const once = open(NOW_MS, limit);
  await once.count();
  await once.count();
  expect(limit).toHaveBeenCalledTimes(1);
  expect(once.isExceeded).toBe(false);
  const anonymous = new UnknownLimit({ limit }, new Headers(), NOW_MS);
  await anonymous.count();
  expect(limit).toHaveBeenCalledTimes(1);
  expect(anonymous.isExceeded).toBe(false);
  expect(() => anonymous.takeSpare()).not.toThrow();
});

test("a failing binding rejects no request", async () => {
  await open(NOW_MS, () => Promise.reject(new Error("the binding is down"))).count();
  expect(open(NOW_MS).isExceeded).toBe(false);
});

test.each([
  [49, true],
  [51, false],
])(
  "a binding that responds after %i ms limits the network: %s. It times out after 50 ms",
  async (delayMs, isLimited) => {
    vi.useFakeTimers();
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return { success: false };
    };
    const counted = open(NOW_MS, slow).count();
    await vi.advanceTimersByTimeAsync(60);
    await counted;
    expect(open(NOW_MS).isExceeded).toBe(isLimited);
  },
);

describe("memory holds", () => {
  const BYTES_MAX = 500_000;
  /** Bytes of an entry without its value, for a key of this length. */
  const measure = (keyLength: number) => 192 + 24 + 2 * keyLength;
  let used = 0;

  /** Returns a limit for a network that no other test has, with an address of 14 characters. */
  function openNew(): UnknownLimit {
    used += 1;
    const [high, middle, low] = [used / 10_000, used / 100, used].map(
      (part) => 100 + (Math.floor(part) % 100),
    );
    const headers = new Headers({ "CF-Connecting-IP": `10.${high}.${middle}.${low}` });
    return new UnknownLimit({ limit: refuse }, headers, NOW_MS);
  }

  /** Counts look-ups of this many further networks, and returns a limit for the first. */
  async function countNetworks(count: number): Promise<UnknownLimit> {
    const limits = Array.from({ length: count }, openNew);
    for (const limit of limits) await limit.count();
    return limits[0] as UnknownLimit;
  }

  test("as many limited networks as fit into 500,000 bytes", async () => {
    const fitting = Math.floor(BYTES_MAX / (measure(14) + 16));
    await countNetworks(2 * fitting);
    expect((await countNetworks(fitting)).isExceeded).toBe(true);
    await countNetworks(2 * fitting);
    expect((await countNetworks(fitting + 1)).isExceeded).toBe(false);
  });

  test("as many found things as fit into 500,000 bytes", async () => {
    const fitting = Math.floor(BYTES_MAX / (measure("code 100000".length) + 16));
    let found = 100_000;
    const find = async (count: number) => {
      const first = String(found + 1);
      for (let n = 0; n < count; n++) {
        found += 1;
        await openNew().lookUp(String(found), async () => "found");
      }
      return first;
    };
    await open(NOW_MS).count();
    guess(NOW_MS);
    const lookUp = (key: string) => open(NOW_MS).lookUp(key, async () => "found");
    await find(3 * fitting);
    expect(await lookUp(await find(fitting))).toBe("found");
    await find(3 * fitting);
    await expect(lookUp(await find(fitting + 1))).rejects.toThrow(UnknownLimitError);
  });

  test("the spare look-ups of as many clients as fit into 500,000 bytes", async () => {
    // A client has an entry of its own and one of its network.
    const fitting = Math.floor(BYTES_MAX / (measure(14) + measure("10.100.100.100 \n\n\n".length) + 2 * 112));
    /** Takes a spare look-up of this many clients. Returns the limit of the first. */
    const take = async (count: number) => {
      const first = await countNetworks(1);
      first.takeSpare();
      for (let n = 1; n < count; n++) (await countNetworks(1)).takeSpare();
      return first;
    };
    const countLeft = (limit: UnknownLimit) => {
      for (let count = 0; count < 1_000; count++) {
        try {
          limit.takeSpare();
        } catch {
          return count;
        }
      }
      return null;
    };
    await take(2 * fitting);
    expect(countLeft(await take(fitting))).toBe(19);
    await take(2 * fitting);
    expect(countLeft(await take(fitting + 1))).toBe(20);
  });
});
