import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Order, Verdict } from "./run-tests.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** Time after which tests hang. A mutant that makes them hang is noticed. */
const TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 60_000;

/** Runs tests in a copy of the tree, in a child process that is replaced when tests hang or end it. */
export class TestSession {
  readonly #copy: TreeCopy;
  readonly #changed = new Set<string>();
  #child: ChildProcess | undefined;

  constructor(copy: TreeCopy) {
    this.#copy = copy;
  }

  /** Notes that a file is not as it was when tests ran last. */
  markChanged(file: string): void {
    this.#changed.add(file);
  }

  async run(tests: readonly string[]): Promise<Verdict> {
    const child = await this.#start();
    child.send({ changed: [...this.#changed], tests } satisfies Order);
    this.#changed.clear();
    const verdict = await receive<Verdict>(child, TIMEOUT_MS);
    if (verdict !== undefined) return verdict;
    this.stop();
    return { outcome: "failed", failures: ["the tests hung or ended their process"] };
  }

  /** Ends the child with all processes that it started. */
  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  async #start(): Promise<ChildProcess> {
    if (this.#child !== undefined) return this.#child;
    const script = join(this.#copy.path, "test/mutants/tool/run-tests.ts");
    // A group of its own, so that the runtimes of the tests end with it.
    const child = fork(script, {
      cwd: this.#copy.path,
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    if ((await receive(child, START_TIMEOUT_MS)) === undefined) throw new Error("vitest did not start");
    return child;
  }
}

/** Returns the next message of a child, or undefined if it ends or sends none in time. */
async function receive<Message>(child: ChildProcess, timeoutMs: number): Promise<Message | undefined> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), timeoutMs);
  const { signal } = waiting;
  try {
    const [message] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(() => []),
    ]);
    return message as Message | undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}
