import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { CommandError } from "./command-error.ts";
import type { AccountReader, RunWrangler } from "./deployment-account.ts";
import { listMigrations } from "./deployment-checks.ts";
import type {
  DeclaredBucket,
  DeclaredDatabase,
  DeclaredEnvironment,
  DeclaredQueue,
} from "./deployment-config.ts";
import { extractErrorMessage } from "./wrangler.ts";

/** Maximum retention of a queue, used for dead-letter queues: 14 days. */
const RETENTION_MAX_SECONDS = 1_209_600;
const SECRET_BYTES = 32;

/**
 * Matches Cloudflare's error for a resource that already exists, for example because a parallel run
 * created it.
 */
const TAKEN = /already (?:exists|taken|in use)/i;

/** State of one step of a deployment, as found in the account. */
export interface Finding {
  title: string;
  /** Current state, or the change to make. */
  note: string;
  /** Makes the change and returns the new state. Absent if nothing needs to change. */
  apply?: () => Promise<string>;
  /** True if `apply` only repeats settings that should already be in place. */
  isConfirmation?: boolean;
}

/**
 * Step of a deployment. Checks the current state first, so that a repeated or resumed run makes only
 * missing changes.
 */
export type DeploymentStep = () => Promise<Finding>;

/** Tools and arguments of a deployment's steps. */
export interface StepContext {
  environment: string;
  declared: DeclaredEnvironment;
  /** Location of new databases and buckets, such as `weur`. Null lets Cloudflare choose. */
  location: string | null;
  /** Folder of wrangler.toml. */
  folder: string;
  /** IDs of the account's databases by name. */
  databases: ReadonlyMap<string, string>;
  /** Tag of the version to deploy. */
  tag: string;
  account: AccountReader;
  run: RunWrangler;
  /** Runs wrangler so that it can prompt the user, if there is a terminal. */
  runInteractively: RunWrangler;
}

/** Lists the steps of a deployment in order. The Worker comes last, because it needs the other resources. */
export function listSteps(context: StepContext): DeploymentStep[] {
  const { databases, buckets, queues } = context.declared;
  let existing: Promise<Set<string>> | undefined;
  const readQueues = () => (existing ??= context.account.listQueues());
  return [
    ...databases.map((database) => () => findDatabase(context, database)),
    ...buckets.map((bucket) => () => findBucket(context, bucket)),
    ...queues.map((queue) => async () => findQueue(context, queue, await readQueues())),
    ...databases.map((database) => () => findMigrations(context, database)),
    () => findSecrets(context),
    () => findWorker(context),
  ];
}

async function findDatabase(context: StepContext, { name }: DeclaredDatabase): Promise<Finding> {
  const flags = formatPlace(context, context.declared.jurisdiction);
  return findResource(context, `database ${name}`, context.databases.has(name), [
    "d1",
    "create",
    name,
    ...flags,
  ]);
}

async function findBucket(context: StepContext, bucket: DeclaredBucket): Promise<Finding> {
  const { name, jurisdiction } = bucket;
  const flags = formatPlace(context, jurisdiction);
  const exists = await context.account.hasBucket(bucket);
  return findResource(context, `bucket ${name}`, exists, ["r2", "bucket", "create", name, ...flags]);
}

/** Returns wrangler's flags for the place of a new resource. A jurisdiction already determines the location. */
function formatPlace({ location }: StepContext, jurisdiction: string | null): string[] {
  if (jurisdiction !== null) return ["--jurisdiction", jurisdiction];
  return location === null ? [] : ["--location", location];
}

function findQueue(
  context: StepContext,
  { name, isDeadLetter }: DeclaredQueue,
  existing: ReadonlySet<string>,
): Finding {
  const flags = isDeadLetter ? ["--message-retention-period-secs", String(RETENTION_MAX_SECONDS)] : [];
  return findResource(context, `queue ${name}`, existing.has(name), ["queues", "create", name, ...flags]);
}

function findResource(
  context: StepContext,
  title: string,
  exists: boolean,
  creation: readonly string[],
): Finding {
  if (exists) return { title, note: "exists" };
  const apply = async () => {
    const result = await context.run([...creation, "--env", context.environment]);
    if (result.ok) return "created";
    if (TAKEN.test(result.stdout + result.stderr)) return "exists";
    throw new CommandError(extractErrorMessage(result));
  };
  return { title, note: "would be created", apply };
}

async function findMigrations(context: StepContext, database: DeclaredDatabase): Promise<Finding> {
  const { binding, name, migrationsFolder } = database;
  const title = `migrations of ${binding}`;
  const all = listMigrations(join(context.folder, migrationsFolder ?? ""));
  const applied = context.databases.has(name)
    ? await context.account.listAppliedMigrations(database)
    : new Set();
  const pending = all.filter((migration) => !applied.has(migration));
  if (pending.length === 0) return { title, note: `${all.length} applied` };
  const apply = async () => {
    const flags = ["--remote", "--env", context.environment];
    const result = await context.run(["d1", "migrations", "apply", binding, ...flags]);
    if (!result.ok) throw new CommandError(extractErrorMessage(result));
    return `${pending.length} applied`;
  };
  return { title, note: `${pending.length} would be applied`, apply };
}

/**
 * Generates missing secrets. If no Worker is deployed yet, wrangler first creates an empty Worker without
 * routes.
 */
async function findSecrets({ account, declared, environment, run }: StepContext): Promise<Finding> {
  const existing = (await account.listSecrets()) ?? [];
  const missing = declared.secrets.filter((name) => !existing.includes(name));
  if (missing.length === 0) return { title: `secrets ${declared.secrets.join(", ")}`, note: "exist" };
  const apply = async () => {
    const values = missing.map((name) => [name, randomBytes(SECRET_BYTES).toString("base64url")]);
    const input = JSON.stringify(Object.fromEntries(values));
    const result = await run(["secret", "bulk", "--env", environment], input);
    if (!result.ok) throw new CommandError(extractErrorMessage(result));
    return "generated";
  };
  return { title: `secrets ${missing.join(", ")}`, note: "would be generated", apply };
}

/**
 * Deploys the Worker with its routes, domains, consumers and cron. If this version is already deployed,
 * doesn't upload it again, because that would only restart all instances. Still sets the routes, domains,
 * consumers and cron again, because an earlier run may have failed after the upload.
 */
async function findWorker({
  account,
  declared,
  environment,
  tag,
  runInteractively,
}: StepContext): Promise<Finding> {
  const title = `Worker ${declared.worker}`;
  const isDeployed = (await account.findDeployedTag()) === tag;
  const command = isDeployed ? ["triggers", "deploy"] : ["deploy", "--tag", tag];
  const note = isDeployed ? "this version is deployed" : "deployed";
  const apply = async () => {
    const result = await runInteractively([...command, "--env", environment]);
    if (!result.ok) throw new CommandError(extractErrorMessage(result) || "wrangler failed, see above");
    return note;
  };
  return { title, note: isDeployed ? note : "would be deployed", apply, isConfirmation: isDeployed };
}
