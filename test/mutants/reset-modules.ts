import { inject, vi } from "vitest";

/** Forgets the loaded modules when the runner wants them to run again. */
const memory = globalThis as { generation?: number };
const generation: number = inject("generation" as never);
if (memory.generation !== generation) vi.resetModules();
memory.generation = generation;
