import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Trips } from "../../support/counting.ts";
import { buildWorker, type Runtime, removeBuild } from "./runtime.ts";
import { HOST, seedWorkspace } from "./seed.ts";
import { startCountingWorker } from "./trips.ts";

const LINKS = 40;
const DEADLINE_MS = 60_000;

/** Storage accesses of one unit of work. */
export interface CallCost {
  work: string;
  rowsWritten: number;
  rowsRead: number;
  durableObject: number;
  queueOperations: number;
}

/**
 * Measures API calls and webhook deliveries on the real Worker, with a receiver that responds immediately.
 */
export async function measureCalls(): Promise<CallCost[]> {
  const build = buildWorker();
  const receiver = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      received += 1;
      response.end();
    });
  });
  let received = 0;
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const runtime = await startCountingWorker(build);
  try {
    const { keys } = await seedWorkspace(runtime);
    const call = createCaller(runtime, keys);
    // A key's first call on a day writes its last use, which must not be measured.
    for (const _ of keys) await call("GET", "/v1/workspace");
    const first = await call("POST", "/v1/links", { url: "https://example.com/0" });
    const links = await callOften(LINKS, (n) =>
      call("POST", "/v1/links", { url: `https://example.com/${n}` }),
    );
    const id = (first.body as { data: { id: string } }).data.id;
    const reads = await callOften(LINKS, () => call("GET", `/v1/links/${id}`));

    const changes = await callOften(LINKS, (n) => call("PATCH", `/v1/links/${id}`, { title: `Title ${n}` }));

    const { port } = receiver.address() as AddressInfo;
    await call("POST", "/v1/webhooks", { url: `http://127.0.0.1:${port}/`, events: ["link.created"] });
    const told = await callOften(LINKS, (n) =>
      call("POST", "/v1/links", { url: `https://example.com/t${n}` }),
    );
    const deadlineMs = Date.now() + DEADLINE_MS;
    while (received < LINKS && Date.now() < deadlineMs) await sleep(200);
    await sleep(1_000);
    const { consumed } = await call("GET", `/v1/links/${id}`);
    const deliveries = consumed["signpost-deliveries"];
    const perDelivery = (name: "rowsWritten" | "rowsRead" | "durableObject") =>
      (told[name] - links[name] + (deliveries?.[name] ?? 0) / Math.max(1, received)) as number;
    return [
      { work: "created link, with its entry in the audit log", ...links, queueOperations: 0 },
      { work: "changed link, with its entry in the audit log", ...changes, queueOperations: 0 },
      { work: "GET of a link", ...reads, queueOperations: 0 },
      {
        work: `webhook delivery (${received} measured), without its later deletion`,
        rowsWritten: perDelivery("rowsWritten"),
        rowsRead: perDelivery("rowsRead"),
        durableObject: perDelivery("durableObject"),
        queueOperations: 3,
      },
    ];
  } finally {
    receiver.close();
    await runtime.stop();
    removeBuild(build);
  }
}

function createCaller({ port }: Runtime, keys: readonly string[]) {
  let calls = 0;
  return async (method: string, path: string, body?: object) => {
    calls += 1;
    const response = await fetch(`http://${HOST}:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${keys[calls % keys.length]}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return {
      body: JSON.parse(text) as unknown,
      trips: JSON.parse(response.headers.get("X-Trips") ?? "{}") as Trips,
      consumed: JSON.parse(response.headers.get("X-Consumed") ?? "{}") as Record<string, Trips>,
    };
  };
}

/** Makes calls one by one. Returns the means of their storage accesses. */
async function callOften(count: number, makeCall: (n: number) => Promise<{ trips: Trips }>) {
  const sum = { rowsWritten: 0, rowsRead: 0, durableObject: 0 };
  for (let n = 0; n < count; n++) {
    const { trips } = await makeCall(n);
    sum.rowsWritten += trips.rowsWritten / count;
    sum.rowsRead += trips.rowsRead / count;
    sum.durableObject += trips.durableObject / count;
  }
  return sum;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
