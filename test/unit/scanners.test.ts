import { describe, expect, test } from "vitest";
import { SCANNER_AGENTS, SCANNER_NETWORKS } from "../../src/routing/scanners.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";
import { LinkBursts } from "../../src/scans/link-bursts.ts";
import recorded from "../fixtures/visitors.json" with { type: "json" };

/**
 * Recorded request, with the public source of the record. Of 24 browsers, it has all headers; of the others, only the
 * user agent. Scanners that are known by their network have the headers of a current Chrome.
 */
interface Recorded {
  name: string;
  source: string;
  headers: Record<string, string>;
  /** True if the record lacks the headers that the engine sends over https according to {@link ENGINES}. */
  isPartial?: boolean;
  address?: string;
  asn?: number;
}

const { browsers, scanners } = recorded as unknown as { browsers: Recorded[]; scanners: Recorded[] };
const FETCH_HEADERS = {
  "Sec-Fetch-Site": "none",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
};

/** Replays a recorded request over https. */
function replay({ headers, isPartial, address, asn }: Omit<Recorded, "name" | "source">): RequestVisitor {
  const sent = new Headers({ ...(isPartial && FETCH_HEADERS), ...headers });
  sent.set("CF-Connecting-IP", address ?? "203.0.113.7");
  return new RequestVisitor(sent, new URL("https://go.example/x"), { asn });
}

describe("of recorded requests", () => {
  test("there are 75 browsers, 24 of them with all headers, and 36 scanners, each once and with a source", () => {
    const complete = browsers.filter(({ headers }) => Object.keys(headers).length > 1);
    // The guide has these numbers.
    expect([browsers.length, complete.length, scanners.length]).toEqual([75, 24, 36]);
    for (const { source } of [...browsers, ...scanners, ...SCANNER_AGENTS, ...SCANNER_NETWORKS])
      expect(source).toMatch(/^https:\/\//);
    const names = [...browsers, ...scanners].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("fewer than 1 % of the browsers are taken for programs or not recognized", () => {
    const misjudged = browsers
      .map((browser) => ({ name: browser.name, visitor: replay(browser) }))
      .filter(({ visitor }) => visitor.traffic !== "human" || !visitor.isBrowser)
      .map(({ name }) => name);
    expect(misjudged).toEqual([]);
  });

  test.each(scanners.map((scanner) => [scanner.name, scanner] as const))("%s is no person", (_, scanner) => {
    expect(["scanner", "bot", "preview"]).toContain(replay(scanner).traffic);
  });
});

const CHROME = browsers.find(({ name }) => name.startsWith("chrome 150")) as Recorded;
const { "user-agent": USER_AGENT = "" } = CHROME.headers;

test.each<[string, Partial<Recorded>, string, string]>([
  [
    "a current browser without fetch metadata",
    { headers: { "user-agent": USER_AGENT } },
    "https:",
    "scanner",
  ],
  ["the same over plain http", { headers: { "user-agent": USER_AGENT } }, "http:", "human"],
  ["a program", { headers: { "user-agent": "curl/8.7.1" } }, "https:", "human"],
  ["no user agent", { headers: {} }, "https:", "human"],
  ["the address before a block", { address: "40.91.255.255" }, "https:", "human"],
  ["the first address of a block", { address: "40.92.0.0" }, "https:", "scanner"],
  ["the last address of a block", { address: "40.93.255.255" }, "https:", "scanner"],
  ["the address after a block", { address: "40.95.0.0" }, "https:", "human"],
  ["an IPv6 block", { address: "2a01:111:f403::1" }, "https:", "scanner"],
  ["another IPv6 address", { address: "2a01:111:f404::1" }, "https:", "human"],
  ["no address", { address: "x" }, "https:", "human"],
  ["an autonomous system without scanners", { asn: 3_320 }, "https:", "human"],
])("%s", (_, changes, protocol, traffic) => {
  const { headers, address, asn } = { ...CHROME, ...changes };
  const sent = new Headers({ ...headers, ...(address && { "CF-Connecting-IP": address }) });
  expect(new RequestVisitor(sent, new URL(`${protocol}//go.example/x`), { asn }).traffic).toBe(traffic);
});

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  {
    name: "an iPhone",
    agent: `Mozilla/5.0 (iPhone; CPU iPhone OS <version> like Mac OS X) ${WEBKIT} Mobile/15E148`,
    before: ["15_6", "16_3"],
    since: ["16_4", "16_10"],
  },
  {
    name: "Chrome",
    agent:
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/<version> Mobile Safari/537.36",
    before: ["75.9"],
    since: ["76.0"],
  },
  {
    name: "Firefox",
    agent: "Mozilla/5.0 (X11; Linux x86_64; rv:<version>) Gecko/20100101 Firefox/<version>",
    before: ["89.9"],
    since: ["90.0", "100.0"],
  },
  {
    name: "Safari on a Mac",
    agent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/<version> Safari/605.1.15`,
    before: ["16.3"],
    since: ["16.4", "16.10", "17.0"],
  },
])("$name without fetch metadata is a scanner in versions that send it", ({ agent, before, since }) => {
  const judge = (version: string) =>
    replay({ headers: { "user-agent": agent.replaceAll("<version>", version) } }).traffic;
  expect(before.map(judge)).toEqual(before.map(() => "human"));
  expect(since.map(judge)).toEqual(since.map(() => "scanner"));
});

describe("LinkBursts", () => {
  /** Visits links one after another and returns the visits that were part of a burst. */
  function visit(
    bursts: LinkBursts,
    links: string[],
    stepMs: number,
    workspace = "w",
    network = "n",
  ): number[] {
    return links.flatMap((link, index) =>
      bursts.isBurst(workspace, network, link, index * stepMs) ? [index] : [],
    );
  }
  const LINKS = Array.from({ length: 20 }, (_, index) => `link ${index}`);

  test("finds the eighth link within ten seconds, and those after it", () => {
    expect(visit(new LinkBursts(), LINKS.slice(0, 10), 1_000)).toEqual([7, 8, 9]);
    expect(visit(new LinkBursts(), LINKS.slice(0, 10), 1_430)).toEqual([]);
  });

  test("finds no burst if many visitors behind one address open the same seven links", () => {
    const visits = Array.from({ length: 500 }, (_, index) => LINKS[index % 7] as string);
    expect(visit(new LinkBursts(), visits, 1)).toEqual([]);
  });

  test("counts each workspace and address alone", () => {
    const bursts = new LinkBursts();
    expect(visit(bursts, LINKS.slice(0, 7), 1)).toEqual([]);
    expect(visit(bursts, LINKS.slice(7, 14), 1, "other")).toEqual([]);
    expect(visit(bursts, LINKS.slice(7, 14), 1, "w", "other")).toEqual([]);
    expect(visit(bursts, [LINKS[7] as string], 1)).toEqual([0]);
  });

  test("ends with the window", () => {
    const bursts = new LinkBursts();
    for (const link of LINKS.slice(0, 8)) bursts.isBurst("w", "n", link, 0);
    expect(bursts.isBurst("w", "n", "a", 9_999)).toBe(true);
    expect(bursts.isBurst("w", "n", "b", 10_000)).toBe(false);
  });

  test("remembers at most 5,000 addresses", () => {
    const bursts = new LinkBursts();
    for (let n = 0; n < 6_000; n++) bursts.isBurst("w", `n${n}`, "a", 0);
    expect(bursts.size).toBe(5_000);
  });
});
