// Pure: no I/O, clock or randomness.
import { SLUG_MAX_LENGTH, toCodeKey } from "../../routing/short-code.ts";
import type { components } from "../schema.d.ts";
import type { CodedRow, PreparedRow } from "./generated-codes.ts";
import type { InvalidRow } from "./import-row.ts";
import type { ExistingLink } from "./import-target.ts";

type Schemas = components["schemas"];

/** Decides what happens to each row of a file. Pure: the same rows and workspace give the same plan. */

/**
 * Ways to handle a row whose code already has another destination: skip the row, add a suffix such as `-2` to
 * the code, or import nothing.
 */
export const CONFLICT_WAYS = ["skip", "suffix", "fail"] as const;

export type OnConflict = (typeof CONFLICT_WAYS)[number];

export type PlannedRow =
  /** The link will be created with the code. */
  | { state: "create"; row: CodedRow; code: string; link: Schemas["NewLink"]; notes: readonly string[] }
  /** The workspace already has the link, with the same code and destination. */
  | { state: "exists"; row: CodedRow; code: string; existing: ExistingLink }
  /** An earlier row of the file is the same link. */
  | { state: "duplicate"; row: CodedRow; code: string; reason: string }
  /** The code is used by another link of the workspace or another row of the file. */
  | { state: "conflict"; row: CodedRow; code: string; reason: string }
  | { state: "faulty"; row: InvalidRow; reason: string };

export type PlanState = PlannedRow["state"];

/** Links of the workspace by code (see `toCodeKey`). Null for a code that no link uses. */
export type KnownCodes = ReadonlyMap<string, ExistingLink | null>;

export interface ImportPlan {
  onConflict: OnConflict;
  /** One planned row for each row of the file, in order. */
  rows: readonly PlannedRow[];
  counts: Readonly<Record<PlanState, number>>;
  /** Codes assigned to rows that still have to be looked up in the workspace. Empty in a complete plan. */
  unknownCodes: readonly string[];
  /** Rows from which the plan was made. */
  prepared: readonly PreparedRow[];
  known: KnownCodes;
}

/** Largest number that is added to a code as a suffix. */
const SUFFIX_MAX = 99;

/** Code assigned to a row of the file. */
interface Claim {
  line: number;
  code: string;
  destination: string;
}

/** Plans an import: decides for each row in order, based on the links that already use the rows' codes. */
export function planImport(
  prepared: readonly PreparedRow[],
  known: KnownCodes,
  onConflict: OnConflict,
): ImportPlan {
  const own = new Set(
    prepared.flatMap((row) => ("link" in row && !row.isGenerated ? row.codes.map(toCodeKey) : [])),
  );
  const claims = new Map<string, Claim>();
  const unknownCodes: string[] = [];
  const counts = { create: 0, exists: 0, duplicate: 0, conflict: 0, faulty: 0 };
  const rows = prepared.map((row): PlannedRow => {
    const planned: PlannedRow =
      "link" in row
        ? planRow(row, { own, claims, known, onConflict })
        : { state: "faulty", row, reason: row.problem };
    if (planned.state === "create" || planned.state === "exists") {
      const { line } = planned.row;
      const claim = { line, code: planned.code, destination: getDestination(planned.row.link) };
      claims.set(toCodeKey(planned.code), claim);
      if (!known.has(toCodeKey(planned.code))) unknownCodes.push(planned.code);
    }
    counts[planned.state]++;
    return planned;
  });
  return { onConflict, rows, counts, unknownCodes, prepared, known };
}

/** Codes that rows of the plan may not get, and the way to handle conflicts. */
interface PlanContext {
  /** Keys of the codes that the file itself contains. No other row gets one of these codes. */
  own: ReadonlySet<string>;
  claims: ReadonlyMap<string, Claim>;
  known: KnownCodes;
  onConflict: OnConflict;
}

/** Finds the first of a row's codes that is free or already belongs to the row's link. */
function planRow(row: CodedRow, { own, claims, known, onConflict }: PlanContext): PlannedRow {
  const destination = getDestination(row.link);
  let reason: string | undefined;
  for (const code of listCandidates(row, onConflict)) {
    const key = toCodeKey(code);
    const isOwn = code === row.link.custom_slug;
    if (!isOwn && own.has(key)) continue;
    const claim = claims.get(key);
    const existing = known.get(key) ?? null;
    if (claim !== undefined) {
      const isSame = !row.isGenerated && isSameUrl(claim.destination, destination);
      if (isSame) return { state: "duplicate", row, code, reason: `same link as line ${claim.line}` };
      reason ??= `${formatCode(code, claim.code)} is already used by line ${claim.line} with a different destination`;
    } else if (existing !== null) {
      if (isSameUrl(existing.destination, destination)) return { state: "exists", row, code, existing };
      reason ??= `${formatCode(code, existing.short_code)} already redirects to ${existing.destination} in this workspace`;
    } else {
      const notes =
        isOwn || row.isGenerated ? row.notes : [...row.notes, `${reason}, so the short code is ${code}`];
      return { state: "create", row, code, link: { ...row.link, custom_slug: code }, notes };
    }
  }
  return {
    state: "conflict",
    row,
    code: row.codes[0] ?? "",
    reason: reason ?? "no free short code was found",
  };
}

/** Lists the codes that a row may get, in the order in which they are tried. */
function* listCandidates({ codes, isGenerated }: CodedRow, onConflict: OnConflict): Generator<string> {
  yield* codes;
  if (isGenerated || onConflict !== "suffix") return;
  const [code = ""] = codes;
  for (let number = 2; number <= SUFFIX_MAX; number++) {
    const suffix = `-${number}`;
    yield code.slice(0, SLUG_MAX_LENGTH - suffix.length) + suffix;
  }
}

/** Formats a code for a message. Mentions both spellings if `other` differs only in upper and lower case. */
function formatCode(code: string, other: string): string {
  return code === other ? code : `${other} (${code} in a different case)`;
}

export function getDestination({ url, destination }: Schemas["NewLink"]): string {
  return url ?? destination ?? "";
}

/** Returns true if two URLs are the same after parsing. */
export function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
