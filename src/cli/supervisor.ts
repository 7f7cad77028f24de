import { spawn } from "node:child_process";

/**
 * Runs a command. When the standard input of this process closes, kills the process group that contains
 * this process and the command. The input closes when the parent process exits, even after SIGKILL.
 * Otherwise, killing `npm run dev` would leave the service running on its port.
 */
const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

process.stdin.resume();
process.stdin.on("end", () => process.kill(-process.pid, "SIGKILL"));
// Ignores signals, because the command receives them too. This process exits when the command exits.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
