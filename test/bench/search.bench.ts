import { compareNeighbours } from "./support/neighbours.ts";
import { buildWorker, type Runtime, removeBuild } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";
import { startCountingWorker } from "./support/trips.ts";

/**
 * Benchmark of searches in a workspace with 300,000 links. Measures the rows read, and how much four
 * connections that search without a pause slow down uncached redirects of another workspace. Four connections
 * saturate the single thread of a local workerd with any API call, so the table also compares with the first
 * page of all links.
 */

const LINKS = 300_000;
const OTHER_LINKS = 20_000;
const OTHER_HOST = "other.localhost";
const REQUESTS = 300;
const CONNECTIONS = 4;
const RATIO_MAX = 1.5;
const ROWS_READ_MAX = 5_000;

const UNFILTERED = "all links";

/** Queries by name. The first is the baseline. */
const QUERIES: [string, string][] = [
  [UNFILTERED, "/v1/links"],
  ["text of every link", "search=https"],
  ["start of every code", "search=li"],
  ["text of one link", "search=/299999"],
  ["a whole destination", "search=https://example.com/123456"],
  ["text of no link", "search=zebra"],
  ["frequent terms, never together", "search=e.com/1e.com/2"],
  ["text and label", "search=https&label=rare"],
  ["text and state that no link has", "search=https&enabled=false"],
  ["label", "label=common"],
];

export default async function run(): Promise<void> {
  const build = buildWorker();
  const runtime = await startCountingWorker(build);
  try {
    const { workspaceId, keys } = await seedWorkspace(runtime);
    await seedLinks(runtime, workspaceId, "link", LINKS);
    const other = await seedWorkspace(runtime, { slug: "other", host: OTHER_HOST });
    await seedLinks(runtime, other.workspaceId, "cold", OTHER_LINKS);
    let cold = 0;
    let pageMs = Number.NaN;
    const rows: Record<string, object> = {};
    for (const [name, query] of QUERIES) {
      const path = query.startsWith("/") ? query : `/v1/links?${query}`;
      const rowsRead = await countRowsRead(runtime, path, keys[0] ?? "");
      const { aloneMs, besideMs, ratio, load } = await compareNeighbours(runtime, {
        makeRequest: () => `GET /cold-${cold++} HTTP/1.1\r\nHost: ${OTHER_HOST}\r\n\r\n`,
        requests: REQUESTS,
        status: 302,
        makeLoad: (n) =>
          `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${keys[n % keys.length]}\r\n\r\n`,
        connections: CONNECTIONS,
      });
      if (name === UNFILTERED) pageMs = besideMs.p50;
      rows[name] = {
        "rows read": rowsRead,
        "search p50, ms": load.p50.toFixed(1),
        "searches/s": load.perSecond.toFixed(0),
        "redirect alone, ms": aloneMs.p50.toFixed(1),
        "beside searches, ms": besideMs.p50.toFixed(1),
        ratio: ratio.toFixed(2),
        "ratio to a page of all": (besideMs.p50 / pageMs).toFixed(2),
        "rows target": rowsRead <= ROWS_READ_MAX ? "met" : "missed",
        "ratio target": ratio <= RATIO_MAX ? "met" : "missed",
      };
    }
    console.log(`\nlists of ${LINKS} links, and uncached redirects of another workspace`);
    console.table(rows);
  } finally {
    await runtime.stop();
    removeBuild(build);
  }
}

async function countRowsRead({ port }: Runtime, path: string, key: string): Promise<number> {
  const response = await fetch(`http://${HOST}:${port}${path}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return JSON.parse(response.headers.get("X-Trips") ?? "{}").rowsRead;
}
