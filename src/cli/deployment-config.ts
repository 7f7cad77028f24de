import type { Unstable_Config } from "wrangler";
import { CommandError } from "./command-error.ts";
import { readConfig, requireEnvironment } from "./settings.ts";

/** D1 database that an environment binds. */
export interface DeclaredDatabase {
  binding: string;
  /** Empty if not set. */
  name: string;
  /** Null if wrangler.toml has no ID. Wrangler then finds the database by its name. */
  id: string | null;
  /** Folder of the migrations, relative to wrangler.toml. Null if not set. */
  migrationsFolder: string | null;
  /** Table in which wrangler records applied migrations. */
  migrationsTable: string;
}

/** R2 bucket that an environment binds. */
export interface DeclaredBucket {
  /** Empty if not set. */
  name: string;
  jurisdiction: string | null;
}

/** Queue that an environment sends to, consumes, or names as a dead-letter queue. */
export interface DeclaredQueue {
  name: string;
  isDeadLetter: boolean;
}

/** Route or custom domain of the Worker. */
export interface DeclaredRoute {
  pattern: string;
  isCustomDomain: boolean;
  /** Name of the zone. Null if the route has no zone, or names the zone by its ID. */
  zone: string | null;
}

/** Settings of one environment in wrangler.toml that a deployment uses. */
export interface DeclaredEnvironment {
  /** Name of the Worker. */
  worker: string;
  vars: Readonly<Record<string, unknown>>;
  routes: DeclaredRoute[];
  /** The directory comes first, because shards depend on it. The others keep their order. */
  databases: DeclaredDatabase[];
  buckets: DeclaredBucket[];
  /** Jurisdiction of databases and Durable Objects, such as `eu`. Null if they may be anywhere. */
  jurisdiction: string | null;
  queues: DeclaredQueue[];
  secrets: string[];
  crons: string[];
  /** Names of all bindings. */
  bindings: string[];
  /** All settings of the environment as JSON, the same on every machine. */
  text: string;
}

const MIGRATIONS_TABLE = "d1_migrations";
const DIRECTORY_BINDING = "DIRECTORY";

/**
 * Reads the settings of an environment, and the top-level settings for the local service. Throws
 * {@link CommandError} if the environment doesn't exist or wrangler.toml is invalid.
 */
export async function readEnvironment(
  name: string,
  file?: string,
): Promise<{ declared: DeclaredEnvironment; local: DeclaredEnvironment }> {
  try {
    await requireEnvironment(name, file);
    const [declared, local] = await Promise.all([readConfig(name, file), readConfig(undefined, file)]);
    return { declared: listDeclarations(declared), local: listDeclarations(local) };
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError(`wrangler.toml: ${(error as Error).message}`);
  }
}

/** Converts wrangler's configuration to the settings that a deployment uses. */
export function listDeclarations(config: Unstable_Config): DeclaredEnvironment {
  const databases = config.d1_databases.map((database) => ({
    binding: database.binding,
    name: database.database_name ?? "",
    id: database.database_id ?? null,
    migrationsFolder: database.migrations_dir ?? null,
    migrationsTable: database.migrations_table ?? MIGRATIONS_TABLE,
  }));
  const getRank = ({ binding }: DeclaredDatabase) => (binding === DIRECTORY_BINDING ? 0 : 1);
  return {
    worker: config.name ?? "",
    vars: config.vars,
    routes: (config.routes ?? []).map(parseRoute),
    databases: databases.sort((one, other) => getRank(one) - getRank(other)),
    buckets: config.r2_buckets.map(({ bucket_name, jurisdiction }) => ({
      name: bucket_name ?? "",
      jurisdiction: jurisdiction ?? null,
    })),
    jurisdiction: String(config.vars.JURISDICTION ?? "") || null,
    queues: listQueues(config.queues),
    secrets: config.secrets?.required ?? [],
    crons: config.triggers.crons ?? [],
    bindings: listBindings(config),
    text: formatConfig(config),
  };
}

function parseRoute(route: NonNullable<Unstable_Config["routes"]>[number]): DeclaredRoute {
  if (typeof route === "string") return { pattern: route, isCustomDomain: false, zone: null };
  return {
    pattern: route.pattern,
    isCustomDomain: "custom_domain" in route && route.custom_domain === true,
    zone: "zone_name" in route ? (route.zone_name ?? null) : null,
  };
}

/** Lists every queue once, dead-letter queues last. */
function listQueues({ producers = [], consumers = [] }: Unstable_Config["queues"]): DeclaredQueue[] {
  const dead = new Set(consumers.flatMap(({ dead_letter_queue: name }) => name ?? []));
  const used = [...producers, ...consumers].flatMap(({ queue }) => queue ?? []);
  const names = new Set([...used.filter((name) => !dead.has(name)), ...dead]);
  return [...names].map((name) => ({ name, isDeadLetter: dead.has(name) }));
}

function listBindings(config: Unstable_Config): string[] {
  return [
    ...[...config.d1_databases, ...config.r2_buckets, ...(config.queues.producers ?? [])],
    ...config.analytics_engine_datasets,
  ]
    .map(({ binding }) => binding)
    .concat([...config.durable_objects.bindings, ...config.ratelimits].map(({ name }) => name));
}

/**
 * Formats a configuration as JSON, without the folder of wrangler.toml and the names of other
 * environments.
 */
function formatConfig({ definedEnvironments: _, ...config }: Unstable_Config): string {
  const folder = (config.configPath ?? "").replace(/[^/\\]*$/, "");
  return JSON.stringify(config).replaceAll(JSON.stringify(folder).slice(1, -1), "");
}
