import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A mistake in what was asked for, or a refusal; its message is for who typed the command. */
export class CommandError extends Error {}

/** Runs a command on what was typed after it. One that fails says why on stderr and ends with status 1. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error);
    process.exit(1);
  }
}

/** Takes a command line apart. Throws {@link CommandError}, with the usage, on an option that is none of these. */
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
