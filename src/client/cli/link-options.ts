import { type Command, InvalidArgumentError } from "commander";
import type { Schemas } from "../client.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { readBytes } from "./read-file.ts";
import type { Terminal } from "./terminal.ts";

/** Maximum size of a file with rules. It is larger than the service's own limit for rules. */
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
    .option("--title <text>", "title shown in lists")
    .option("--note <text>", "internal note")
    .option("--label <name>", "label; repeat for several", collect)
    .option("--starts-at <time>", "start time, such as 2026-12-01T08:00:00Z")
    .option("--expires-at <time>", "expiry time")
    .option("--expired-url <url>", "destination after expiry")
    .option("--max-scans <number>", "scan limit", parseInteger)
    .option("--rules <file>", "file with routing rules as a JSON array; - for standard input")
    .option(
      "--password",
      "protect the link with a password, entered at the prompt or piped to standard input",
    )
    .option("--data <json>", "additional API fields as a JSON object", parseObject);
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
    password: password === undefined ? undefined : await terminal.readSecret("Link password: "),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...data };
}

async function readRules(path: string, terminal: Terminal): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, terminal, RULES_MAX_BYTES));
}

/** Parses an option that must be a whole number. */
export function parseInteger(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Must be a whole number.");
  return Number(text);
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
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
    throw new InvalidArgumentError("Must be a JSON object.");
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
