import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { runLoad } from "./load.ts";
import { COMPATIBILITY_DATE, listModules } from "./runtime.ts";

/** Path of the workerd that Miniflare starts. */
const { default: WORKERD } = createRequire(createRequire(import.meta.url).resolve("miniflare"))("workerd");

/** Fields of workerd's configuration by type of module. */
const FIELDS: Record<string, string> = {
  ESModule: "esModule",
  CompiledWasm: "wasm",
  Text: "text",
  Data: "data",
};

/** Times from the start of a workerd process to its first response, in milliseconds. */
export interface StartTimes {
  elapsedMs: number;
  /** CPU time of all threads. */
  cpuMs: number;
}

/**
 * Writes the configuration of a process without bindings and Miniflare, which runs `code` beside the modules in
 * `folder`. Without `isCompiled`, the modules are plain data: the process reads the same files, and compiles only
 * `code`. Returns the path of the configuration, which is in the same folder.
 */
export function writeProcessConfig(
  folder: string,
  name: string,
  code: string,
  { isCompiled }: { isCompiled: boolean },
): string {
  const others = listModules(folder).map(({ type, path }) => {
    const name = JSON.stringify(basename(path));
    return `(name = ${name}, ${isCompiled ? FIELDS[type] : "data"} = embed ${name})`;
  });
  const modules = [`(name = "start", esModule = ${JSON.stringify(code)})`, ...others];
  const path = join(folder, `${name}.capnp`);
  writeFileSync(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (compatibilityDate = "${COMPATIBILITY_DATE}", modules = [${modules}]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`,
  );
  return path;
}

/** Starts a process, sends it one request, which must get a 302, and kills it. workerd compiles all modules at start. */
export async function timeProcessStart(config: string): Promise<StartTimes> {
  const startMs = performance.now();
  const child = spawn(WORKERD, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  try {
    const [line] = await Promise.race([
      once(child.stdio[3] as Readable, "data"),
      once(child, "exit").then(() => Promise.reject(new Error("workerd did not start"))),
    ]);
    const { port } = JSON.parse(String(line));
    const { statuses } = await runLoad(port, 1, 1, () => "GET /link HTTP/1.1\r\nHost: localhost\r\n\r\n");
    if (!statuses.has(302)) throw new Error(`expected 302, got ${[...statuses.keys()]}`);
    return { elapsedMs: performance.now() - startMs, cpuMs: readCpuMs(child.pid as number) };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Returns the CPU time of a process's threads. Reads /proc, which only Linux has. */
function readCpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
    return sum + Number(nanoseconds) / 1_000_000;
  }, 0);
}
