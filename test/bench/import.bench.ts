import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildWorker, openShard, type Runtime, removeBuild, startSignpost } from "./support/runtime.ts";
import { HOST, SHARD, seedWorkspace } from "./support/seed.ts";

/**
 * Benchmark of `signpost import` with 50,000 rows, one in ten without a short code. The command is killed
 * with SIGKILL three times and then repeated until it finishes. In the end no link may be missing or exist
 * twice.
 */

const ROWS = 50_000;
/** Number of links in the database at which the command is killed. */
const KILL_AT = [5_000, 20_000, 35_000];
const SECONDS_MAX = 300;
const LOOK_MS = 250;
const COMMAND = resolve(import.meta.dirname, "../../src/client/cli/signpost.ts");

export default async function run(): Promise<void> {
  const build = buildWorker();
  const folder = mkdtempSync(join(tmpdir(), "signpost-import-"));
  const runtime = await startSignpost(build);
  try {
    const { workspaceId, keys } = await seedWorkspace(runtime);
    const file = join(folder, "links.csv");
    writeFileSync(file, buildCsv());
    const [name, key] = ["SIGNPOST_KEY", keys[0] ?? ""];
    const environment = { ...process.env, SIGNPOST_API_URL: `http://${HOST}:${runtime.port}`, [name]: key };
    const importFile = () => startImport(file, join(folder, "report.json"), environment);
    const startedMs = Date.now();
    const killed: number[] = [];
    for (const count of KILL_AT) killed.push(await killAt(runtime, workspaceId, count, importFile()));
    const output = await waitForEnd(importFile());
    const seconds = (Date.now() - startedMs) / 1_000;
    const { links, destinations } = await countLinks(runtime, workspaceId);
    const repeatedMs = Date.now();
    const repeated = await waitForEnd(importFile());
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as { state: string }[];
    console.log(`\nimport of ${ROWS} rows, killed when ${killed.join(", ")} links were there`);
    console.table({
      "seconds in all": seconds.toFixed(0),
      links,
      destinations,
      "last run": output,
      "one more run": repeated,
      "seconds of that": ((Date.now() - repeatedMs) / 1_000).toFixed(0),
      "rows in its report": report.filter(({ state }) => state === "exists").length,
      "nothing twice, nothing missing": links === ROWS && destinations === ROWS ? "met" : "missed",
      target: seconds <= SECONDS_MAX ? "met" : "missed",
    });
  } finally {
    await runtime.stop();
    removeBuild(build);
    rmSync(folder, { recursive: true });
  }
}

function buildCsv(): string {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const slug = index % 10 === 0 ? "" : `Imported-${index}`;
    return `https://example.com/page/${index}?utm_source=old,${slug},Page ${index},print;${index % 7},2024-05-01T12:00:00Z`;
  });
  return `url,custom_slug,title,labels,created_at\n${lines.join("\n")}\n`;
}

function startImport(file: string, report: string, env: NodeJS.ProcessEnv): ChildProcess {
  const words = [COMMAND, "import", file, "--from", "csv", "--report", report];
  return spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
}

/** Kills the command once the workspace has `count` links. Returns the number of links after that. */
async function killAt(
  runtime: Runtime,
  workspaceId: string,
  count: number,
  child: ChildProcess,
): Promise<number> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while ((await countLinks(runtime, workspaceId)).links < count) {
    if (child.exitCode !== null)
      throw new Error(`the import ended with ${child.exitCode} before it was killed`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  child.kill("SIGKILL");
  await ended;
  return (await countLinks(runtime, workspaceId)).links;
}

/** Waits for the command to exit. Returns its output. */
async function waitForEnd(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return output.trim();
}

async function countLinks(
  runtime: Runtime,
  workspaceId: string,
): Promise<{ links: number; destinations: number }> {
  const shard = await openShard(runtime, SHARD);
  const counted = await shard
    .prepare(
      "SELECT count(*) AS links, count(DISTINCT destination) AS destinations FROM links WHERE workspace_id = ?",
    )
    .bind(workspaceId)
    .first<{ links: number; destinations: number }>();
  return counted ?? { links: 0, destinations: 0 };
}
