import { parseArgs } from "node:util";
import { afterAll } from "vitest";
import { COMMAND_OPTIONS, COMMANDS } from "../../../src/cli/commands.ts";
import { closeDatabases } from "../../../src/cli/local-databases.ts";
import { readSettings, readShards } from "../../../src/cli/settings.ts";
import { StateFolder } from "../../../src/cli/state.ts";

/** Returns a function that runs an admin command in this process. The start of the real one takes seconds. */
export function useAdmin(stateFolder: string) {
  afterAll(closeDatabases);
  return async function admin<Result>(...args: string[]): Promise<Result> {
    const { values: options, positionals } = parseArgs({
      args,
      options: COMMAND_OPTIONS,
      allowPositionals: true,
    });
    const [noun, verb, ...words] = positionals;
    const name = [noun, verb].filter(Boolean).join(" ");
    const command = COMMANDS[name];
    if (command === undefined) throw new Error(`${name}: unknown command`);
    const state = StateFolder.open(stateFolder);
    const deployment = { state, environment: undefined, shards: await readShards(undefined) };
    const settings = await readSettings(state, undefined);
    return (await command.run({ words, options, deployment, settings })) as Result;
  };
}
