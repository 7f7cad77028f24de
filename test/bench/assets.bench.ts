import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { createTempFolder, findFreePort, type RunningService, startService } from "../e2e/support/service.ts";

const MEBIBYTE_BYTES = 1_048_576;
const FILE_BYTES = 100 * MEBIBYTE_BYTES;
const AT_ONCE = 4;
/** Maximum memory that one transfer may add: far less than the file size and a Worker's 128 MB. */
const TARGET_MIB = 50;

interface Upload {
  url: string;
  headers: Record<string, string>;
}

/**
 * Benchmark of peak memory during transfers of 100 MiB files, after a first transfer has grown the heaps.
 * Includes the memory of the local R2 simulator, which runs in the same process and computes hashes in
 * JavaScript. Requires Linux (/proc).
 */
export default async function run(): Promise<void> {
  const folder = createTempFolder();
  const service = await startService(folder, await findFreePort());
  try {
    await transfer(service, FILE_BYTES, 1, () => {});
    const rows = [];
    for (const count of [1, AT_ONCE]) rows.push(...(await measure(service, count)));
    console.log(`Memory that transfers of ${FILE_BYTES / MEBIBYTE_BYTES} MiB add to the peak of workerd`);
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

async function measure(service: RunningService, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  const processes = listWorkerdProcesses();
  let before = resetPeaks(processes);
  let startMs = performance.now();
  await transfer(service, FILE_BYTES, count, (step) => {
    const peak = sumMemory(processes, "VmHWM");
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

/** Uploads, publishes and downloads files. Calls `onStep` after each step. */
async function transfer(
  service: RunningService,
  sizeBytes: number,
  count: number,
  onStep: (step: string) => void,
): Promise<void> {
  const body = { filename: "file.bin", mime_type: "application/octet-stream", file_size: sizeBytes };
  const assets = await repeat(count, () => readAsset(service.call("POST", "/v1/assets/presign", body)));
  await Promise.all(assets.map(({ upload }) => sendFile(upload, sizeBytes)));
  onStep("upload");
  for (const { id } of assets) await readAsset(service.call("POST", `/v1/assets/${id}/confirm`));
  const published = await Promise.all(
    assets.map(({ id }) => readAsset(service.call("POST", `/v1/assets/${id}/publish`))),
  );
  onStep("publish");
  await Promise.all(
    published.map(({ public_url }) => downloadFile(service.port, new URL(public_url), sizeBytes)),
  );
  onStep("download");
}

function repeat<Value>(count: number, run: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, run));
}

interface Asset {
  id: string;
  public_url: string;
  upload: Upload;
}

async function readAsset(responding: Promise<Response>): Promise<Asset> {
  const response = await responding;
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { data: Asset }).data;
}

/** Uploads a file of the given size, sending the same chunk of memory again and again. */
function sendFile({ url, headers }: Upload, sizeBytes: number): Promise<void> {
  const chunk = Buffer.alloc(MEBIBYTE_BYTES, 7);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "PUT", headers: { ...headers, "Content-Length": sizeBytes } },
      (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        );
      },
    );
    sent.on("error", reject);
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

/** Downloads a file and discards its bytes. Rejects if the size is wrong. */
function downloadFile(port: number, url: URL, sizeBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: url.pathname, headers: { Host: url.host } }, (response) => {
      let received = 0;
      response.on("data", (chunk: Buffer) => {
        received += chunk.byteLength;
      });
      response.on("end", () => (received === sizeBytes ? resolve() : reject(new Error(`${received} bytes`))));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Returns the ids of the workerd processes that descend from this process. */
function listWorkerdProcesses(): number[] {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
      if (stat.includes("(workerd)")) found.push(pid);
    } catch {
      // The process has ended.
    }
  }
  const isDescendant = (pid: number): boolean =>
    pid === process.pid || (pid > 1 && isDescendant(parents.get(pid) ?? 0));
  return found.filter(isDescendant);
}

/**
 * Resets the peak memory that the kernel recorded for each process. Returns their current memory in bytes.
 */
function resetPeaks(pids: readonly number[]): number {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return sumMemory(pids, "VmRSS");
}

/** Adds up a field of `/proc/PID/status` over processes, in bytes. */
function sumMemory(pids: readonly number[], field: "VmRSS" | "VmHWM"): number {
  return pids.reduce((total, pid) => {
    const [, kibibytes] =
      new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return total + Number(kibibytes) * 1_024;
  }, 0);
}
