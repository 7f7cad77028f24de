import { MESSAGE_KINDS } from "../dead-letters/queue-name.ts";
import { DEFAULT_ROLE, ROLES } from "../permissions/roles.ts";
import { PLAN_NAMES } from "../tenant/plans.ts";
import { CommandError, parseCommand } from "./command.ts";
import { COMMAND_OPTIONS, COMMANDS, type CommandOption } from "./commands.ts";
import { runCommand } from "./run-command.ts";
import { readSettings, readShards } from "./settings.ts";
import { StateFolder } from "./state.ts";

const USAGE = `npm run --silent admin -- COMMAND

  workspace create --slug S --name N --plan P [--description D] [--domain HOST] [--shard N]
  workspace list
  workspace set-plan S P
  workspace move S --shard N
  workspace delete S --yes
  domain add S HOST
  domain list S
  domain remove S HOST
  key create --workspace S [--name N] [--scopes a,b] [--expires-at T]
  key list S
  key revoke PREFIX
  key rotate PREFIX
  member add --workspace S --email E --name N [--role R]
  member set-role --workspace S --email E --role R
  member remove --workspace S --email E
  member list S
  sign-in-link --workspace S --email E
  scim-token create S
  scim-token list S
  scim-token revoke PREFIX
  shard list
  scans cost
  dead-letters list QUEUE
  dead-letters replay QUEUE [--id ID]

  Options of every command: --json, --remote, --env NAME, --persist-to DIR, --help
  S: workspace slug. P: plan, one of ${PLAN_NAMES.join(", ")}. Default for --scopes: all scopes.
  R: role, one of ${ROLES.join(", ")} (default: ${DEFAULT_ROLE}). The URL from \`sign-in-link\` works once, within 15 minutes.
  QUEUE: one of ${MESSAGE_KINDS.join(", ")}. Dead letters are messages that failed processing. They are kept for
  14 days; a replay requeues them within about a minute. \`scans cost\` shows scans counted and D1 rows written per
  day for the last 92 days.`;

/** Width of the column of names, unless one is longer. */
const NAME_WIDTH = 12;

/** Options of every command. */
const COMMON_OPTIONS = {
  json: { type: "boolean" },
  remote: { type: "boolean" },
  env: { type: "string" },
  "persist-to": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;
const OPTIONS = { ...COMMON_OPTIONS, ...COMMAND_OPTIONS };

/** Entry point of `npm run admin`: runs one command on the chosen deployment and prints its result. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS, USAGE, true);
  const { json, remote, env, "persist-to": folder, help, ...options } = values;
  if (help) return console.log(USAGE);
  const [noun, verb, ...words] = positionals;
  const command = findCommand([noun, verb].filter(Boolean).join(" "), words, Object.keys(options));
  const state = remote ? null : StateFolder.open(folder);
  const settings = await readSettings(state, env);
  const deployment = { state, environment: env, shards: await readShards(state === null ? env : undefined) };
  const result = await command.run({ words, options, deployment, settings });
  console.log(json ? JSON.stringify(result) : formatResult(result));
}

/** Returns a command. Throws {@link CommandError} if it is unknown or its arguments or options are wrong. */
function findCommand(name: string, words: string[], options: string[]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new CommandError(`${name ? `${name}: unknown command` : "missing command"}\n\n${USAGE}`);
  }
  if (words.length !== command.wordCount) {
    throw new CommandError(
      `${name}: expected ${command.wordCount} arguments, got ${words.length}\n\n${USAGE}`,
    );
  }
  const unknown = options.find((option) => !command.options.includes(option as CommandOption));
  if (unknown !== undefined) throw new CommandError(`${name}: unknown option --${unknown}`);
  return command;
}

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

await runCommand(main);
