import { Command, CommanderError } from "commander";
import { addApplyCommand } from "./apply-command.ts";
import type { CommandContext } from "./command-context.ts";
import { addCompletionCommand } from "./completion.ts";
import type { Environment } from "./configuration.ts";
import { CommandError, EXIT, type ExitCode } from "./exit-code.ts";
import { addImportCommand } from "./import-command.ts";
import { addLinkCommands } from "./links-command.ts";
import { addLoginCommands } from "./login-command.ts";
import { addMcpCommand } from "./mcp-command.ts";
import { addQrCommand } from "./qr-command.ts";
import { addReportsCommands } from "./reports-command.ts";
import { addStatsCommand } from "./stats-command.ts";
import type { Terminal } from "./terminal.ts";
import { addTrashCommands } from "./trash-command.ts";

const HELP = `
Environment:
  SIGNPOST_API_URL    API URL; overrides the stored one
  SIGNPOST_KEY        API key; overrides the stored one
  XDG_CONFIG_HOME     configuration folder (default: ~/.config)
  NO_COLOR            disable colours

Exit codes:
  0 success   1 failure   2 invalid input   3 not signed in or not permitted   4 not found   5 conflict
  6 limit reached   7 --dry-run --exit-code found changes   8 printed codes would be lost
  130 interrupted with Ctrl-C`;

/** Runs the command with its arguments. Returns the exit code and never throws. */
export async function runCommand(
  words: readonly string[],
  terminal: Terminal,
  environment: Environment,
  version: string,
): Promise<ExitCode> {
  const program = buildProgram(terminal, environment, version);
  try {
    await program.parseAsync(words, { from: "user" });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandError)) {
      terminal.note(`signpost: ${(error as Error).message}\n`);
      return EXIT.failed;
    }
    terminal.note(`signpost: ${error.message}\n${error.details.map((line) => `  ${line}\n`).join("")}`);
    return error.exitCode;
  }
}

/** Builds the command with all its subcommands. */
export function buildProgram(terminal: Terminal, environment: Environment, version: string): Command {
  const program = new Command("signpost")
    .description("Manage short links, QR codes and analytics from the command line.")
    .version(version, "--version", "show the version")
    .option("--json", "print results as JSON")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Run with --help to see usage.")
    .addHelpText("after", HELP);
  const context = (): CommandContext => ({ terminal, environment, isJson: program.opts().json === true });
  addLoginCommands(program, context);
  addLinkCommands(program, context);
  addTrashCommands(program, context);
  addImportCommand(program, context);
  addQrCommand(program, context);
  addStatsCommand(program, context);
  addReportsCommands(program, context);
  addApplyCommand(program, context);
  addMcpCommand(program, context);
  addCompletionCommand(program, terminal);
  for (const command of [program, ...listBelow(program)]) {
    command.exitOverride().configureOutput({ writeOut: terminal.write, writeErr: terminal.note });
  }
  return program;
}

function listBelow(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...listBelow(each)]);
}
