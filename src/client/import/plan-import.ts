// Pure: no I/O, clock or randomness.
import { ALIAS_MAX_LENGTH } from "../../routing/alias.ts";
import { SLUG_MAX_LENGTH, toCodeKey } from "../../routing/short-code.ts";
import type { components } from "../schema.d.ts";
import { getOldCode, listForms } from "./fit-code.ts";
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
  /** The link will be created with the code as its short code, or as an alias. */
  | { state: "create"; row: CodedRow; code: string; link: Schemas["NewLink"]; notes: readonly string[] }
  /** The workspace already has the link, with the same code and destination. */
  | { state: "exists"; row: CodedRow; code: string; existing: ExistingLink }
  /** An earlier row of the file is the same link. */
  | { state: "duplicate"; row: CodedRow; code: string; reason: string }
  /** The code is used by another link of the workspace or another row of the file. */
  | { state: "conflict"; row: CodedRow; code: string; reason: string }
  | { state: "faulty"; row: InvalidRow; reason: string };

export type PlanState = PlannedRow["state"];

/** Links of the workspace whose short code or alias is a code of the file, in any case. */
export type KnownCodes = ReadonlyMap<string, readonly ExistingLink[]>;

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

/** Code or alias that a row of the file or a link of the workspace has. */
interface Address {
  code: string;
  /** Aliases match exactly, short codes in any case. */
  isAlias: boolean;
}

/** Code assigned to a row of the file. */
interface Claim extends Address {
  line: number;
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
  const claims = new Map<string, Claim[]>();
  const unknownCodes: string[] = [];
  const counts = { create: 0, exists: 0, duplicate: 0, conflict: 0, faulty: 0 };
  const rows = prepared.map((row): PlannedRow => {
    const planned: PlannedRow =
      "link" in row
        ? planRow(row, { own, claims, known, onConflict })
        : { state: "faulty", row, reason: row.problem };
    if (planned.state === "create" || planned.state === "exists") {
      const { line, link } = planned.row;
      const { aliases } = planned.state === "create" ? planned.link : planned.existing;
      const isAlias = aliases?.includes(planned.code) === true;
      const claim = { line, code: planned.code, isAlias, destination: getDestination(link) };
      const key = toCodeKey(planned.code);
      claims.set(key, [...(claims.get(key) ?? []), claim]);
      if (!known.has(planned.code)) unknownCodes.push(planned.code);
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
  /** Claims of earlier rows by the key of their code. */
  claims: ReadonlyMap<string, readonly Claim[]>;
  known: KnownCodes;
  onConflict: OnConflict;
}

/** Finds the first of a row's codes that is free or already belongs to the row's link. */
function planRow(row: CodedRow, context: PlanContext): PlannedRow {
  const destination = getDestination(row.link);
  const oldCode = getOldCode(row.link);
  let reason: string | undefined;
  for (const address of listCandidates(row, context.onConflict)) {
    const { code } = address;
    const isOld = code === oldCode;
    if (!isOld && context.own.has(toCodeKey(code))) continue;
    const claim = context.claims.get(toCodeKey(code))?.find((other) => isInTheWay(address, other));
    if (claim !== undefined) {
      const isSame = !row.isGenerated && isSameUrl(claim.destination, destination);
      if (isSame) return { state: "duplicate", row, code, reason: `same link as line ${claim.line}` };
      reason ??= `${formatCode(code, claim.code)} is already used by line ${claim.line} with a different destination`;
      continue;
    }
    const existing = findLink(context.known, code);
    if (existing !== null && isSameUrl(existing.destination, destination))
      return { state: "exists", row, code, existing };
    const blocker = findBlocker(context.known, address);
    if (blocker === null) {
      const change = isOld ? "it is an alias, which matches exactly" : `the short code is ${code}`;
      const isPlanned = reason === undefined || row.isGenerated;
      const notes = isPlanned ? row.notes : [...row.notes, `${reason}, so ${change}`];
      return { state: "create", row, code, link: setAddress(row.link, address), notes };
    }
    reason ??= `${formatCode(code, blocker.code)} already redirects to ${blocker.destination} in this workspace`;
  }
  return {
    state: "conflict",
    row,
    code: row.codes[0] ?? "",
    reason: reason ?? "no free short code was found",
  };
}

/**
 * Lists the addresses that a row may get, in the order in which they are tried. A code that is only taken in
 * a different case can still be an alias.
 */
function* listCandidates({ codes, isGenerated, link }: CodedRow, onConflict: OnConflict): Generator<Address> {
  const isAlias = link.aliases !== undefined;
  for (const code of codes) yield { code, isAlias };
  if (isGenerated) return;
  const [code = ""] = codes;
  if (!isAlias) yield { code, isAlias: true };
  if (onConflict !== "suffix") return;
  const lengthMax = isAlias ? ALIAS_MAX_LENGTH : SLUG_MAX_LENGTH;
  for (let number = 2; number <= SUFFIX_MAX; number++) {
    const suffix = `-${number}`;
    yield { code: code.slice(0, lengthMax - suffix.length) + suffix, isAlias };
  }
}

/** Returns the link that visitors of a code get now: the link with the alias, or else with the short code. */
export function findLink(known: KnownCodes, code: string): ExistingLink | null {
  const links = known.get(code) ?? [];
  const isMatch = (link: ExistingLink) => toCodeKey(link.short_code) === toCodeKey(code);
  return links.find(({ aliases }) => aliases.includes(code)) ?? links.find(isMatch) ?? null;
}

/** Returns the address of a link of the workspace that prevents a new link from having an address, or null. */
function findBlocker(known: KnownCodes, address: Address): { code: string; destination: string } | null {
  const addresses = (known.get(address.code) ?? []).flatMap(({ short_code, aliases, destination }) => [
    { code: short_code, isAlias: false, destination },
    ...aliases.map((code) => ({ code, isAlias: true, destination })),
  ]);
  return addresses.find((other) => isInTheWay(address, other)) ?? null;
}

/** Sets the short code or the alias of a new link. */
function setAddress(
  { custom_slug: _, aliases: __, ...link }: Schemas["NewLink"],
  { code, isAlias }: Address,
) {
  return { ...link, ...(isAlias ? { aliases: [code] } : { custom_slug: code }) };
}

/** Returns true if the service wouldn't let one link have an address and another link the other. */
function isInTheWay(address: Address, other: Address): boolean {
  if (toCodeKey(address.code) !== toCodeKey(other.code)) return false;
  if (address.code === other.code) return true;
  if (address.isAlias) return !other.isAlias && listForms(other.code).includes(address.code);
  return !other.isAlias || listForms(address.code).includes(other.code);
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
