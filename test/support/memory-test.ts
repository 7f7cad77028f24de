import { createBatch, createContext, getObject, reset as resetStorage, settle } from "./memory-bindings.ts";

/** Replaces the module `cloudflare:test` in tests of the Worker that run in Node. */

export const createMessageBatch = createBatch;
export const getQueueResult = async ({ result }: ReturnType<typeof createBatch>) => result;
export const createExecutionContext = createContext;
export const waitOnExecutionContext = settle;
export const evictDurableObject = async (stub: object) => getObject(stub).evict();

export async function runInDurableObject<Result>(
  stub: object,
  run: (object: object, state: object) => Result,
): Promise<Result> {
  const { storage, load, evict } = getObject(stub);
  return run(await load(), { storage, abort: evict });
}

/** Runs the alarm of a Durable Object now. Returns false if none is set. */
export async function runDurableObjectAlarm(stub: object): Promise<boolean> {
  const { storage, load } = getObject(stub);
  if ((await storage.getAlarm()) === null) return false;
  await storage.deleteAlarm();
  await ((await load()) as DurableObject).alarm?.();
  return true;
}

export const reset = async () => resetStorage();
/** The databases have their tables from the start. */
export const applyD1Migrations = async () => {};
