/** Exit codes of the command, which scripts can rely on. */
export const EXIT = {
  /** Everything was done. */
  done: 0,
  /** The service or the network failed, or something could not be read or written. */
  failed: 1,
  /** The arguments or the input are wrong. */
  usage: 2,
  /** No key is known, or it may not do this. */
  refused: 3,
  /** What is named does not exist. */
  missing: 4,
  /** Something else has the name already, or is in the way. */
  conflict: 5,
  /** A limit or a quota is reached. */
  limited: 6,
  /** Result of a dry run with `--exit-code` that found differences. */
  different: 7,
  /** A person ended it with Ctrl-C: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Failure that ends the command with one sentence and an exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: ExitCode;
  /** Faults of single fields, one line each. */
  readonly details: readonly string[];

  constructor(message: string, exitCode: ExitCode = EXIT.failed, details: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}
