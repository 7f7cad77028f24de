import { Command, CommanderError } from "commander";
import { CommandError } from "./command-error.ts";
import { closeDatabases } from "./local-databases.ts";

/** Creates a command for `npm run`. The caller adds the options. */
export function createCommand(name: "admin" | "deploy" | "dev" | "start"): Command {
  return new Command(`npm run ${name} --`).exitOverride().showHelpAfterError();
}

/**
 * Runs a command with this process's arguments. Prints errors to stderr and exits with their status
 * (default: 1).
 */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.parseAsync(process.argv.slice(2), { from: "user" }).finally(closeDatabases);
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) process.exit(error.exitCode);
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(error instanceof CommandError ? error.exitStatus : 1);
  }
}
