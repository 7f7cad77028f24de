/** Error whose message is printed to the user without a stack trace. */
export class CommandError extends Error {
  /** Exit status of the process. */
  readonly exitStatus: number;

  constructor(message?: string, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}
