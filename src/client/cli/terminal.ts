import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, EXIT } from "./exit-code.ts";

/** Standard input, output and error of the command. Tests replace it. */
export interface Terminal {
  /** Writes results to standard output. */
  write(content: string | Uint8Array): void;
  /** Writes messages for the user to standard error, separate from results. */
  note(text: string): void;
  /** Reads the whole standard input. Stops soon after `bytesMax` bytes. */
  readInput(bytesMax: number): Promise<Uint8Array>;
  /** Reads the lines of standard input as they arrive. */
  readLines(): AsyncIterable<string>;
  /** Reads a secret: on a terminal without echo, otherwise from the first line of standard input. */
  readSecret(prompt: string): Promise<string>;
  /** Asks a yes-or-no question. Returns false if there is no terminal. */
  confirm(question: string): Promise<boolean>;
  /**
   * Calls the listener at the next Ctrl-C instead of ending the command. Another Ctrl-C ends it. Returns a
   * function that removes the listener.
   */
  onInterrupt(listener: () => void): () => void;
  /** True if standard output is a terminal. */
  isOutputTerminal: boolean;
  /** True if standard error is a terminal. */
  isNoteTerminal: boolean;
  /** Width of the terminal in characters. */
  columns: number;
}

const COLUMNS = 80;

/** Returns the terminal of this process. */
export function openTerminal(process: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    write: (content) => void stdout.write(content),
    note: (text) => void stderr.write(text),
    async readInput(bytesMax) {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of stdin) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > bytesMax) break;
      }
      return Buffer.concat(chunks);
    },
    readLines: () => createInterface({ input: stdin }),
    async readSecret(prompt) {
      if (!stdin.isTTY) return ((await text(stdin)).split("\n")[0] ?? "").trim();
      return ask(prompt, new Writable({ write: (_chunk, _encoding, done) => done() }));
    },
    async confirm(question) {
      if (!stdin.isTTY || !stderr.isTTY) return false;
      return /^y(es)?$/i.test(await ask(`${question} [y/N] `, stderr));
    },
    onInterrupt(listener) {
      process.once("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
    isOutputTerminal: stdout.isTTY === true,
    isNoteTerminal: stderr.isTTY === true,
    columns: stdout.columns || COLUMNS,
  };

  /** Prompts for a line. `echo` receives the typed characters. */
  function ask(prompt: string, echo: NodeJS.WritableStream): Promise<string> {
    stderr.write(prompt);
    const lines = createInterface({ input: stdin, output: echo, terminal: true });
    return new Promise((resolve, reject) => {
      lines.once("line", (line) => resolve(line.trim()));
      lines.once("close", () => reject(new CommandError("no input", EXIT.usage)));
      lines.once("SIGINT", () => lines.close());
    }).finally(() => {
      lines.removeAllListeners("close");
      lines.close();
      stderr.write("\n");
    }) as Promise<string>;
  }
}
