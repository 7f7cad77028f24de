/** Exit codes of the command. Scripts rely on them. */
export const EXIT = {
  /** Success. */
  done: 0,
  /** The service or the network failed, or a file couldn't be read or written. */
  failed: 1,
  /** The arguments or the input are invalid. */
  usage: 2,
  /** No API key, or not permitted. */
  refused: 3,
  /** The resource does not exist. */
  missing: 4,
  /** The name is taken, or another conflict. */
  conflict: 5,
  /** A limit or quota is reached. */
  limited: 6,
  /** A dry run with `--exit-code` found differences. */
  different: 7,
  /** The user pressed Ctrl-C. By shell convention 128 plus the number of SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Error that ends the command with a one-sentence message and an exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: ExitCode;
  /** Details of the error, such as problems of single fields, one per line. */
  readonly details: readonly string[];

  constructor(message: string, exitCode: ExitCode = EXIT.failed, details: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}
