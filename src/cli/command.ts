import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { closeDatabases } from "./local-databases.ts";

/** Error whose message is printed to the user without a stack trace. */
export class CommandError extends Error {}

/** Runs a command with the arguments of this process. Prints an error to stderr and exits with status 1. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2)).finally(closeDatabases);
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(1);
  }
}

/** Parses the arguments of a command. Throws {@link CommandError} with the usage on an unknown option. */
export function parseCommand<Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  usage: string,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new CommandError(`${reason}\n\n${usage}`);
  }
}
