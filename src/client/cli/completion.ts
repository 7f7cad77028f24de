import { Argument, type Command, type Option } from "commander";
import type { Terminal } from "./terminal.ts";

/** Generates completion scripts for shells from the command definitions. */

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Command and the words that may follow it. */
interface CommandWords {
  /** Command names from the root, such as `links list`. Empty for the root. */
  path: string;
  /** Words and their descriptions. */
  words: readonly (readonly [word: string, description: string])[];
}

/** Adds the `completion` command. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print a shell completion script: `source <(signpost completion bash)`")
    .addArgument(new Argument("<shell>", "shell").choices(SHELLS))
    .action((shell: Shell) => terminal.write(FORMATS[shell](listWords(program))));
}

/** Lists all commands and the words that may follow them. */
export function listWords(command: Command, path = ""): CommandWords[] {
  const commands = command.commands.map((each) => [each.name(), each.description()] as const);
  const options = command.options.map(
    (option: Option) => [option.long ?? option.short ?? "", option.description] as const,
  );
  const below = command.commands.flatMap((each) => listWords(each, `${path} ${each.name()}`.trim()));
  return [{ path, words: [...commands, ...options] }, ...below];
}

const FORMATS: Record<Shell, (commands: readonly CommandWords[]) => string> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
};

function formatBash(commands: readonly CommandWords[]): string {
  const cases = commands.map(
    ({ path, words }) => `    "${path}") words="${words.map(([word]) => word).join(" ")}" ;;\n`,
  );
  return `_signpost() {
  local word path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) ;; *) case " ${listPaths(commands)} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  case "\${path//\\// }" in
${cases.join("")}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signpost signpost
`;
}

/** Lists the paths of commands on one line, with slashes between names. */
function listPaths(commands: readonly CommandWords[]): string {
  return commands.flatMap(({ path }) => (path === "" ? [] : [path.replaceAll(" ", "/")])).join(" ");
}

function formatZsh(commands: readonly CommandWords[]): string {
  return `#compdef signpost
autoload -U +X bashcompinit && bashcompinit
${formatBash(commands)}`;
}

function formatFish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, words }) => {
    const condition =
      path === ""
        ? "__fish_use_subcommand"
        : path
            .split(" ")
            .map((name) => `__fish_seen_subcommand_from ${name}`)
            .join("; and ");
    return words.map(([word, description]) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c signpost -n '${condition}' ${what} -d '${description.replaceAll("'", "\\'")}'\n`;
    });
  });
  return lines.join("");
}
