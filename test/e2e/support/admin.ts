import { afterAll } from "vitest";
import { buildAdmin } from "../../../src/cli/commands.ts";
import { closeDatabases } from "../../../src/cli/local-databases.ts";
import { readSettings, readShards } from "../../../src/cli/settings.ts";
import { StateFolder } from "../../../src/cli/state.ts";

/** Returns a function that runs an admin command in this process. Starting a separate process takes seconds. */
export function useAdmin(service: { readonly stateFolder: string }) {
  afterAll(closeDatabases);
  return async function admin<Result>(...args: string[]): Promise<Result> {
    let result: unknown;
    const program = buildAdmin(async (run) => {
      const state = StateFolder.open(service.stateFolder);
      const deployment = { state, environment: undefined, shards: await readShards(undefined) };
      result = await run({ deployment, settings: await readSettings(state, undefined) });
    });
    await program.parseAsync(args, { from: "user" });
    return result as Result;
  };
}
