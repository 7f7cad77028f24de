import { Argument, type Command, Help, Option } from "commander";
import { isWithinDomain } from "../core/hosts.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { MESSAGE_KINDS, type MessageKind } from "../dead-letters/queue-name.ts";
import type { Settings } from "../env.ts";
import { DEFAULT_ROLE, ROLES, type Role } from "../permissions/roles.ts";
import { ALL_SCOPES } from "../permissions/scopes.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { PLAN_NAMES, type PlanName } from "../tenant/plans.ts";
import type { Deployment } from "./admin-database.ts";
import {
  createBackupFile,
  fetchNightlyBackup,
  listNightlyBackups,
  restoreBackupFile,
  resumePausedWebhooks,
} from "./backup-records.ts";
import { listScanCosts } from "./cost-records.ts";
import { listDeadLetters, parseQueue, replayDeadLetters } from "./dead-letter-records.ts";
import { listDomains, removeDomain } from "./domain-records.ts";
import { addMember, createSignInLink, listMembers, removeMember, setRole } from "./member-records.ts";
import { listNames, releaseName, reserveName } from "./name-records.ts";
import {
  createKey,
  listKeys,
  listOperatorLog,
  listWorkspaces,
  revokeKey,
  rotateKey,
  setPlan,
} from "./records.ts";
import { createCommand } from "./run-command.ts";
import { listBanned, listBlocked, setBanned, setBlocked, setSuspended } from "./safety-records.ts";
import { fetchStatus, formatStatus } from "./status.ts";
import { createScimToken, listScimTokens, parseScimPrefix, revokeScimToken } from "./token-records.ts";
import {
  parseBlockedHost,
  parseDnsName,
  parseEmail,
  parseHeldName,
  parseHostname,
  parseKeyPrefix,
  parseScopes,
  parseShard,
  parseSlug,
  parseText,
  parseTime,
} from "./values.ts";
import { exportWorkspaceFile, formatImport, importWorkspaceFile } from "./workspace-archive.ts";
import { addDomain, createWorkspace, listShardSizes, type NewWorkspace } from "./workspace-creation.ts";
import { deleteWorkspace } from "./workspace-deletion.ts";
import { moveWorkspace } from "./workspace-move.ts";

/**
 * Runs a command on the chosen deployment and prints its result, formatted by `format` unless as JSON. `claimsState`
 * creates the local data's folder if it is missing, and locks it.
 */
type Execute = <Result>(
  run: (context: { deployment: Deployment; settings: Settings }) => Promise<Result>,
  format?: (result: Result) => string,
  options?: { claimsState: boolean },
) => Promise<void>;

interface WorkspaceOptions extends Pick<NewWorkspace, "slug" | "name" | "plan"> {
  description?: string;
  domain?: string;
  shard?: number | null;
}

interface ImportOptions {
  shard?: number | null;
  resumeWebhooks?: boolean;
}

interface MemberOptions {
  workspace: string;
  email: string;
}

interface KeyOptions {
  workspace: string;
  name: string;
  scopes?: readonly string[];
  expiresAt?: number | null;
}

const NAME_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 2_000;

/** Builds `npm run admin` with all its commands. */
export function buildAdmin(execute: Execute): Command {
  const help = new Help();
  const program: Command = createCommand("admin")
    .description("Manage workspaces, keys, members and dead letters. A workspace is given by its slug.")
    .option("--json", "print the result as JSON")
    .option("--remote", "use the deployment on Cloudflare instead of the local data")
    .option("--env <name>", "environment of wrangler.toml, such as production")
    .option("--persist-to <folder>", "folder of the local data (default: .signpost)")
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: listRunnable,
      optionDescription: (option) => help.optionDescription(option) + (option.mandatory ? " (required)" : ""),
      subcommandTerm: (command) =>
        (command.parent === program ? "" : `${command.parent?.name()} `) + help.subcommandTerm(command),
    });
  addWorkspaceCommands(program, execute);
  addDomainCommands(program, execute);
  addKeyCommands(program, execute);
  addMemberCommands(program, execute);
  addScimTokenCommands(program, execute);
  addNameCommands(program, execute);
  addSafetyCommands(program, execute);
  addOperationCommands(program, execute);
  addBackupCommands(program, execute);
  return program;
}

/** Lists all commands below a command except groups, so that `--help` shows the whole list. */
function listRunnable(command: Command): Command[] {
  return command.commands.flatMap((each) => (each.commands.length > 0 ? listRunnable(each) : [each]));
}

function addWorkspaceCommands(program: Command, execute: Execute): void {
  const workspaces = program.command("workspace").description("create, list, change and delete workspaces");
  workspaces
    .command("create")
    .description("create a workspace")
    .requiredOption("--slug <slug>", "slug, such as acme", parseSlug)
    .requiredOption("--name <name>", "name", parseName)
    .addOption(new Option("--plan <plan>", "plan").choices(PLAN_NAMES).makeOptionMandatory())
    .option("--description <text>", "description", parseDescription)
    .option("--domain <host>", "domain of its short URLs (default: a subdomain of the short domain)")
    .option("--shard <number>", "shard for its data (default: the smallest)", parseShard)
    .action(({ domain, description = "", shard = null, ...fields }: WorkspaceOptions) =>
      execute(async ({ deployment, settings }) => {
        const hostname = parseHostname(domain ?? `${fields.slug}.${settings.shortHost}`, settings);
        const created = await createWorkspace(deployment, { ...fields, description, shard, hostname });
        return { ...created, domain: formatHost(hostname, settings) };
      }),
    );
  workspaces
    .command("list")
    .description("list all workspaces, oldest first")
    .action(() =>
      execute(async ({ deployment, settings }) => {
        const rows = await listWorkspaces(deployment);
        return rows.map(({ hostname, created_at, suspended_at, ...workspace }) => ({
          ...workspace,
          domain: formatHost(String(hostname), settings),
          created_at: toIso(Number(created_at)),
          suspended_at: toIsoOrNull(suspended_at as number | null),
        }));
      }),
    );
  workspaces
    .command("set-plan <slug>")
    .description("change a workspace's plan")
    .addArgument(new Argument("<plan>", "plan").choices(PLAN_NAMES))
    .action((slug: string, plan: PlanName) => execute(({ deployment }) => setPlan(deployment, slug, plan)));
  workspaces
    .command("move <slug>")
    .description("move a workspace's data to another shard")
    .requiredOption("--shard <number>", "shard to move it to", parseShard)
    .action((slug: string, { shard }: { shard: number }) =>
      execute(({ deployment }) => moveWorkspace(deployment, slug, shard)),
    );
  workspaces
    .command("export <slug> <file>")
    .description("write everything that belongs to a workspace to a new file, for another installation")
    .action((slug: string, file: string) => execute((context) => exportWorkspaceFile(context, slug, file)));
  workspaces
    .command("import <file>")
    .description("add a workspace from a file that `workspace export` wrote; its webhooks stay paused")
    .option("--shard <number>", "shard for its data (default: the smallest)", parseShard)
    .option("--resume-webhooks", "send its webhooks at once, or those that have waited since the import")
    .action((file: string, { shard = null, resumeWebhooks = false }: ImportOptions) =>
      execute(
        (context) => importWorkspaceFile(context, file, { shard, resumesWebhooks: resumeWebhooks }),
        formatImport,
      ),
    );
  for (const [name, isSuspended, does] of [
    ["suspend", true, "stop a workspace's links, pages and files, and block changes; nothing is deleted"],
    ["resume", false, "end a workspace's suspension"],
  ] as const) {
    workspaces
      .command(`${name} <slug>`)
      .description(does)
      .action((slug: string) => execute(({ deployment }) => setSuspended(deployment, slug, isSuspended)));
  }
  workspaces
    .command("delete <slug>")
    .description("delete a workspace permanently, with all its data")
    .option("--yes", "confirm the deletion; without it, only show what would be deleted")
    .action((slug: string, { yes }: { yes?: true }) =>
      execute(async ({ deployment }) => {
        const { left, ...deleted } = await deleteWorkspace(deployment, slug, yes === true);
        return { ...deleted, ...left };
      }),
    );
}

function addDomainCommands(program: Command, execute: Execute): void {
  const domains = program.command("domain").description("add, list and remove a workspace's domains");
  domains
    .command("add <workspace> <host>")
    .description("add a domain for short URLs to a workspace")
    .action((slug: string, host: string) =>
      execute(async ({ deployment, settings }) => {
        const hostname = parseHostname(host, settings);
        await addDomain(deployment, slug, hostname);
        return { workspace: slug, domain: formatHost(hostname, settings) };
      }),
    );
  domains
    .command("list <workspace>")
    .description("list a workspace's domains")
    .action((slug: string) =>
      execute(async ({ deployment, settings }) => {
        const rows = await listDomains(deployment, slug);
        return rows.map(({ id, hostname, status, is_primary }) => ({
          domain: formatHost(String(hostname), settings),
          status,
          is_primary: is_primary === 1,
          id,
        }));
      }),
    );
  domains
    .command("remove <workspace> <host>")
    .description("remove a domain from a workspace")
    .action((slug: string, host: string) =>
      execute(async ({ deployment, settings }) => {
        const hostname = parseHostname(host, settings);
        await removeDomain(deployment, slug, hostname);
        return { workspace: slug, domain: formatHost(hostname, settings), removed: true };
      }),
    );
}

function addNameCommands(program: Command, execute: Execute): void {
  const names = program.command("name").description("reserve and release hosts and slugs of bio pages");
  const example = "a label below the short domain, a host, or /slug of a bio page";
  names
    .command("list")
    .description("list names that were reserved or released, or are kept for the workspace that used them")
    .action(() => execute(({ deployment }) => listNames(deployment)));
  names
    .command("reserve")
    .description("keep a name from all workspaces that don't have it")
    .argument("<name>", example)
    .action((name: string) =>
      execute(({ deployment, settings }) => reserveName(deployment, parseHeldName(name, settings))),
    );
  names
    .command("release")
    .description("let any workspace have a name that is reserved or kept for another one")
    .argument("<name>", example)
    .action((name: string) =>
      execute(({ deployment, settings }) => releaseName(deployment, settings, parseHeldName(name, settings))),
    );
}

function addSafetyCommands(program: Command, execute: Execute): void {
  const links = program.command("link").description("ban and unban links, and list banned links");
  for (const [name, isBanned, does] of [
    ["ban", true, "stop a link; it stays in its workspace but can't be changed or deleted"],
    ["unban", false, "lift the ban of a link"],
  ] as const) {
    links
      .command(name)
      .description(does)
      .argument("<link>", "short URL or ID of the link")
      .action((link: string) =>
        execute(({ deployment, settings }) => setBanned(deployment, settings, link, isBanned)),
      );
  }
  links
    .command("list-banned")
    .description("list banned links, the most recently banned first")
    .action(() => execute(({ deployment, settings }) => listBanned(deployment, settings)));
  const destinations = program.command("destination").description("block and unblock destinations");
  for (const [name, isBlocked, does] of [
    ["block", true, "stop all links to a host and to names below it, and reject new ones"],
    ["unblock", false, "allow links to a host again"],
  ] as const) {
    destinations
      .command(name)
      .description(does)
      .argument("<host>", "host, or a URL on it")
      .action((host: string) =>
        execute(({ deployment, settings }) =>
          setBlocked(deployment, parseBlockedHost(host, settings), isBlocked),
        ),
      );
  }
  destinations
    .command("list")
    .description("list blocked hosts")
    .action(() => execute(({ deployment }) => listBlocked(deployment)));
}

function addKeyCommands(program: Command, execute: Execute): void {
  const keys = program.command("key").description("create, list, rotate and revoke API keys");
  keys
    .command("create")
    .description("create an API key; it is shown only once")
    .requiredOption("--workspace <slug>", "workspace")
    .option("--name <name>", "name", parseName, "key")
    .option("--scopes <scopes>", "scopes, separated by commas (default: all)", parseScopes)
    .option("--expires-at <time>", "expiry time, such as 2026-12-01T08:00:00Z (default: never)", parseExpiry)
    .action(({ workspace, name, scopes = [ALL_SCOPES], expiresAt = null }: KeyOptions) =>
      execute(({ deployment }) => createKey(deployment, workspace, { name, scopes, expiresAtMs: expiresAt })),
    );
  keys
    .command("list <workspace>")
    .description("list a workspace's API keys, oldest first")
    .action((slug: string) => execute(({ deployment }) => listKeys(deployment, slug)));
  keys
    .command("revoke")
    .description("revoke an API key immediately")
    .argument("<prefix>", "the key or its prefix of 8 characters", parseKeyPrefix)
    .action((prefix: string) => execute(({ deployment }) => revokeKey(deployment, prefix)));
  keys
    .command("rotate")
    .description("replace an API key and revoke the old one immediately")
    .argument("<prefix>", "the key or its prefix of 8 characters", parseKeyPrefix)
    .action((prefix: string) => execute(({ deployment }) => rotateKey(deployment, prefix)));
}

function addMemberCommands(program: Command, execute: Execute): void {
  const members = program.command("member").description("add, list, change and remove members");
  const addMemberCommand = (parent: Command, name: string) =>
    parent
      .command(name)
      .requiredOption("--workspace <slug>", "workspace")
      .requiredOption("--email <email>", "email address of the member", parseEmail);
  addMemberCommand(members, "add")
    .description("add a member to a workspace")
    .requiredOption("--name <name>", "name of the member", parseName)
    .addOption(new Option("--role <role>", "role").choices(ROLES).default(DEFAULT_ROLE))
    .action(({ workspace, ...member }: MemberOptions & { name: string; role: Role }) =>
      execute(({ deployment }) => addMember(deployment, workspace, member)),
    );
  addMemberCommand(members, "set-role")
    .description("change a member's role")
    .addOption(new Option("--role <role>", "role").choices(ROLES).makeOptionMandatory())
    .action(({ workspace, email, role }: MemberOptions & { role: Role }) =>
      execute(({ deployment }) => setRole(deployment, workspace, email, role)),
    );
  addMemberCommand(members, "remove")
    .description("remove a member from a workspace")
    .action(({ workspace, email }: MemberOptions) =>
      execute(({ deployment }) => removeMember(deployment, workspace, email)),
    );
  members
    .command("list <workspace>")
    .description("list a workspace's members")
    .action((slug: string) => execute(({ deployment }) => listMembers(deployment, slug)));
  addMemberCommand(program, "sign-in-link")
    .description("create a URL that signs a member in once, within 15 minutes")
    .action(({ workspace, email }: MemberOptions) =>
      execute(({ deployment, settings }) => createSignInLink(deployment, workspace, email, settings.appUrl)),
    );
}

function addScimTokenCommands(program: Command, execute: Execute): void {
  const tokens = program.command("scim-token").description("create, list and revoke SCIM tokens");
  tokens
    .command("create <workspace>")
    .description("create a token for an identity provider; it is shown only once")
    .option(
      "--email-domain <domain>",
      "domain of email addresses whose owners need not accept their membership; repeat it for several",
      (text, former: string[]) => [...former, parseDnsName(text)],
      [],
    )
    .action((slug: string, { emailDomain }: { emailDomain: string[] }) =>
      execute(({ deployment, settings }) =>
        createScimToken(deployment, slug, settings.apiUrl + API_PATHS.scim, emailDomain),
      ),
    );
  tokens
    .command("list <workspace>")
    .description("list a workspace's SCIM tokens, oldest first")
    .action((slug: string) => execute(({ deployment }) => listScimTokens(deployment, slug)));
  tokens
    .command("revoke")
    .description("revoke a SCIM token immediately")
    .argument("<prefix>", "the token or its prefix of 8 characters", parseScimPrefix)
    .action((prefix: string) => execute(({ deployment }) => revokeScimToken(deployment, prefix)));
}

function addOperationCommands(program: Command, execute: Execute): void {
  program
    .command("status")
    .description(
      "check queues, databases, deliveries, sweeps and failed requests; exit status 1 if something is wrong",
    )
    .action(() =>
      execute(async ({ deployment, settings }) => {
        const status = await fetchStatus(deployment, settings);
        if (!status.ok) process.exitCode = 1;
        return status;
      }, formatStatus),
    );
  program
    .command("log")
    .description("list the last 100 commands about names and destinations, newest first")
    .action(() => execute(({ deployment }) => listOperatorLog(deployment)));
  program
    .command("shard")
    .description("show the shards")
    .command("list")
    .description("list the shards with their workspaces and sizes")
    .action(() => execute(({ deployment }) => listShardSizes(deployment)));
  program
    .command("scans")
    .description("show what scans cost")
    .command("cost")
    .description("show scans counted and D1 rows written per day, for the last 92 days")
    .action(() => execute(({ deployment }) => listScanCosts(deployment)));
  const deadLetters = program
    .command("dead-letters")
    .description("list and replay messages that failed processing, which are kept for 14 days");
  const queue = new Argument("<queue>", `queue: ${MESSAGE_KINDS.join(", ")}`).argParser(parseQueue);
  deadLetters
    .command("list")
    .description("list the messages of a queue that failed processing; they are kept for 14 days")
    .addArgument(queue)
    .action((kind: MessageKind) => execute(({ deployment }) => listDeadLetters(deployment, kind)));
  deadLetters
    .command("replay")
    .description("requeue messages that failed processing, within about a minute")
    .addArgument(queue)
    .option("--id <id>", "only the message with this ID")
    .action((kind: MessageKind, { id }: { id?: string }) =>
      execute(({ deployment }) => replayDeadLetters(deployment, kind, id)),
    );
}

function addBackupCommands(program: Command, execute: Execute): void {
  const backups = program.command("backup").description("back up and restore everything");
  backups
    .command("create <file>")
    .description("write all databases and files to a new file, while the service runs")
    .action((file: string) => execute(({ deployment }) => createBackupFile(deployment, file)));
  backups
    .command("list")
    .description("list the nightly backups of a deployment, oldest first")
    .action(() => execute(({ deployment }) => listNightlyBackups(deployment)));
  backups
    .command("fetch <day> <file>")
    .description("write a nightly backup of a deployment, such as 2026-01-31, to a new file")
    .action((day: string, file: string) =>
      execute(({ deployment }) => fetchNightlyBackup(deployment, day, file)),
    );
  backups
    .command("restore [file]")
    .description("restore a backup into an empty installation whose service is stopped; webhooks stay paused")
    .option("--resume-webhooks", "send the webhooks that have waited since the restore")
    .action((file: string | undefined, { resumeWebhooks }: { resumeWebhooks?: true }) =>
      resumeWebhooks
        ? execute(({ deployment }) => resumePausedWebhooks(deployment))
        : execute(({ deployment }) => restoreBackupFile(deployment, file), undefined, { claimsState: true }),
    );
}

function parseName(text: string): string {
  return parseText("name", text, 1, NAME_MAX_LENGTH);
}

function parseDescription(text: string): string {
  return parseText("description", text, 0, DESCRIPTION_MAX_LENGTH);
}

function parseExpiry(text: string): number {
  return parseTime("expires-at", text);
}

/** Adds the local service's port to a host below the short domain. Customers' own hosts get no port. */
function formatHost(hostname: string, settings: Settings): string {
  return isWithinDomain(hostname, settings.shortHost) ? `${hostname}${settings.shortPort}` : hostname;
}
