import { PLAN_NAMES } from "../tenant/plans.ts";
import { CommandError, parseCommand, runCommand } from "./command.ts";
import { COMMAND_OPTIONS, COMMANDS, type CommandOption } from "./commands.ts";
import { settingsFor } from "./settings.ts";
import { StateFolder } from "./state.ts";

const USAGE = `npm run --silent admin -- COMMAND

  workspace create --slug S --name N --plan P [--description D] [--domain HOST]
  workspace list
  workspace set-plan S P
  domain add S HOST
  domain list S
  key create --workspace S [--name N] [--scopes a,b] [--expires-at T]
  key list S
  key revoke PREFIX
  key rotate PREFIX
  member add --workspace S --email E --name N
  member remove --workspace S --email E
  member list S

  Options of every command: --json, --remote, --env NAME, --persist-to DIR, --help
  S is a workspace's slug, P one of ${PLAN_NAMES.join(", ")}. A key has every scope unless --scopes names some.`;

/** The options of every command. */
const COMMON_OPTIONS = {
  json: { type: "boolean" },
  remote: { type: "boolean" },
  env: { type: "string" },
  "persist-to": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;
const OPTIONS = { ...COMMON_OPTIONS, ...COMMAND_OPTIONS };

/** `npm run admin`: finds the command, runs it on the chosen deployment, and prints what it answers. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS, USAGE, true);
  const { json, remote, env, "persist-to": folder, help, ...options } = values;
  if (help) return console.log(USAGE);
  const [noun, verb, ...words] = positionals;
  const command = commandOf([noun, verb].filter(Boolean).join(" "), words, Object.keys(options));
  const state = remote ? null : StateFolder.open(folder);
  const settings = await settingsFor(state, env);
  const result = await command.run({ words, options, target: { state, environment: env }, settings });
  console.log(json ? JSON.stringify(result) : readable(result));
}

/** The command of this name. Throws {@link CommandError} if there is none or it is not used like this. */
function commandOf(name: string, words: string[], options: string[]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new CommandError(`${name || "nothing"}: not a command\n\n${USAGE}`);
  if (words.length !== command.words) {
    throw new CommandError(`${name}: takes ${command.words} words after it, not ${words.length}\n\n${USAGE}`);
  }
  const stray = options.find((option) => !command.takes.includes(option as CommandOption));
  if (stray !== undefined) throw new CommandError(`${name}: does not take --${stray}`);
  return command;
}

function readable(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? "(none)" : result.map(readable).join("\n\n");
  return Object.entries(result as object)
    .map(([name, value]) => `${name.padEnd(12)}${Array.isArray(value) ? value.join(", ") : (value ?? "-")}`)
    .join("\n");
}

await runCommand(main);
