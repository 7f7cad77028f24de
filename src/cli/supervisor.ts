import { spawn } from "node:child_process";

/**
 * Runs a command in a process group of its own and ends the whole group as soon as its own standard input ends: that
 * is, when whoever started it dies, even by SIGKILL. Without it a killed `npm run dev` would leave the service behind,
 * holding the port.
 */
const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

process.stdin.resume();
process.stdin.on("end", () => process.kill(-process.pid, "SIGKILL"));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
