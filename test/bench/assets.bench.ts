import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { freePort, freshFolder, type RunningService, startService } from "../e2e/support/service.ts";

const MEBIBYTE_BYTES = 1_048_576;
const FILE_BYTES = 100 * MEBIBYTE_BYTES;
const AT_ONCE = 4;
/** What one transfer adds must stay far below the file's own size, and a Worker's 128 MB. */
const TARGET_MIB = 50;

interface Upload {
  url: string;
  headers: Record<string, string>;
}

/**
 * Peak memory of the service while files of 100 MiB go through it, after a first one has grown the heaps. The local
 * stand-in for R2 hashes in JavaScript within the same process, and its garbage is counted too: the Worker's own share
 * is less. Reads /proc, so Linux only.
 */
export default async function run(): Promise<void> {
  const folder = freshFolder();
  const service = await startService(folder, await freePort());
  try {
    await transfer(service, FILE_BYTES, 1, () => {});
    const rows = [];
    for (const count of [1, AT_ONCE]) rows.push(...(await measured(service, count)));
    console.log(`Memory that transfers of ${FILE_BYTES / MEBIBYTE_BYTES} MiB add to workerd at its peak`);
    console.table(rows);
    const worst = Math.max(...rows.filter(({ files }) => files === 1).map((row) => row["added MiB"]));
    console.log(`${worst <= TARGET_MIB ? "holds" : "MISSED"}: one file adds at most ${TARGET_MIB} MiB`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Row {
  step: string;
  files: number;
  "added MiB": number;
  "peak MiB": number;
  seconds: number;
}

async function measured(service: RunningService, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  const processes = workerds();
  let before = resetPeaks(processes);
  let startMs = performance.now();
  await transfer(service, FILE_BYTES, count, (step) => {
    const peak = sum(processes, "VmHWM");
    rows.push({
      step,
      files: count,
      "added MiB": Math.round((peak - before) / MEBIBYTE_BYTES),
      "peak MiB": Math.round(peak / MEBIBYTE_BYTES),
      seconds: Number(((performance.now() - startMs) / 1_000).toFixed(1)),
    });
    before = resetPeaks(processes);
    startMs = performance.now();
  });
  return rows;
}

/** Takes files through upload, publication and download, and says when each step is done. */
async function transfer(
  service: RunningService,
  sizeBytes: number,
  count: number,
  onStep: (step: string) => void,
): Promise<void> {
  const body = { filename: "file.bin", mime_type: "application/octet-stream", file_size: sizeBytes };
  const assets = await all(count, () => answerOf(service.call("POST", "/v1/assets/presign", body)));
  await Promise.all(assets.map(({ upload }) => send(upload, sizeBytes)));
  onStep("upload");
  for (const { id } of assets) await answerOf(service.call("POST", `/v1/assets/${id}/confirm`));
  const published = await Promise.all(
    assets.map(({ id }) => answerOf(service.call("POST", `/v1/assets/${id}/publish`))),
  );
  onStep("publish");
  await Promise.all(published.map(({ public_url }) => drain(service.port, new URL(public_url), sizeBytes)));
  onStep("download");
}

function all<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, make));
}

interface Answer {
  id: string;
  public_url: string;
  upload: Upload;
}

async function answerOf(answering: Promise<Response>): Promise<Answer> {
  const response = await answering;
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { data: Answer }).data;
}

/** Uploads that many bytes without ever holding them. */
function send({ url, headers }: Upload, sizeBytes: number): Promise<void> {
  const chunk = Buffer.alloc(MEBIBYTE_BYTES, 7);
  return new Promise((done, fail) => {
    const sent = request(
      url,
      { method: "PUT", headers: { ...headers, "Content-Length": sizeBytes } },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          answer.statusCode === 200 ? done() : fail(new Error(`${answer.statusCode}`)),
        );
      },
    );
    sent.on("error", fail);
    let left = sizeBytes;
    const write = () => {
      while (left > 0) {
        left -= chunk.byteLength;
        if (!sent.write(chunk)) return sent.once("drain", write);
      }
      return sent.end();
    };
    write();
  });
}

function drain(port: number, url: URL, sizeBytes: number): Promise<void> {
  return new Promise((done, fail) => {
    const asked = request({ port, path: url.pathname, headers: { Host: url.host } }, (answer) => {
      let received = 0;
      answer.on("data", (chunk: Buffer) => {
        received += chunk.byteLength;
      });
      answer.on("end", () => (received === sizeBytes ? done() : fail(new Error(`${received} bytes`))));
    });
    asked.on("error", fail);
    asked.end();
  });
}

/** The workerd processes below this one. */
function workerds(): number[] {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
      if (stat.includes("(workerd)")) found.push(pid);
    } catch {
      // It has ended.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return found.filter(isOurs);
}

/** Lets the kernel count peaks anew, and answers with the memory there is now, in bytes. */
function resetPeaks(pids: readonly number[]): number {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return sum(pids, "VmRSS");
}

function sum(pids: readonly number[], field: "VmRSS" | "VmHWM"): number {
  return pids.reduce((total, pid) => {
    const [, kibibytes] =
      new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return total + Number(kibibytes) * 1_024;
  }, 0);
}
