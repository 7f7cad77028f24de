import type { NodePath, types } from "@babel/core";
// Stryker has no plugins for mutators. The list is not exported, so it is imported by its path.
import { allMutators } from "../../node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js";

const isProduct = (node: types.Node): boolean =>
  node.type === "BinaryExpression" && node.operator === "*" && [node.left, node.right].every(isFactor);
const isFactor = (node: types.Node): boolean =>
  node.type === "NumericLiteral" ||
  isProduct(node) ||
  (node.type === "Identifier" && /^[A-Z_]+$/.test(node.name));
const isCallOf = (node: types.Node, ...names: string[]): node is types.CallExpression =>
  node.type === "CallExpression" && node.callee.type === "Identifier" && names.includes(node.callee.name);

const added: Record<string, (path: NodePath) => unknown[]> = {
  /** Moves a number by one, a fraction by a tenth, and a product such as `5 * SECOND_MS` by one as a whole. */
  NumberLiteral({ node, parent, key }) {
    if (isProduct(parent)) return [];
    const right = { type: "NumericLiteral", value: 1 };
    if (isProduct(node))
      return ["+", "-"].map((operator) => ({ type: "BinaryExpression", operator, left: node, right }));
    // A key such as `0:` is no expression.
    if (node.type !== "NumericLiteral" || key === "key") return [];
    // Only the sign counts in what a comparison for `sort` returns: -1 or 1.
    if (node.value === 1 && /^(?:Conditional|Unary)Expression$/.test(parent.type)) return [];
    const step = Number.isInteger(node.value) ? 1 : node.value / 10;
    return [-step, step].map((by) => ({ ...right, value: node.value + by }));
  },
  /** Leaves out a call that is waited for. Stryker leaves out only others. */
  AwaitedCall: ({ node }) =>
    node.type === "ExpressionStatement" && node.expression.type === "AwaitExpression"
      ? [{ type: "EmptyStatement" }]
      : [],
  /** Leaves out a condition of a query: a part of `and(…)` or `or(…)`, or what a column is compared with. */
  QueryCondition({ node, parent, listKey }) {
    if (listKey === "arguments" && isCallOf(parent, "and", "or"))
      return [{ type: "Identifier", name: "undefined" }];
    const [column] = isCallOf(node, "eq", "lte", "gte") ? node.arguments : [];
    return column?.type === "MemberExpression" ? [{ ...node, arguments: [column, column] }] : [];
  },
};

/** Adds the mutators. Outside of functions, where each mutant needs all tests, only limits and patterns change. */
export function addMutators(): void {
  for (const mutator of allMutators.filter(({ name }) => name !== "Regex")) {
    const { mutate } = mutator;
    mutator.mutate = (path, context) => (path.getFunctionParent() === null ? [] : mutate(path, context));
  }
  for (const [name, mutate] of Object.entries(added))
    allMutators.push({ name, mutate: (path) => mutate(path) as types.Node[] });
}
