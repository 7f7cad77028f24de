import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchOptions } from "./run.ts";
import { type LoadResult, percentile, runLoad } from "./support/load.ts";
import {
  createStartFolder,
  createWorld,
  HOST,
  launch,
  type Running,
  sendOnce,
  stop,
} from "./support/one-machine.ts";

/**
 * Benchmark of commands beside `npm start`: one client creates links and another one visits a link, for two minutes
 * (`--minutes N`) without commands, then for as long while all commands run one after another. During both commands and
 * requests, the clients' workspace is moved to the other shard.
 */

const MINUTES = 2;
const MINUTE_MS = 60_000;
/** Requests a second of each client. */
const WRITES_PER_SECOND = 30;
const VISITS_PER_SECOND = 100;
/** Short code of a link that nothing visits, because commands ban it. */
const BANNED_CODE = "banned";
/** Longest request beside commands. */
const TARGET_MS = 250;
/** Statuses that clients may get. */
const EXPECTED = [201, 302, 429, 503];

export default async function run({ minutes = String(MINUTES) }: BenchOptions): Promise<void> {
  const { folder, envFile } = createStartFolder();
  const own = await launch("start", join(folder, "state"), "--env-file", envFile);
  try {
    const { formatCall, visit } = await createWorld(own, HOST);
    const url = "https://example.com/";
    await sendOnce(own.port, formatCall("POST", "/v1/links", { url, custom_slug: BANNED_CODE }), 201);
    const write = () => formatCall("POST", "/v1/links", { url });
    const load = (signal: AbortSignal) =>
      Promise.all([
        runLoad(own.port, Number.POSITIVE_INFINITY, 1, write, signal, WRITES_PER_SECOND),
        runLoad(own.port, Number.POSITIVE_INFINITY, 1, () => visit, signal, VISITS_PER_SECOND),
      ]);
    const lastMs = Number(minutes) * MINUTE_MS;
    const alone = await load(AbortSignal.timeout(lastMs));
    const signal = AbortSignal.timeout(lastMs);
    const [beside, count] = await Promise.all([load(signal), runCommands(own, folder, signal)]);
    console.table({
      "writes alone": summarize(alone[0]),
      "writes beside commands": summarize(beside[0]),
      "visits alone": summarize(alone[1]),
      "visits beside commands": summarize(beside[1]),
    });
    const statuses = new Set([...alone, ...beside].flatMap((result) => [...result.statuses.keys()]));
    const others = [...statuses].filter((status) => !EXPECTED.includes(status));
    console.log(`${count} commands. Unexpected statuses: ${others.join(", ") || "none"} (target: none).`);
    const longestMs = Math.max(...beside.map(({ latenciesMs }) => latenciesMs.at(-1) ?? 0));
    console.log(
      `Longest request beside commands: ${Math.round(longestMs)} ms (target: at most ${TARGET_MS}).`,
    );
  } finally {
    await stop(own);
  }
}

function summarize({ latenciesMs, statuses }: LoadResult): Record<string, number | string> {
  const round = (share: number) => Math.round(percentile(latenciesMs, share));
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  return { responses: counts, "p50, ms": round(0.5), "p99, ms": round(0.99), "longest, ms": round(1) };
}

/** Runs all commands one after another until `signal` is aborted, beside a move. Returns their number. */
async function runCommands({ stateFolder }: Running, folder: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  const admin = async (line: string) => {
    const args = ["src/cli/admin.ts", "--persist-to", stateFolder, "--json", ...line.split(" ")];
    const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
    count += 1;
    return stdout;
  };
  const moving = admin("workspace move bench --shard 1");
  const looping = (async () => {
    for (let n = 0; ; n++) {
      const [slug, file] = [`other${n}`, join(folder, String(n))];
      await admin(`workspace create --slug ${slug} --name Other --plan pro`);
      const { key } = JSON.parse(await admin(`key create --workspace ${slug}`)) as { key: string };
      const rotated = JSON.parse(await admin(`key rotate ${key}`)) as { key: string };
      const created = JSON.parse(await admin(`scim-token create ${slug}`)) as { token: string };
      const member = `--workspace ${slug} --email member@example.com`;
      const link = `http://bench.${HOST}/${BANNED_CODE}`;
      for (const line of [
        ...["status", "log", "shard list", "scans cost", "workspace list", "link list-banned"],
        ...["dead-letters list scans", "dead-letters replay scans", "name list", "destination list"],
        ...[`domain add ${slug} ${slug}.test`, `domain list ${slug}`, `domain remove ${slug} ${slug}.test`],
        ...[`key list ${slug}`, `key revoke ${rotated.key}`],
        ...[`scim-token list ${slug}`, `scim-token revoke ${created.token}`],
        ...[`member add ${member} --name Member`, `member list ${slug}`, `sign-in-link ${member}`],
        ...[`member set-role ${member} --role viewer`, `member remove ${member}`],
        ...[`name reserve ${slug}.example`, `name release ${slug}.example`],
        ...["destination block blocked.example", "destination unblock blocked.example"],
        ...[`link ban ${link}`, `link unban ${link}`],
        ...[`workspace set-plan ${slug} free`, `workspace suspend ${slug}`, `workspace resume ${slug}`],
        ...[`backup create ${file}.backup`, `workspace export ${slug} ${file}`],
        ...[`workspace delete ${slug} --yes`],
      ])
        await admin(line);
    }
  })();
  await Promise.all([moving, looping]).catch((error) => {
    if (!signal.aborted) throw error;
  });
  return count;
}
