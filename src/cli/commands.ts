import { isWithinDomain } from "../core/hosts.ts";
import { toIso } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { DEFAULT_ROLE } from "../permissions/roles.ts";
import { ALL_SCOPES } from "../permissions/scopes.ts";

import { API_PATHS } from "../routing/api-paths.ts";

import type { Deployment } from "./admin-database.ts";
import { CommandError } from "./command.ts";
import { listScanCosts } from "./cost-records.ts";
import { listDeadLetters, parseQueue, replayDeadLetters } from "./dead-letter-records.ts";
import { listDomains, removeDomain } from "./domain-records.ts";
import { addMember, createSignInLink, listMembers, removeMember, setRole } from "./member-records.ts";
import { createKey, listKeys, listWorkspaces, revokeKey, rotateKey, setPlan } from "./records.ts";
import { createScimToken, listScimTokens, parseScimPrefix, revokeScimToken } from "./token-records.ts";
import {
  parseEmail,
  parseHostname,
  parseKeyPrefix,
  parsePlan,
  parseRole,
  parseScopes,
  parseShard,
  parseSlug,
  parseText,
  parseTime,
} from "./values.ts";
import { addDomain, createWorkspace, listShardSizes } from "./workspace-creation.ts";
import { deleteWorkspace } from "./workspace-deletion.ts";
import { moveWorkspace } from "./workspace-move.ts";

/** Options that only some commands accept. */
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
  role: { type: "string" },
  id: { type: "string" },
  shard: { type: "string" },
  yes: { type: "boolean" },
} as const;

export type CommandOption = keyof typeof COMMAND_OPTIONS;

/** Arguments of one run of a command. */
interface Invocation {
  /** Arguments after the verb. */
  words: string[];
  options: Partial<Record<Exclude<CommandOption, "yes">, string>> & { yes?: boolean };
  deployment: Deployment;
  settings: Settings;
}

/** Command of {@link COMMANDS}. */
interface Command {
  /** Number of arguments after the verb. */
  wordCount: number;
  /** Options that the command accepts. */
  options: readonly CommandOption[];
  /** Runs the command and returns the result to print. */
  run(invocation: Invocation): Promise<unknown>;
}

const NAME_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 2_000;

/** Commands of `npm run admin`, by noun and verb. */
export const COMMANDS: Record<string, Command> = {
  "workspace create": {
    wordCount: 0,
    options: ["slug", "name", "plan", "description", "domain", "shard"],
    async run({ options, deployment, settings }) {
      const slug = parseSlug(requireOption(options, "slug"));
      const hostname = parseHostname(options.domain ?? `${slug}.${settings.shortHost}`, settings);
      const created = await createWorkspace(deployment, {
        slug,
        name: parseName(requireOption(options, "name")),
        plan: parsePlan(requireOption(options, "plan")),
        description: parseText("description", options.description ?? "", 0, DESCRIPTION_MAX_LENGTH),
        hostname,
        shard: options.shard === undefined ? null : parseShard(options.shard),
      });
      return { ...created, domain: formatHost(hostname, settings) };
    },
  },
  "workspace list": {
    wordCount: 0,
    options: [],
    async run({ deployment, settings }) {
      const workspaces = await listWorkspaces(deployment);
      return workspaces.map(({ hostname, created_at, ...workspace }) => ({
        ...workspace,
        domain: formatHost(String(hostname), settings),
        created_at: toIso(Number(created_at)),
      }));
    },
  },
  "workspace set-plan": {
    wordCount: 2,
    options: [],
    run: ({ words: [slug = "", plan = ""], deployment }) => setPlan(deployment, slug, parsePlan(plan)),
  },
  "workspace move": {
    wordCount: 1,
    options: ["shard"],
    run: ({ words: [slug = ""], options, deployment }) =>
      moveWorkspace(deployment, slug, parseShard(requireOption(options, "shard"))),
  },
  "workspace delete": {
    wordCount: 1,
    options: ["yes"],
    async run({ words: [slug = ""], options, deployment }) {
      const { left, ...deleted } = await deleteWorkspace(deployment, slug, options.yes === true);
      return { ...deleted, ...left };
    },
  },
  "domain add": {
    wordCount: 2,
    options: [],
    async run({ words: [slug = "", host = ""], deployment, settings }) {
      const hostname = parseHostname(host, settings);
      await addDomain(deployment, slug, hostname);
      return { workspace: slug, domain: formatHost(hostname, settings) };
    },
  },
  "domain list": {
    wordCount: 1,
    options: [],
    async run({ words: [slug = ""], deployment, settings }) {
      const domains = await listDomains(deployment, slug);
      return domains.map(({ id, hostname, status, is_primary }) => ({
        domain: formatHost(String(hostname), settings),
        status,
        is_primary: is_primary === 1,
        id,
      }));
    },
  },
  "domain remove": {
    wordCount: 2,
    options: [],
    async run({ words: [slug = "", host = ""], deployment, settings }) {
      const hostname = parseHostname(host, settings);
      await removeDomain(deployment, slug, hostname);
      return { workspace: slug, domain: formatHost(hostname, settings), removed: true };
    },
  },
  "key create": {
    wordCount: 0,
    options: ["workspace", "name", "scopes", "expires-at"],
    run: ({ options, deployment }) =>
      createKey(deployment, requireOption(options, "workspace"), {
        name: parseName(options.name ?? "key"),
        scopes: parseScopes(options.scopes ?? ALL_SCOPES),
        expiresAtMs: parseExpiry(options["expires-at"]),
      }),
  },
  "key list": {
    wordCount: 1,
    options: [],
    run: ({ words: [slug = ""], deployment }) => listKeys(deployment, slug),
  },
  "key revoke": {
    wordCount: 1,
    options: [],
    run: ({ words: [prefix = ""], deployment }) => revokeKey(deployment, parseKeyPrefix(prefix)),
  },
  "key rotate": {
    wordCount: 1,
    options: [],
    run: ({ words: [prefix = ""], deployment }) => rotateKey(deployment, parseKeyPrefix(prefix)),
  },
  "member add": {
    wordCount: 0,
    options: ["workspace", "email", "name", "role"],
    run: ({ options, deployment }) =>
      addMember(deployment, requireOption(options, "workspace"), {
        email: parseEmail(requireOption(options, "email")),
        name: parseName(requireOption(options, "name")),
        role: parseRole(options.role ?? DEFAULT_ROLE),
      }),
  },
  "member set-role": {
    wordCount: 0,
    options: ["workspace", "email", "role"],
    run: ({ options, deployment }) =>
      setRole(
        deployment,
        requireOption(options, "workspace"),
        parseEmail(requireOption(options, "email")),
        parseRole(requireOption(options, "role")),
      ),
  },
  "sign-in-link": {
    wordCount: 0,
    options: ["workspace", "email"],
    run: ({ options, deployment, settings }) =>
      createSignInLink(
        deployment,
        requireOption(options, "workspace"),
        parseEmail(requireOption(options, "email")),
        settings.appUrl,
      ),
  },
  "member remove": {
    wordCount: 0,
    options: ["workspace", "email"],
    run: ({ options, deployment }) =>
      removeMember(
        deployment,
        requireOption(options, "workspace"),
        parseEmail(requireOption(options, "email")),
      ),
  },
  "member list": {
    wordCount: 1,
    options: [],
    run: ({ words: [slug = ""], deployment }) => listMembers(deployment, slug),
  },
  "scim-token create": {
    wordCount: 1,
    options: [],
    run: ({ words: [slug = ""], deployment, settings }) =>
      createScimToken(deployment, slug, settings.apiUrl + API_PATHS.scim),
  },
  "scim-token list": {
    wordCount: 1,
    options: [],
    run: ({ words: [slug = ""], deployment }) => listScimTokens(deployment, slug),
  },
  "scim-token revoke": {
    wordCount: 1,
    options: [],
    run: ({ words: [prefix = ""], deployment }) => revokeScimToken(deployment, parseScimPrefix(prefix)),
  },
  "shard list": {
    wordCount: 0,
    options: [],
    run: ({ deployment }) => listShardSizes(deployment),
  },
  "scans cost": {
    wordCount: 0,
    options: [],
    run: ({ deployment }) => listScanCosts(deployment),
  },
  "dead-letters list": {
    wordCount: 1,
    options: [],
    run: async ({ words: [queue = ""], deployment }) => listDeadLetters(deployment, parseQueue(queue)),
  },
  "dead-letters replay": {
    wordCount: 1,
    options: ["id"],
    run: async ({ words: [queue = ""], options, deployment }) =>
      replayDeadLetters(deployment, parseQueue(queue), options.id),
  },
};

function requireOption(options: Invocation["options"], name: Exclude<CommandOption, "yes">): string {
  const value = options[name];
  if (!value) throw new CommandError(`--${name} is required`);
  return value;
}

function parseName(text: string): string {
  return parseText("name", text, 1, NAME_MAX_LENGTH);
}

function parseExpiry(text: string | undefined): number | null {
  return text === undefined ? null : parseTime("expires-at", text);
}

/** Adds the port of the local start to a host below the short domain. Customers' own hosts have no port. */
function formatHost(hostname: string, settings: Settings): string {
  return isWithinDomain(hostname, settings.shortHost) ? `${hostname}${settings.shortPort}` : hostname;
}
