import { EventEmitter } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { linkLifetimes, type Service, waitUntilReady } from "../../src/cli/local-service.ts";

/** Tests how long `npm run dev` waits for its service, with a fake clock. */

describe("the local service", () => {
  /** Links a fake service to this process. Returns the signals it gets and a function that sends a signal. */
  function follow() {
    vi.useFakeTimers();
    vi.stubEnv("npm_lifecycle_event", undefined);
    const handlers = new Map<string | symbol, () => void>();
    const signals: unknown[] = [];
    const exits: unknown[] = [];
    const spies = [
      vi.spyOn(process, "on").mockImplementation((name, handler) => {
        handlers.set(name, handler as () => void);
        return process;
      }),
      vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
        signals.push([pid, signal]);
        return true;
      }),
      vi.spyOn(process, "exit").mockImplementation(((code: number) => void exits.push(code)) as never),
      vi.spyOn(console, "log").mockReturnValue(),
      vi.spyOn(console, "error").mockReturnValue(),
    ];
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
      vi.unstubAllEnvs();
      vi.useRealTimers();
    });
    const child = Object.assign(new EventEmitter(), { pid: 4_242 });
    linkLifetimes({ process: child, output: ["its output\n"], showOutput: () => {} } as unknown as Service);
    return { signals, exits, child, interrupt: () => handlers.get("SIGINT")?.() };
  }

  test("stops 4.5 seconds after a signal, once all scans are counted, and is killed 5 seconds later", async () => {
    const { signals, exits, child, interrupt } = follow();
    interrupt();
    await vi.advanceTimersByTimeAsync(4_499);
    expect(signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals).toEqual([[-4_242, "SIGTERM"]]);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(signals).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals.at(-1)).toEqual([-4_242, "SIGKILL"]);
    child.emit("exit");
    expect(exits).toEqual([0]);
  });

  test("stops immediately after a second signal, but ignores npm's copy of the first within half a second", async () => {
    const { signals, interrupt } = follow();
    interrupt();
    await vi.advanceTimersByTimeAsync(500);
    interrupt();
    expect(signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    interrupt();
    expect(signals).toEqual([[-4_242, "SIGTERM"]]);
  });

  test("makes this process fail if it stops by itself", () => {
    const { exits, child } = follow();
    child.emit("exit");
    expect(exits).toEqual([1]);
  });

  test("has two minutes to respond", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => Promise.reject(new Error("refused")));
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    });
    let outcome = "waits";
    waitUntilReady("http://localhost:1", { output: ["why"] } as unknown as Service).catch((error: Error) => {
      outcome = error.message;
    });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(outcome).toBe("waits");
    await vi.advanceTimersByTimeAsync(200);
    expect(outcome).toBe("the service did not respond in time:\nwhy");
  });
});
