import { CommandError } from "./command.ts";
import { closeDatabases } from "./local-databases.ts";

/** Runs a command with the arguments of this process. Prints an error to stderr and exits with its status, or 1. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2)).finally(closeDatabases);
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(error instanceof CommandError ? error.exitStatus : 1);
  }
}
