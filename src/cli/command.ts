import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** Error whose message is printed to the user without a stack trace. */
export class CommandError extends Error {
  /** Status with which the process exits. */
  readonly exitStatus: number;

  constructor(message?: string, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
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
