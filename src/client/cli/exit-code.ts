/** Exit codes of the command. Scripts rely on them. */
export const EXIT = {
  /** Success. */
  done: 0,
  /** The service or the network failed, or an output file couldn't be written. */
  failed: 1,
  /** The arguments or the input are invalid, or an input file can't be read. */
  usage: 2,
  /** There is no valid API key, or the key lacks a permission. */
  refused: 3,
  /** The resource does not exist. */
  missing: 4,
  /** A short code is taken, there is another conflict, or `import verify` found differences. */
  conflict: 5,
  /** A limit or quota is reached. */
  limited: 6,
  /** A dry run with `--exit-code` found differences. */
  different: 7,
  /** After an import, printed codes of the file would not work here. */
  lost: 8,
  /** The user pressed Ctrl-C. By shell convention, the code is 128 plus the signal number of SIGINT (2). */
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
