import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type NodePath, types } from "@babel/core";
import { parse } from "@babel/parser";
import { allMutators } from "../../node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js";

/** Fault that is put into the source: one text of one file is replaced by another. */
export interface Mutant {
  /** Path of the file from the root of the repository. */
  file: string;
  /** Text that occurs exactly once in the file. Short, so that it survives other changes. */
  search: string;
  replacement: string;
  /** Test files of which at least one should fail. */
  tests: readonly string[];
}

/** Lists the mutants of one file that the same tests should notice, such as `worker/links`. */
export function mutate(
  file: string,
  tests: string | readonly string[],
  ...changes: readonly (readonly [search: string, replacement: string])[]
): Mutant[] {
  const testFiles = [tests].flat().map((name) => `test/${name}.test.ts`);
  return changes.map(([search, replacement]) => ({ file, search, replacement, tests: testFiles }));
}

const TABLES = join(import.meta.dirname, "by-hand");

/** Reads the tables: the export `mutants` of each file in `by-hand`. */
export async function readTables(): Promise<Map<string, Mutant[]>> {
  const tables = new Map<string, Mutant[]>();
  for (const file of readdirSync(TABLES).sort()) {
    const { mutants }: { mutants: Mutant[] } = await import(join(TABLES, file));
    tables.set(file.replace(/\.ts$/, ""), mutants);
  }
  return tables;
}

/** Replaces the mutators of Stryker by those of the named tables, or of all. Returns the mutated files and the tests. */
export async function useTables(
  names: readonly string[],
): Promise<{ mutate: string[]; testFiles: string[] }> {
  const tables = await readTables();
  const mutants = (names.length > 0 ? names : [...tables.keys()]).flatMap((name) => {
    const table = tables.get(name);
    if (table !== undefined) return table;
    throw new Error(`there is no table ${name}, only ${[...tables.keys()].join(", ")}`);
  });
  allMutators.splice(0, Infinity, ...mutants.map(createMutator));
  const unite = (paths: readonly string[]) => [...new Set(paths)];
  return {
    mutate: unite(mutants.map(({ file }) => file)),
    testFiles: unite(mutants.flatMap(({ tests }) => tests)),
  };
}

/** Returns where the text of a mutant is. Throws unless it occurs exactly once. */
export function findText(source: string, { file, search }: Mutant): number {
  const count = source.split(search).length - 1;
  if (count !== 1) throw new Error(`${file}: ${JSON.stringify(search)} occurs ${count} times, not once`);
  return source.indexOf(search);
}

/** Returns a mutator of Stryker for one mutant. It replaces the smallest expression or statement that has the change. */
export function createMutator(mutant: Mutant): {
  name: string;
  mutate(path: NodePath): Iterable<types.Node>;
} {
  const { search, replacement, tests } = mutant;
  const source = readFileSync(mutant.file, "utf8");
  const start = findText(source, mutant);
  const isSame = (index: number) => search.at(index) === replacement.at(index);
  let before = 0;
  while (before < search.length && isSame(before)) before += 1;
  let after = 0;
  while (after < Math.min(search.length, replacement.length) - before && isSame(-after - 1)) after += 1;
  const [from, to] = [start + before, start + search.length - after];
  const isAround = (node: types.Node) => Number(node.start) <= from && Number(node.end) >= to;
  const hasChange = (node: types.Node) =>
    // Not every name can be replaced by something else.
    ((types.isExpression(node) && node.type !== "Identifier") || types.isStatement(node)) && isAround(node);

  return {
    // `selectTests` takes the test files from the name.
    name: `by hand: ${tests.join(" ")}`,
    *mutate(path) {
      const { node } = path;
      // Nodes do not know their file. Its length and the names in them identify it.
      if (path.findParent((parent) => parent.isProgram())?.node.end !== source.length || !hasChange(node))
        return;
      let isSameFile = true;
      let isSmallest = true;
      let isSkipped = false;
      types.traverseFast(node, (inner) => {
        if (inner.type === "Identifier" && !source.startsWith(inner.name, Number(inner.start)))
          isSameFile = false;
        if (inner.type === "TSAsExpression" && isAround(inner)) isSkipped = true;
        if (inner !== node && hasChange(inner)) isSmallest = false;
      });
      if (isSameFile && isSkipped) throw new Error(`${search} is in \`… as …\`, which StrykerJS skips`);
      if (!isSameFile || !isSmallest) return;
      const text = (at: number, end: number) => source.slice(at, end);
      yield parseNode(
        text(Number(node.start), from) +
          replacement.slice(before, replacement.length - after) +
          text(to, Number(node.end)),
        types.isStatement(node),
      );
    },
  };
}

/** Returns the tests that a mutant by hand names, and all for another mutant. */
export function selectTests(mutatorName: string, tests: string[] | undefined): string[] | undefined {
  const files = /^by hand: (.*)/.exec(mutatorName)?.[1]?.split(" ");
  return files ? tests?.filter((id) => files.some((file) => id.split("#")[0]?.endsWith(file))) : tests;
}

/** Parses an expression or a statement of a function. */
function parseNode(text: string, isStatement: boolean): types.Node {
  const { program } = parse(isStatement ? text : `(${text})`, {
    sourceType: "module",
    plugins: ["typescript", "jsx"],
    allowReturnOutsideFunction: true,
    // Names of private fields and `break` need what is around them.
    errorRecovery: true,
  });
  const [first = { type: "EmptyStatement" } as const] = program.body;
  if (isStatement) return program.body.length > 1 ? types.blockStatement(program.body) : first;
  // An item that is added to a list would become a sequence, which has the value of its last item.
  if (first.type !== "ExpressionStatement" || first.expression.type === "SequenceExpression")
    throw new Error(`no expression: ${text}`);
  return first.expression;
}
