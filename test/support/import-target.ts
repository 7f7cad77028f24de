import type { Schemas } from "../../src/client/client.ts";
import { fitCode } from "../../src/client/import/fit-code.ts";
import type { ImportFile, ImportRow } from "../../src/client/import/import-row.ts";
import { type ExistingLink, type ImportTarget, TargetError } from "../../src/client/import/import-target.ts";
import { listForms, toCodeKey } from "../../src/routing/short-code.ts";

/**
 * Workspace in memory into which links are imported. Codes are unique regardless of case and aliases are
 * exact, as in the service.
 */

/** End of the importing process. The current call may have been executed. */
export class Killed extends Error {}

export interface FakeTarget extends ImportTarget {
  /** Destinations by short code, for links with a generated code by alias. */
  list(): Record<string, string>;
  /** Returns the destination that a visitor of a path gets, or null. */
  visit(path: string): string | null;
  /** Result of `servesApi`. */
  isOnApiHost: boolean;
  /** Number of calls so far. */
  calls: number;
  /** Called at the start of each call, with its number from 0. */
  before: (call: number) => void;
  /** Called after each call is executed. */
  after: (call: number) => void;
  /** Number of links left in the plan. */
  linksLeft: number;
  /** Errors of single links, by destination. */
  faults: Map<string, Schemas["BulkError"]["error"]>;
}

/** Opens a workspace with links. */
export function openFakeTarget(links: Record<string, string> = {}): FakeTarget {
  const held: ExistingLink[] = [];
  const add = (code: string, destination: string, aliases: readonly string[] = []): ExistingLink => {
    const link = {
      id: `id-${held.length}`,
      short_code: code,
      short_url: `https://go.example/${code}`,
      destination,
      aliases: [...aliases],
    };
    held.push(link);
    return link;
  };
  const hasCode = (code: string) => held.some((link) => toCodeKey(link.short_code) === toCodeKey(code));
  const isTaken = (code: string | undefined, aliases: readonly string[]) =>
    (code !== undefined &&
      (hasCode(code) ||
        held.some((link) => link.aliases.some((alias) => listForms(code).includes(alias))))) ||
    aliases.some((alias) =>
      held.some((link) => link.aliases.includes(alias) || listForms(link.short_code).includes(alias)),
    );
  for (const [code, destination] of Object.entries(links)) {
    const { custom_slug = `made${held.length}`, aliases } = fitCode(code);
    add(custom_slug, destination, aliases ?? []);
  }

  const call = async <Result>(work: () => Result): Promise<Result> => {
    const number = target.calls++;
    await Promise.resolve();
    target.before(number);
    const result = work();
    target.after(number);
    return result;
  };
  const target: FakeTarget = {
    calls: 0,
    isOnApiHost: false,
    before: () => {},
    after: () => {},
    linksLeft: Number.POSITIVE_INFINITY,
    faults: new Map(),
    list: () =>
      Object.fromEntries(
        held.map(({ short_code, aliases, destination }) => [aliases[0] ?? short_code, destination]),
      ),
    visit: (path) =>
      (
        held.find(({ aliases }) => aliases.includes(path)) ??
        held.find(({ short_code }) => toCodeKey(short_code) === toCodeKey(path))
      )?.destination ?? null,
    servesApi: async () => target.isOnApiHost,
    readWorkspaceId: async () => "01999999-0000-7000-8000-000000000000",
    findCodes: (codes) =>
      call(() => {
        if (codes.length > 100) throw new TargetError(400, "VALIDATION_ERROR", "too many codes");
        const keys = new Set(codes.map(toCodeKey));
        return held.filter(
          ({ short_code, aliases }) =>
            keys.has(toCodeKey(short_code)) || aliases.some((alias) => codes.includes(alias)),
        );
      }),
    createLinks: (items) =>
      call(() => {
        if (items.length > 100) throw new TargetError(400, "VALIDATION_ERROR", "too many links");
        if (items.some(({ title }) => title === "broken"))
          throw new TargetError(400, "VALIDATION_ERROR", "broken JSON");
        const created: ExistingLink[] = [];
        const errors: Schemas["BulkError"][] = [];
        for (const [index, { url = "", custom_slug, ...item }] of items.entries()) {
          const aliases = item.aliases ?? [];
          const error =
            target.faults.get(url) ??
            (isTaken(custom_slug, aliases)
              ? "conflict"
              : target.linksLeft-- <= 0
                ? "plan_limit_exceeded"
                : null);
          if (error === null) created.push(add(custom_slug ?? `made${held.length}`, url, aliases));
          else errors.push({ index, error, message: `links[${index}].custom_slug: ${error}` });
        }
        return { created, errors };
      }),
  };
  return target;
}

/** Builds a row of a file. Without a code, the row gets a generated one. */
export function buildImportRow(
  line: number,
  url: string,
  code?: string,
  more: Partial<ImportRow["link"]> = {},
): ImportRow {
  const link = { url, ...(code !== undefined && fitCode(code)), ...more };
  return { line, formerUrl: code === undefined ? null : `https://old.example/${code}`, link, notes: [] };
}

/** Builds a file of rows. */
export function buildImportFile(rows: ImportFile["rows"]): ImportFile {
  return { source: "csv", rows };
}
