// Pure: no I/O, clock or randomness.

/** Rules of a programming language for writing literals. */
export interface LiteralSyntax {
  /** Indentation per nesting level. */
  indent: string;
  /** Text inside the braces of a one-line object. */
  padding: string;
  formatKey(key: string): string;
  formatConstant(value: boolean | null): string;
}

/** JavaScript literals. Keys that are identifiers have no quotes. */
export const JAVASCRIPT_LITERALS: LiteralSyntax = {
  indent: "  ",
  padding: " ",
  formatKey: (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)),
  formatConstant: String,
};

/** Python 3 literals. Python supports every escape sequence of JSON strings. */
export const PYTHON_LITERALS: LiteralSyntax = {
  indent: "    ",
  padding: "",
  formatKey: (key) => JSON.stringify(key),
  formatConstant: (value) => (value === null ? "None" : value ? "True" : "False"),
};

/** Maximum length of a one-line object or array, including its indentation. */
const LINE_LENGTH = 56;

/** Formats a JSON value as a literal. All lines but the first start with `indent`. */
export function formatLiteral(value: unknown, syntax: LiteralSyntax, indent = ""): string {
  if (value === null || typeof value === "boolean") return syntax.formatConstant(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const [opening, closing] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const padding = Array.isArray(value) ? "" : syntax.padding;
  const short = formatMembers(value, syntax, indent);
  if (short.length === 0) return `${opening}${closing}`;
  const line = `${opening}${padding}${short.join(", ")}${padding}${closing}`;
  if (!line.includes("\n") && indent.length + line.length <= LINE_LENGTH) return line;
  const deeper = indent + syntax.indent;
  const lines = formatMembers(value, syntax, deeper).map((member) => `${deeper}${member},\n`);
  return `${opening}\n${lines.join("")}${indent}${closing}`;
}

/** Formats the items of an array or the members of an object. */
function formatMembers(value: object, syntax: LiteralSyntax, indent: string): string[] {
  if (Array.isArray(value)) return value.map((item) => formatLiteral(item, syntax, indent));
  return Object.entries(value).map(
    ([key, member]) => `${syntax.formatKey(key)}: ${formatLiteral(member, syntax, indent)}`,
  );
}
