import { spawn } from "node:child_process";

/**
 * Runs a command and kills its own process group as soon as its standard input ends. That happens when the
 * process that started it ends, even by SIGKILL. Otherwise a killed `npm run dev` would leave the service
 * running on its port.
 */
const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

process.stdin.resume();
process.stdin.on("end", () => process.kill(-process.pid, "SIGKILL"));
// The command receives the signals of the group too, and its exit ends this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
