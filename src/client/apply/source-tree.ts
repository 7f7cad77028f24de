// Pure: no I/O, clock or randomness.
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from "yaml";
import { findJsonProblem } from "../../core/json-problem.ts";

/**
 * Parses YAML or JSON into plain values and remembers their positions. JSON is parsed as YAML, because YAML
 * 1.2 includes JSON.
 */

/** Position in a text, starting at 1. */
export interface SourcePosition {
  line: number;
  column: number;
}

/** Problem of a file. The message is shown after the position. */
export interface FileProblem extends SourcePosition {
  message: string;
}

/** Thrown if a file is rejected as a whole. */
export class LinksFileError extends Error {
  override name = "LinksFileError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("\n"));
    this.problems = problems;
  }
}

export interface SourceTree {
  value: unknown;
  /** Returns the position of a value or of its name. For a missing value, returns its parent's position. */
  locate(path: readonly PropertyKey[], part: "name" | "value"): SourcePosition;
}

/**
 * Maximum number of values in a file, including values repeated by aliases. Without this limit, a few lines
 * of aliases could fill the memory.
 */
const VALUES_MAX = 5_000_000;
const DEPTH_MAX = 64;

/** Messages for common mistakes. They replace the parser's messages. */
const MESSAGES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "duplicate key in this object",
  MULTIPLE_DOCS: "the file contains more than one YAML document",
  TAB_AS_INDENT: "indent with spaces, not tabs",
};

/** Parses a text. Throws a {@link LinksFileError} if it is neither YAML nor JSON, or exceeds the limits. */
export function parseSource(text: string): SourceTree {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
  const positionAt = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    ...positionAt(pos[0]),
    message: MESSAGES[code] ?? message,
  }));
  if (problems.length > 0) throw new LinksFileError(listJsonProblems(text) ?? problems);
  const reader = new TreeReader((node, message) => {
    return new LinksFileError([{ ...positionAt(node?.range?.[0] ?? 0), message }]);
  });
  const value = reader.read(document.contents, 0);
  return {
    value,
    locate: (path, part) => positionAt(reader.findOffset(document, path, part)),
  };
}

/** Matches the start of a JSON object. If the first name in the braces has no quotes, the text is YAML. */
const JSON_START = /^\ufeff?\s*\{\s*"/;

/**
 * Returns the problem of a JSON text, or null if the text isn't JSON or has no JSON problem. The YAML
 * parser's messages would mention YAML blocks and flows, which confuses people who write JSON.
 */
function listJsonProblems(text: string): FileProblem[] | null {
  const problem = JSON_START.test(text) ? findJsonProblem(text) : null;
  return problem && [problem];
}

/** Collection that was read. */
interface ReadCollection {
  value: unknown;
  /** Number of its values at all levels, and itself. */
  count: number;
  /** Number of levels of values in it. */
  levels: number;
}

/** Converts YAML nodes to plain values. */
class TreeReader {
  readonly #fail: (node: Node | null, message: string) => LinksFileError;
  /** Nodes with an anchor, by anchor name. A later anchor replaces an earlier one with the same name. */
  readonly #anchors = new Map<string, Node>();
  /** Node that each alias refers to. */
  readonly #targets = new Map<Node, Node>();
  /** Collections that are still being read. An alias to one of these collections would make it endless. */
  readonly #open = new Set<Node>();
  /** Collections that have been read, so that an alias to one of them takes no time. */
  readonly #collections = new Map<Node, ReadCollection>();
  #valuesLeft = VALUES_MAX;
  /** Greatest depth of a value within the collection that is being read. */
  #deepest = 0;

  constructor(fail: (node: Node | null, message: string) => LinksFileError) {
    this.#fail = fail;
  }

  read(node: Node | null, depth: number): unknown {
    if (node === null) return null;
    if (--this.#valuesLeft < 0) throw this.#fail(node, `expected at most ${VALUES_MAX} values`);
    if (depth > DEPTH_MAX) throw this.#fail(node, `expected at most ${DEPTH_MAX} levels of values`);
    this.#deepest = Math.max(this.#deepest, depth);
    if (isAlias(node)) return this.#readAlias(node, node.source, depth);
    if (isScalar(node)) {
      if (node.anchor) this.#anchors.set(node.anchor, node);
      return node.value;
    }
    if (node.anchor) this.#anchors.set(node.anchor, node);
    const [valuesLeft, deepest] = [this.#valuesLeft, this.#deepest];
    this.#deepest = depth;
    this.#open.add(node);
    const value = this.#readCollection(node, depth);
    this.#open.delete(node);
    const [count, levels] = [valuesLeft - this.#valuesLeft + 1, this.#deepest - depth];
    this.#collections.set(node, { value, count, levels });
    this.#deepest = Math.max(this.#deepest, deepest);
    return value;
  }

  #readAlias(node: Node, name: string, depth: number): unknown {
    const target = this.#targets.get(node) ?? this.#anchors.get(name);
    if (target === undefined) throw this.#fail(node, `no \`&${name}\` is defined before this`);
    if (this.#open.has(target)) throw this.#fail(node, `\`*${name}\` refers to itself`);
    this.#targets.set(node, target);
    const known = this.#collections.get(target);
    // Reads a collection again if it is too deep here, because the error has the position of the value that is too deep.
    if (known === undefined || depth + known.levels > DEPTH_MAX) return this.read(target, depth);
    this.#valuesLeft -= known.count;
    if (this.#valuesLeft < 0) throw this.#fail(node, `expected at most ${VALUES_MAX} values`);
    this.#deepest = Math.max(this.#deepest, depth + known.levels);
    return known.value;
  }

  #readCollection(node: Node, depth: number): unknown {
    if (isSeq(node)) return node.items.map((item) => this.read(item as Node | null, depth + 1));
    if (!isMap(node)) throw this.#fail(node, "expected an object, a list or a value");
    return Object.fromEntries(
      node.items.map((pair) => [this.#readName(pair), this.read(pair.value as Node | null, depth + 1)]),
    );
  }

  #readName({ key }: Pair): string {
    if (!isScalar(key)) throw this.#fail(key as Node | null, "expected a key");
    return String(key.value);
  }

  /** Returns the offset of the value at a path, or of its name. */
  findOffset(document: Document, path: readonly PropertyKey[], part: "name" | "value"): number {
    let node = document.contents as Node | null;
    let offset = node?.range?.[0] ?? 0;
    for (const [index, name] of path.entries()) {
      const found: Node | null = node === null ? null : (this.#targets.get(node) ?? node);
      const isLast = index === path.length - 1;
      if (isSeq(found)) node = (found.items[Number(name)] ?? null) as Node | null;
      else if (isMap(found)) {
        const pair = found.items.find(({ key }) => isScalar(key) && String(key.value) === name);
        if (pair === undefined) return found.range?.[0] ?? offset;
        const nameOffset = (pair.key as Node).range?.[0];
        node = pair.value as Node | null;
        if (isLast && part === "name") return nameOffset ?? offset;
        offset = nameOffset ?? offset;
      } else return offset;
      offset = node?.range?.[0] ?? offset;
    }
    return offset;
  }
}
