import { parseArgs } from "node:util";
import { ALL_SCOPES, SCOPES } from "../auth/key.ts";
import { PLAN_NAMES, type PlanName } from "../auth/plans.ts";
import { isWithin, normalizeHostname } from "../core/hosts.ts";
import { toIso } from "../core/time.ts";
import type { Settings } from "../env.ts";
import type { DatabaseTarget } from "./database.ts";
import {
  AdminError,
  addDomain,
  addMember,
  createKey,
  createWorkspace,
  listDomains,
  listKeys,
  listMembers,
  listWorkspaces,
  removeMember,
  revokeKey,
  rotateKey,
  setPlan,
} from "./records.ts";
import { settingsFor } from "./settings.ts";
import { StateFolder } from "./state.ts";

const USAGE = `npm run --silent admin -- COMMAND

  workspace create --slug S --name N --plan P [--description D] [--domain HOST]
  workspace list
  workspace set-plan S P
  domain add S HOST
  domain list S
  key create --workspace S [--name N] [--scopes a,b] [--expires-at T]
  key list S
  key revoke PREFIX
  key rotate PREFIX
  member add --workspace S --email E --name N
  member remove --workspace S --email E
  member list S

  Options of every command: --json, --remote, --env NAME, --persist-to DIR
  S is a workspace's slug, P one of ${PLAN_NAMES.join(", ")}. A key has every scope unless --scopes names some.`;

const OPTIONS = {
  slug: { type: "string" },
  name: { type: "string" },
  plan: { type: "string" },
  description: { type: "string" },
  domain: { type: "string" },
  workspace: { type: "string" },
  scopes: { type: "string" },
  "expires-at": { type: "string" },
  email: { type: "string" },
  json: { type: "boolean" },
  remote: { type: "boolean" },
  env: { type: "string" },
  "persist-to": { type: "string" },
} as const;

type OptionName = keyof typeof OPTIONS;
type Options = Partial<Record<OptionName, string | boolean>>;

/** What a command is given: its words after the verb, its options, and the deployment it works on. */
interface Invocation {
  words: string[];
  options: Options;
  target: DatabaseTarget;
  settings: Settings;
}

/** A command: how many words follow it, which options it takes, and what it does. */
interface Command {
  words: number;
  takes: readonly OptionName[];
  run(invocation: Invocation): Promise<unknown>;
}

const COMMANDS: Record<string, Command> = {
  "workspace create": {
    words: 0,
    takes: ["slug", "name", "plan", "description", "domain"],
    async run({ options, target, settings }) {
      const slug = slugOf(required(options, "slug"));
      const hostname = hostnameOf(text(options, "domain") ?? `${slug}.${settings.shortHost}`, settings);
      const created = await createWorkspace(target, {
        slug,
        name: named(required(options, "name")),
        plan: planOf(required(options, "plan")),
        description: text(options, "description") ?? "",
        hostname,
      });
      return { ...created, domain: shownHost(hostname, settings) };
    },
  },
  "workspace list": {
    words: 0,
    takes: [],
    async run({ target, settings }) {
      const workspaces = await listWorkspaces(target);
      return workspaces.map(({ hostname, created_at, ...workspace }) => ({
        ...workspace,
        domain: shownHost(String(hostname), settings),
        created_at: toIso(Number(created_at)),
      }));
    },
  },
  "workspace set-plan": {
    words: 2,
    takes: [],
    run: ({ words: [slug = "", plan = ""], target }) => setPlan(target, slug, planOf(plan)),
  },
  "domain add": {
    words: 2,
    takes: [],
    async run({ words: [slug = "", host = ""], target, settings }) {
      const hostname = hostnameOf(host, settings);
      await addDomain(target, slug, hostname);
      return { workspace: slug, domain: shownHost(hostname, settings) };
    },
  },
  "domain list": {
    words: 1,
    takes: [],
    async run({ words: [slug = ""], target, settings }) {
      const hostnames = await listDomains(target, slug);
      return hostnames.map((hostname) => ({ domain: shownHost(hostname, settings) }));
    },
  },
  "key create": {
    words: 0,
    takes: ["workspace", "name", "scopes", "expires-at"],
    run: ({ options, target }) =>
      createKey(target, required(options, "workspace"), {
        name: named(text(options, "name") ?? "key"),
        scopes: scopesOf(text(options, "scopes") ?? ALL_SCOPES),
        expiresAtMs: timeOf(text(options, "expires-at")),
      }),
  },
  "key list": { words: 1, takes: [], run: ({ words: [slug = ""], target }) => listKeys(target, slug) },
  "key revoke": {
    words: 1,
    takes: [],
    run: ({ words: [prefix = ""], target }) => revokeKey(target, prefixOf(prefix)),
  },
  "key rotate": {
    words: 1,
    takes: [],
    run: ({ words: [prefix = ""], target }) => rotateKey(target, prefixOf(prefix)),
  },
  "member add": {
    words: 0,
    takes: ["workspace", "email", "name"],
    run: ({ options, target }) =>
      addMember(
        target,
        required(options, "workspace"),
        emailOf(required(options, "email")),
        named(required(options, "name")),
      ),
  },
  "member remove": {
    words: 0,
    takes: ["workspace", "email"],
    run: ({ options, target }) =>
      removeMember(target, required(options, "workspace"), emailOf(required(options, "email"))),
  },
  "member list": { words: 1, takes: [], run: ({ words: [slug = ""], target }) => listMembers(target, slug) },
};

const COMMON: readonly OptionName[] = ["json", "remote", "env", "persist-to"];

async function main(args: string[]): Promise<void> {
  const { values: options, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [noun = "", verb = "", ...words] = positionals;
  const name = `${noun} ${verb}`;
  const command = COMMANDS[name];
  if (command === undefined)
    throw new AdminError(`${name.trim() || "no command"}: not a command\n\n${USAGE}`);
  if (words.length !== command.words)
    throw new AdminError(`${name}: takes ${command.words} words after it\n\n${USAGE}`);
  const stray = Object.keys(options).find(
    (option) => ![...command.takes, ...COMMON].includes(option as OptionName),
  );
  if (stray !== undefined) throw new AdminError(`${name}: does not take --${stray}`);

  const state = options.remote ? null : new StateFolder(options["persist-to"]);
  const target = { state, environment: options.env };
  const result = await command.run({ words, options, target, settings: settingsFor(state, options.env) });
  console.log(options.json ? JSON.stringify(result) : readable(result));
}

function text(options: Options, name: OptionName): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

function required(options: Options, name: OptionName): string {
  const value = text(options, name);
  if (value === undefined || value === "") throw new AdminError(`--${name} is required`);
  return value;
}

/** A workspace's slug is a label of its host name. */
function slugOf(slug: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
    throw new AdminError("--slug: must have 1 to 63 lower-case letters, digits and inner hyphens");
  }
  return slug;
}

const NAME_MAX_LENGTH = 200;

function named(name: string): string {
  if (name.length < 1 || name.length > NAME_MAX_LENGTH) {
    throw new AdminError(`--name: must have 1 to ${NAME_MAX_LENGTH} characters`);
  }
  return name;
}

function planOf(plan: string): PlanName {
  const known = PLAN_NAMES.find((name) => name === plan);
  if (known === undefined) throw new AdminError(`${plan}: no plan; there are ${PLAN_NAMES.join(", ")}`);
  return known;
}

/** A host's name without its port, which belongs to the deployment and not to the workspace. */
function hostnameOf(host: string, settings: Settings): string {
  const address = `${settings.shortScheme}${host}`;
  const hostname = URL.canParse(address) ? normalizeHostname(new URL(address).hostname) : "";
  if (
    !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(hostname) ||
    normalizeHostname(host.replace(/:\d+$/, "")) !== hostname
  ) {
    throw new AdminError(`${host}: not a host name`);
  }
  if (hostname === settings.bioHost || hostname === settings.cdnHost) {
    throw new AdminError(`${host}: serves bio pages or files already`);
  }
  return hostname;
}

/** A host below the deployment's own has its port; a customer's is shown as it was given. */
function shownHost(hostname: string, settings: Settings): string {
  return isWithin(hostname, settings.shortHost) ? `${hostname}${settings.shortPort}` : hostname;
}

function scopesOf(list: string): string[] {
  const scopes = list.split(",").map((scope) => scope.trim());
  const known: readonly string[] = [ALL_SCOPES, ...SCOPES];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw new AdminError(`${unknown || "(empty)"}: no scope; there are ${known.join(", ")}`);
  return [...new Set(scopes)];
}

function timeOf(time: string | undefined): number | null {
  if (time === undefined) return null;
  const timeMs = Date.parse(time);
  if (Number.isNaN(timeMs)) throw new AdminError("--expires-at: must be an ISO 8601 date-time");
  return timeMs;
}

/** A key may be named by its prefix alone, or as it begins in full. */
function prefixOf(prefix: string): string {
  const bare = prefix.replace(/^svc_pk_/, "").split(".")[0] ?? "";
  if (!/^[A-Za-z0-9]{8}$/.test(bare))
    throw new AdminError(`${prefix}: not the 8 characters of a key's prefix`);
  return bare;
}

function emailOf(email: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new AdminError(`${email}: not an e-mail address`);
  return email;
}

function readable(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? "(none)" : result.map(readable).join("\n\n");
  return Object.entries(result as object)
    .map(([name, value]) => `${name.padEnd(12)}${Array.isArray(value) ? value.join(", ") : (value ?? "-")}`)
    .join("\n");
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
