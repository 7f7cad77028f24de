import { ingestScans } from "../../../src/analytics/ingest.ts";
import { generateUuidv7 } from "../../../src/core/id.ts";
import { DAY_MS } from "../../../src/core/time.ts";
import type { Window } from "../../../src/counting/window.ts";
import type { ScanFacts } from "../../../src/scans/scan-facts.ts";
import { packWindow, type Scan } from "../../support/scans.ts";
import { drawPoisson, drawRank, drawTraffic, drawVisitor } from "./draws.ts";
import { meterD1 } from "./meter.ts";

/** Traffic of a deployment. */
export interface Shape {
  name: string;
  scansPerDay: number;
  links: number;
  workspaces: number;
  scansPerMessage: number;
  messagesPerBatch: number;
  /** Maximum number of rows written for each scan. */
  rowsGoal: number | null;
}

export const SHAPES: Shape[] = [
  {
    name: "10^6",
    scansPerDay: 1e6,
    links: 1e5,
    workspaces: 1e3,
    scansPerMessage: 1.01,
    messagesPerBatch: 12,
    rowsGoal: 6,
  },
  {
    name: "10^8",
    scansPerDay: 1e8,
    links: 1e7,
    workspaces: 1e5,
    scansPerMessage: 1.4,
    messagesPerBatch: 100,
    rowsGoal: 4,
  },
  {
    name: "10^9",
    scansPerDay: 1e9,
    links: 1e9,
    workspaces: 1e6,
    scansPerMessage: 2.1,
    messagesPerBatch: 100,
    rowsGoal: null,
  },
];

/** Scans that are counted for each shape. */
const SCANS = 20_000;

/** Costs of a scan at a shape. */
export interface ScanCost {
  shape: Shape;
  rowsWritten: number;
  rowsRead: number;
}

/** Counts batches of each shape with the real consumer. The links exist, as they do where they are scanned. */
export async function measureShapes(d1: D1Database): Promise<ScanCost[]> {
  const costs: ScanCost[] = [];
  for (const shape of SHAPES) {
    console.log(`cost: counting ${SCANS} scans in batches as of ${shape.name} a day …`);
    const meter = meterD1(d1);
    let scans = 0;
    let timeMs = Date.now();
    while (scans < SCANS) {
      const { batch, count, linkIds } = drawBatch(shape, timeMs);
      await insertLinks(d1, linkIds);
      await ingestScans(batch, meter.d1, timeMs);
      scans += count;
      timeMs += (count / shape.scansPerDay) * DAY_MS;
    }
    costs.push({
      shape,
      rowsWritten: meter.rowsWritten / scans,
      rowsRead: meter.rowsRead / scans,
    });
  }
  return costs;
}

function drawBatch(shape: Shape, timeMs: number) {
  let count = 0;
  const linkIds = new Set<string>();
  const batchMs = (shape.messagesPerBatch * shape.scansPerMessage * DAY_MS) / shape.scansPerDay;
  const messages = Array.from({ length: shape.messagesPerBatch }, (_, index) => {
    const scans = Array.from({ length: 1 + drawPoisson(shape.scansPerMessage - 1) }, (): Scan => {
      const rank = drawRank(shape.links);
      const linkId = formatId(1, rank);
      linkIds.add(linkId);
      count += 1;
      return {
        workspaceId: formatId(2, rank % shape.workspaces),
        linkId,
        shortCode: "abcdefg",
        destination: "https://example.com/some/page",
        rule: null,
        scannedAtMs: Math.floor(timeMs + (index * batchMs) / shape.messagesPerBatch),
        traffic: drawTraffic(),
        ...drawVisitor(),
      };
    });
    const window = packWindow(scans);
    window.id = generateUuidv7(Math.floor(timeMs + (index * batchMs) / shape.messagesPerBatch));
    return { body: window, attempts: 1, retry: failOnRetry };
  });
  return { batch: asBatch(messages), count, linkIds };
}

export function failOnRetry(): never {
  throw new Error("the batch was not counted");
}

export function asBatch(messages: object[]): MessageBatch<Window<ScanFacts>> {
  return { queue: "scans", messages, ackAll() {} } as unknown as MessageBatch<Window<ScanFacts>>;
}

/** Returns the UUIDv7 of a number. */
export function formatId(kind: number, number: number): string {
  const hex = number.toString(16).padStart(12, "0");
  return `019aa5a8-5d2c-7${kind.toString(16).padStart(3, "0")}-9f6e-${hex}`;
}

/** Inserts the links of a batch that do not exist yet. */
export async function insertLinks(d1: D1Database, linkIds: Iterable<string>): Promise<void> {
  await d1
    .prepare(
      `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host,
                          rule_hosts, labels, routing_rules, created_at, updated_at)
       SELECT value, ?1, value, value, 0, 'https://example.com/', 'example.com', '[]', '[]', '[]', 0, 0
         FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
    )
    .bind(await ensureWorkspace(d1), JSON.stringify([...linkIds]))
    .run();
}

async function ensureWorkspace(d1: D1Database): Promise<string> {
  const id = formatId(3, 0);
  await d1
    .prepare(
      `INSERT INTO workspaces (id, slug, name, plan, created_at) VALUES (?1, 'bench', 'bench', 'enterprise', 0)
       ON CONFLICT DO NOTHING`,
    )
    .bind(id)
    .run();
  return id;
}
