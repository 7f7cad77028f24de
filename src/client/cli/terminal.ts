import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, EXIT } from "./exit-code.ts";

/** Input and output of a command. */
export interface Terminal {
  /** Writes results, which a pipe passes on. */
  write(content: string | Uint8Array): void;
  /** Writes what is for a person only. */
  note(text: string): void;
  /** Reads all of the input, or somewhat more than `bytesMax` of a larger one. */
  readInput(bytesMax: number): Promise<Uint8Array>;
  /** Reads the lines of the input as they come. */
  readLines(): AsyncIterable<string>;
  /** Reads a secret without showing it: from a person, or the first line of the input. */
  readSecret(prompt: string): Promise<string>;
  /** Asks a person. Returns false where nobody can answer. */
  confirm(question: string): Promise<boolean>;
  /** Runs something at Ctrl-C, once, instead of ending. The next one ends the command. Returns how to stop that. */
  onInterrupt(listener: () => void): () => void;
  /** True if results go to a person. */
  isOutputTerminal: boolean;
  /** True if notes go to a person. */
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

  /** Asks for a line. What is typed appears in `echo`. */
  function ask(prompt: string, echo: NodeJS.WritableStream): Promise<string> {
    stderr.write(prompt);
    const lines = createInterface({ input: stdin, output: echo, terminal: true });
    return new Promise((resolve, reject) => {
      lines.once("line", (line) => resolve(line.trim()));
      lines.once("close", () => reject(new CommandError("nothing was entered", EXIT.usage)));
      lines.once("SIGINT", () => lines.close());
    }).finally(() => {
      lines.removeAllListeners("close");
      lines.close();
      stderr.write("\n");
    }) as Promise<string>;
  }
}
