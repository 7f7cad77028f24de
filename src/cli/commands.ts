import { ALL_SCOPES } from "../auth/key.ts";
import { isWithin } from "../core/hosts.ts";
import { toIso } from "../core/time.ts";
import type { Settings } from "../env.ts";
import type { Deployment } from "./admin-database.ts";
import { CommandError } from "./command.ts";
import {
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
import {
  parseEmail,
  parseHostname,
  parseKeyPrefix,
  parseMoment,
  parsePlan,
  parseScopes,
  parseSlug,
  parseText,
} from "./values.ts";

/** The options that take a value and belong to some commands only. */
export const COMMAND_OPTIONS = {
  slug: { type: "string" },
  name: { type: "string" },
  plan: { type: "string" },
  description: { type: "string" },
  domain: { type: "string" },
  workspace: { type: "string" },
  scopes: { type: "string" },
  "expires-at": { type: "string" },
  email: { type: "string" },
} as const;

export type CommandOption = keyof typeof COMMAND_OPTIONS;

/** What a command is given: its words after the verb, its options, and the deployment it works on. */
interface Invocation {
  words: string[];
  options: Partial<Record<CommandOption, string>>;
  target: Deployment;
  settings: Settings;
}

/** A command: how many words follow it, which options it takes, and what it does. */
interface Command {
  words: number;
  takes: readonly CommandOption[];
  run(invocation: Invocation): Promise<unknown>;
}

const NAME_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 2_000;

/** The commands of the admin command, by noun and verb (decisions section 10). */
export const COMMANDS: Record<string, Command> = {
  "workspace create": {
    words: 0,
    takes: ["slug", "name", "plan", "description", "domain"],
    async run({ options, target, settings }) {
      const slug = parseSlug(required(options, "slug"));
      const hostname = parseHostname(options.domain ?? `${slug}.${settings.shortHost}`, settings);
      const created = await createWorkspace(target, {
        slug,
        name: nameOf(required(options, "name")),
        plan: parsePlan(required(options, "plan")),
        description: parseText("description", options.description ?? "", 0, DESCRIPTION_MAX_LENGTH),
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
    run: ({ words: [slug = "", plan = ""], target }) => setPlan(target, slug, parsePlan(plan)),
  },
  "domain add": {
    words: 2,
    takes: [],
    async run({ words: [slug = "", host = ""], target, settings }) {
      const hostname = parseHostname(host, settings);
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
        name: nameOf(options.name ?? "key"),
        scopes: parseScopes(options.scopes ?? ALL_SCOPES),
        expiresAtMs: expiryOf(options["expires-at"]),
      }),
  },
  "key list": { words: 1, takes: [], run: ({ words: [slug = ""], target }) => listKeys(target, slug) },
  "key revoke": {
    words: 1,
    takes: [],
    run: ({ words: [prefix = ""], target }) => revokeKey(target, parseKeyPrefix(prefix)),
  },
  "key rotate": {
    words: 1,
    takes: [],
    run: ({ words: [prefix = ""], target }) => rotateKey(target, parseKeyPrefix(prefix)),
  },
  "member add": {
    words: 0,
    takes: ["workspace", "email", "name"],
    run: ({ options, target }) =>
      addMember(
        target,
        required(options, "workspace"),
        parseEmail(required(options, "email")),
        nameOf(required(options, "name")),
      ),
  },
  "member remove": {
    words: 0,
    takes: ["workspace", "email"],
    run: ({ options, target }) =>
      removeMember(target, required(options, "workspace"), parseEmail(required(options, "email"))),
  },
  "member list": { words: 1, takes: [], run: ({ words: [slug = ""], target }) => listMembers(target, slug) },
};

function required(options: Invocation["options"], name: CommandOption): string {
  const value = options[name];
  if (!value) throw new CommandError(`--${name} is required`);
  return value;
}

function nameOf(text: string): string {
  return parseText("name", text, 1, NAME_MAX_LENGTH);
}

function expiryOf(text: string | undefined): number | null {
  return text === undefined ? null : parseMoment("expires-at", text);
}

/** A host below the deployment's own has its port; a customer's is shown as it was given. */
function shownHost(hostname: string, settings: Settings): string {
  return isWithin(hostname, settings.shortHost) ? `${hostname}${settings.shortPort}` : hostname;
}
