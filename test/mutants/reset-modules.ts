import { inject, vi } from "vitest";

/** Forgets the loaded modules when the runner wants them to run again. */
const memory = globalThis as { generation?: number };
const generation: number = inject("generation" as never);
if (memory.generation !== generation) vi.resetModules();
memory.generation = generation;

// A test that a mutant makes wait for ever fails before Stryker gives up and starts its process again.
if (inject("mode" as never) === "mutant") vi.setConfig({ testTimeout: 10_000 });
