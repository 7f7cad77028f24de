import { type Command, InvalidArgumentError } from "commander";
import type { Schemas } from "../client.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { readBytes } from "./read-file.ts";
import type { Terminal } from "./terminal.ts";

/** Maximum size of a file with rules. It exceeds what the service accepts. */
const RULES_MAX_BYTES = 1_048_576;

/** Fields of a link as command options. */
export interface LinkOptions {
  title?: string;
  note?: string;
  label?: string[];
  startsAt?: string;
  expiresAt?: string;
  expiredUrl?: string;
  maxScans?: number;
  rules?: string;
  password?: true;
  data?: object;
}

/** Adds the options for the fields of a link. An empty value clears the field. */
export function addLinkOptions(command: Command): Command {
  return command
    .option("--title <text>", "name for people")
    .option("--note <text>", "note for people")
    .option("--label <name>", "label; repeat it for several", collect)
    .option("--starts-at <time>", "time from which it redirects, such as 2026-12-01T08:00:00Z")
    .option("--expires-at <time>", "time from which it redirects no more")
    .option("--expired-url <url>", "address for visitors after that time")
    .option("--max-scans <number>", "scans after which it leads nowhere any more", parseInteger)
    .option("--rules <file>", "routing rules, a JSON array; - is the input")
    .option("--password", "ask for a password that visitors need, or read it from the input")
    .option("--data <json>", "further fields of the API as a JSON object", parseObject);
}

/** Returns the fields of a link that the options set. */
export async function readLinkFields(
  options: LinkOptions,
  terminal: Terminal,
): Promise<Partial<Schemas["NewLink"]>> {
  const { title, note, label, startsAt, expiresAt, expiredUrl, maxScans, rules, password, data } = options;
  const fields = {
    title: orNull(title),
    note: orNull(note),
    labels: label?.filter((name) => name !== ""),
    starts_at: orNull(startsAt),
    expires_at: orNull(expiresAt),
    expired_url: orNull(expiredUrl),
    max_scans: maxScans,
    routing_rules: rules === undefined ? undefined : parseRules(await readRules(rules, terminal), rules),
    password: password === undefined ? undefined : await terminal.readSecret("Password of the link: "),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...data };
}

async function readRules(path: string, terminal: Terminal): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, terminal, RULES_MAX_BYTES));
}

/** Parses an option that must be a whole number. */
export function parseInteger(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

function collect(value: string, former: string[] = []): string[] {
  return [...former, value];
}

function orNull(text: string | undefined): string | null | undefined {
  return text === "" ? null : text;
}

function parseRules(text: string, path: string): Schemas["NewRoutingRule"][] {
  const rules = parseJson(text);
  if (!Array.isArray(rules)) throw new CommandError(`${path} must be a JSON array of rules`, EXIT.usage);
  return rules;
}

function parseObject(text: string): object {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError("It must be a JSON object.");
  return value;
}

/** Parses JSON. Returns undefined if the text isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
