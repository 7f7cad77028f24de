import { join } from "node:path";
import { vi } from "vitest";

const CLI = join(import.meta.dirname, "../../../src/cli");

let runCount = 0;

/** Stops a program where it calls `process.exit`. */
class ExitError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/**
 * Runs a command of `src/cli` with arguments in this process, because starting Node would cost a second.
 * Returns its exit status and output.
 */
export async function runProgram(command: "dev" | "admin" | "deploy", ...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const write = (stream: keyof typeof printed) => (text: unknown) => {
    printed[stream] += text;
    return true;
  };
  const print = (stream: keyof typeof printed) => (text: unknown) => void write(stream)(`${text}\n`);
  const { argv } = process;
  process.argv = [process.execPath, join(CLI, `${command}.ts`), ...args];
  const spies = [
    vi.spyOn(console, "log").mockImplementation(print("stdout")),
    vi.spyOn(console, "error").mockImplementation(print("stderr")),
    vi.spyOn(process.stdout, "write").mockImplementation(write("stdout")),
    vi.spyOn(process.stderr, "write").mockImplementation(write("stderr")),
    vi.spyOn(process, "exit").mockImplementation((status) => {
      throw new ExitError(Number(status));
    }),
  ];
  try {
    runCount += 1;
    // Another query evaluates the file again, but not its imports.
    await import(/* @vite-ignore */ `${CLI}/${command}.ts?run=${runCount}`);
    return { status: 0, ...printed };
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { status: error.status, ...printed };
  } finally {
    process.argv = argv;
    for (const spy of spies) spy.mockRestore();
  }
}
