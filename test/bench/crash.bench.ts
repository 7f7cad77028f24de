import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sleep } from "../../src/core/timeout.ts";
import {
  createStartFolder,
  createWorld,
  HOST,
  launch,
  query,
  type Running,
  readWorkerdPid,
  sendOnce,
  stop,
} from "./support/one-machine.ts";

/**
 * Kills `npm start` five times under load, alternating between Node and workerd, and starts it again. Then compares what
 * clients were promised with what is there: links with their records of the audit log, webhook events, and scans.
 */

const KILLS = 5;
const LOAD_MS = 8_000;
const WRITERS = 2;
const VISITORS = 4;
const PAUSE_MS = 10;
/** Time before a kill whose scans may be lost: a window of a second, and the time to store it. */
const WINDOW_MS = 1_300;
const SETTLE_MS = 60_000;

export default async function run(): Promise<void> {
  const { folder, envFile } = createStartFolder();
  appendFileSync(envFile, "\nALLOW_LOOPBACK=true\n");
  const received = new Set<string>();
  const receiver = createServer(async (message, response) => {
    const chunks = await message.toArray();
    const event = JSON.parse(Buffer.concat(chunks).toString()) as { data: { short_code: string } };
    received.add(event.data.short_code);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");

  const start = () => launch("start", join(folder, "state"), "--env-file", envFile);
  let own = await start();
  const world = await createWorld(own, HOST);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await sendOnce(own.port, world.formatCall("POST", "/v1/webhooks", { url, events: ["link.created"] }), 201);

  const created: string[] = [];
  const visits: number[] = [];
  const atRisk: number[] = [];
  for (let round = 1; round <= KILLS; round++) {
    const isNode = round % 2 === 1;
    const killedAtMs = await loadAndKill(own, world.key, created, visits, isNode);
    atRisk.push(visits.filter((atMs) => atMs > killedAtMs - WINDOW_MS).length);
    own = await start();
    console.log(
      `${round}: killed ${isNode ? "Node" : "workerd"}, ready again in ${Math.round(own.readyMs)} ms`,
    );
  }

  const codes = new Set(await readCodes(own));
  const endsAtMs = Date.now() + SETTLE_MS;
  const countMissing = () => [...codes].filter((code) => !received.has(code)).length;
  while (Date.now() < endsAtMs && countMissing() > 0) await sleep(200);
  await stop(own);
  receiver.close();
  const [counts] = await query<{ scans: number; records: number }>(
    own,
    `SELECT (SELECT scan_count FROM links WHERE short_code = 'bench') AS scans,
            (SELECT count(*) FROM audit_log WHERE operation = 'createLink') AS records`,
  );
  const scans = counts?.scans ?? 0;
  const lostLinks = created.filter((code) => !codes.has(code)).length;
  const sum = atRisk.reduce((total, count) => total + count, 0);
  console.table({
    links: { promised: created.length, lost: lostLinks },
    "audit log": { promised: codes.size + 1, lost: codes.size + 1 - (counts?.records ?? 0) },
    "webhook events": { promised: codes.size, lost: countMissing() },
    scans: { promised: visits.length, lost: visits.length - scans },
  });
  console.log(`Scans of the last ${WINDOW_MS} ms before each kill, which may be lost: ${sum}.`);
  if (lostLinks > 0 || countMissing() > 0 || visits.length - scans > sum) process.exitCode = 1;
}

/** Sends requests, kills the service after a while, and waits until both processes have ended. Returns the time of the kill. */
async function loadAndKill(
  own: Running,
  key: string,
  created: string[],
  visits: number[],
  isNode: boolean,
): Promise<number> {
  const { port, child, ended } = own;
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  const repeat = async (send: () => Promise<void>) => {
    while (!isOver) {
      await send().catch(() => {});
      await sleep(PAUSE_MS);
    }
  };
  const write = async () => {
    const code = `code-${Math.random().toString(36).slice(2)}`;
    const body = JSON.stringify({ url: "https://example.com/", custom_slug: code });
    const headers = { Host: HOST, Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const status = await send({ port, agent, path: "/v1/links", method: "POST", headers }, body);
    if (status === 201) created.push(code);
  };
  const visit = async () => {
    const headers = { Host: `bench.${HOST}`, "User-Agent": "Mozilla/5.0 Chrome/130.0" };
    if ((await send({ port, agent, path: "/bench", headers })) === 302) visits.push(Date.now());
  };
  const loads = [...Array(WRITERS).fill(write), ...Array(VISITORS).fill(visit)].map(repeat);
  await sleep(LOAD_MS);
  const pid = isNode ? (child.pid as number) : readWorkerdPid(own);
  const killedAtMs = Date.now();
  process.kill(pid, "SIGKILL");
  isOver = true;
  await Promise.all([...loads, ended]);
  agent.destroy();
  return killedAtMs;
}

/** Sends a request and returns the status of its response. */
function send(options: Parameters<typeof request>[1] & object, body = ""): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", ...options }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    })
      .once("error", reject)
      .end(body);
  });
}

/** Reads the short codes of all links that the load created. */
async function readCodes(own: Running): Promise<string[]> {
  const rows = await query<{ short_code: string }>(
    own,
    "SELECT short_code FROM links WHERE short_code <> 'bench'",
  );
  return rows.map(({ short_code }) => short_code);
}
