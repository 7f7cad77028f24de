import type { DesiredLink, Link } from "../apply/desired-link.ts";
import { type FieldChange, type LinksPlan, listGivenFields } from "../apply/links-plan.ts";
import { cleanText } from "./table.ts";

/** Formats plans for people and for programs. */

/** Terminal colours by meaning. */
export interface Paint {
  added(text: string): string;
  changed(text: string): string;
  removed(text: string): string;
  faint(text: string): string;
}

const plain = (text: string) => text;
const colour = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;

export const PLAIN: Paint = { added: plain, changed: plain, removed: plain, faint: plain };
export const COLOURED: Paint = {
  added: colour(32),
  changed: colour(33),
  removed: colour(31),
  faint: colour(2),
};

/** Maximum total length of the old and the new value of a field for showing both on one line. */
const SHORT_LENGTH = 80;
/** Maximum number of links shown that aren't in the file and are kept. */
const ABSENT_SHOWN = 20;

/** Describes a plan line by line. With `isPruned`, links that aren't in the file are deleted. */
export function describePlan(plan: LinksPlan, isPruned: boolean, paint: Paint): string {
  const created = plan.created.map((desired) => {
    const { name, fields, importedScans, createdAt, passwordVariable } = desired;
    const { url, ...given } = listGivenFields(fields);
    const more = {
      ...listNames(desired),
      ...given,
      ...(passwordVariable !== null && { password: `$${passwordVariable}` }),
      ...(importedScans > 0 && { imported_scans: importedScans }),
      ...(createdAt !== null && { created_at: createdAt }),
    };
    const lines = Object.entries(more).map(([name, value]) => `    ${name}: ${formatValue(value)}\n`);
    return `${paint.added(`+ ${cleanText(name)}`)} → ${formatValue(url)}\n${lines.join("")}`;
  });
  const changed = plan.changed.map(
    ({ link, changes }) =>
      `${paint.changed(`~ ${link.short_code}`)}\n${changes.map((change) => describeChange(change, paint)).join("")}`,
  );
  return [
    ...created,
    ...changed,
    describeAbsent(plan.absent, isPruned, paint),
    `${countPlan(plan, isPruned)}\n`,
  ].join("");
}

/** Returns the names of a new link besides its code. */
function listNames({ externalId, aliases }: DesiredLink) {
  return {
    ...(externalId !== null && { external_id: externalId }),
    ...(aliases.length > 0 && { aliases }),
  };
}

function describeAbsent(absent: readonly Link[], isPruned: boolean, paint: Paint): string {
  const name = ({ short_code, destination }: Link) => `${short_code} → ${formatValue(destination)}`;
  if (isPruned) return absent.map((link) => `${paint.removed(`- ${name(link)}`)}\n`).join("");
  const shown = absent
    .slice(0, ABSENT_SHOWN)
    .map((link) => `${paint.faint(`  ${name(link)}, not in the file`)}\n`);
  const rest = absent.length - shown.length;
  return shown.join("") + (rest > 0 ? paint.faint(`  … and ${rest} more that are not in the file\n`) : "");
}

function describeChange({ field, before, after }: FieldChange, paint: Paint): string {
  if (Array.isArray(before) && Array.isArray(after) && field === "routing_rules")
    return `    ${field}:\n${describeItems(before, after, paint)}`;
  const [from, to] = [formatValue(before), formatValue(after)];
  if (from.length + to.length <= SHORT_LENGTH) return `    ${field}: ${from} → ${to}\n`;
  return `    ${field}:\n${paint.removed(`      - ${from}`)}\n${paint.added(`      + ${to}`)}\n`;
}

/** Describes the items that differ between two lists, position by position. */
function describeItems(before: readonly unknown[], after: readonly unknown[], paint: Paint): string {
  let text = "";
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [from, to] = [before[index], after[index]].map((item) => item !== undefined && formatValue(item));
    if (from === to) continue;
    if (from) text += `${paint.removed(`      - ${index + 1}. ${from}`)}\n`;
    if (to) text += `${paint.added(`      + ${index + 1}. ${to}`)}\n`;
  }
  return text;
}

function formatValue(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return cleanText(typeof value === "string" ? value : JSON.stringify(value));
}

/** Returns a sentence with the counts of a plan. */
export function countPlan({ created, changed, unchanged, absent }: LinksPlan, isPruned: boolean): string {
  const parts = [
    `${created.length} to create`,
    `${changed.length} to change`,
    ...(isPruned ? [`${absent.length} to delete`] : []),
    `${unchanged} unchanged`,
    ...(isPruned || absent.length === 0 ? [] : [`${absent.length} not in the file (use --prune to delete)`]),
  ];
  return `Plan: ${parts.join(", ")}.`;
}

/** Converts a plan to its JSON form for programs. */
export function serializePlan(plan: LinksPlan, isPruned: boolean) {
  const codes = plan.absent.map(({ short_code }) => short_code);
  return {
    created: plan.created.map((desired) => ({
      code: desired.code,
      ...listNames(desired),
      ...listGivenFields(desired.fields),
      has_password: desired.fields.has_password,
    })),
    changed: plan.changed.map(({ link, changes }) => ({ code: link.short_code, id: link.id, changes })),
    deleted: isPruned ? codes : [],
    not_in_file: isPruned ? [] : codes,
    unchanged: plan.unchanged,
  };
}
