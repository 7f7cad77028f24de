import { buildAdmin } from "./commands.ts";
import { claimState } from "./local-service.ts";
import { runCommand } from "./run-command.ts";
import { readSettings, readShards } from "./settings.ts";
import { StateFolder } from "./state.ts";

/** Entry point of `npm run admin`: runs one command on the chosen deployment and prints its result. */

/** Minimum width of the column of names. */
const NAME_WIDTH = 12;

interface AdminOptions {
  json?: true;
  remote?: true;
  env?: string;
  persistTo?: string;
}

const program = buildAdmin(async (run, format = formatResult, { claimsState } = { claimsState: false }) => {
  const { json, remote, env, persistTo } = program.opts<AdminOptions>();
  const openState = () => (claimsState ? claimState(persistTo) : StateFolder.open(persistTo));
  const state = remote ? null : await openState();
  const settings = await readSettings(state, env);
  const shards = await readShards(state === null ? env : undefined);
  const result = await run({ deployment: { state, environment: env, shards }, settings });
  console.log(json ? JSON.stringify(result) : format(result));
});

/** Formats a result as lines of "name value"; an empty line separates the items of a list. */
function formatResult(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? "(none)" : result.map(formatResult).join("\n\n");
  const entries = Object.entries(result as object);
  const width = Math.max(NAME_WIDTH, ...entries.map(([name]) => name.length + 2));
  return entries
    .map(
      ([name, value]) => `${name.padEnd(width)}${Array.isArray(value) ? value.join(", ") : (value ?? "-")}`,
    )
    .join("\n");
}

await runCommand(program);
