import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { listShards } from "../db/shards.ts";
import { parseSettings, type Settings, type Vars } from "../env.ts";
import { CommandError } from "./command-error.ts";
import { loadWrangler } from "./load-tools.ts";
import { readLocalConfig } from "./local-config.ts";
import { CONFIG_FILE, DEFAULT_PORT, type StateFolder } from "./state.ts";

/**
 * Reads and checks wrangler.toml for an environment, or its top level if none is given. The first call is slow, because
 * it loads wrangler. Hides warnings about bindings that only the top level has, such as a second shard.
 */
export async function readConfig(environment: string | undefined, file = CONFIG_FILE) {
  const { unstable_readConfig } = loadWrangler();
  const args = { config: file, ...(environment && { env: environment }) };
  return unstable_readConfig(args, { hideWarnings: true });
}

const HOST_VARS = ["API_URL", "SHORT_DOMAIN", "BIO_URL", "CDN_URL", "APP_URL"];
const OPTIONAL_VARS = [
  ...["ABUSE_CONTACT", "DNS_RESOLVER_URL"],
  ...["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_TRUST_EMAIL"],
];
const SECRET_VARS = ["UPLOAD_SECRET", "WEBHOOK_KEY", "WEBHOOK_KEY_PREVIOUS", "STATUS_TOKEN", "PROXY_SECRET"];

/** Reads the vars for the local service, with its port in all URLs. */
export function readLocalVars(port: number): Vars {
  const replacePort = (value: string) => value.replace(`:${DEFAULT_PORT}`, `:${port}`);
  const { API_URL, SHORT_DOMAIN, BIO_URL, CDN_URL, APP_URL, ALLOW_LOOPBACK } = readLocalConfig()
    .vars as unknown as Vars;
  return {
    API_URL: replacePort(API_URL),
    SHORT_DOMAIN: replacePort(SHORT_DOMAIN),
    BIO_URL: replacePort(BIO_URL),
    CDN_URL: replacePort(CDN_URL),
    APP_URL: replacePort(APP_URL),
    ALLOW_LOOPBACK,
    // Developers can set their own DNS resolver and identity provider, also on this machine. The provider's secret is a
    // var here, because wrangler loads no other secrets locally.
    ...pickVariables({ ...readDevVars(), ...process.env }, [...OPTIONAL_VARS, "WATCH_DESTINATIONS"]),
  };
}

/** Reads the file `.dev.vars` beside wrangler.toml, in which developers keep variables of `npm run dev`. */
function readDevVars(): NodeJS.Dict<string> {
  const file = join(dirname(CONFIG_FILE), ".dev.vars");
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

/** Returns the variables that are set. */
function pickVariables(env: NodeJS.Dict<string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name] as string]] : [])));
}

/**
 * Reads the vars and secrets of `npm start` from the environment and an optional file, whose values come first. Throws
 * {@link CommandError} if a host is missing or a value is invalid.
 */
export function readStartVars(envFile: string | undefined): {
  vars: Vars;
  secrets: Record<string, string>;
  geoFile: string | undefined;
} {
  let fromFile = {};
  try {
    if (envFile !== undefined) fromFile = parseEnv(readFileSync(envFile, "utf8"));
  } catch (error) {
    throw new CommandError(`--env-file: ${(error as Error).message}`);
  }
  const env: NodeJS.Dict<string> = { ...process.env, ...fromFile };
  const missing = HOST_VARS.filter((name) => !env[name]);
  if (missing.length > 0) throw new CommandError(`set ${missing.join(", ")}, for example with --env-file`);
  const names = [...HOST_VARS, ...OPTIONAL_VARS, "ALLOW_LOOPBACK", "WATCH_DESTINATIONS"];
  const vars = { ALLOW_LOOPBACK: "false", ...pickVariables(env, names) };
  try {
    parseSettings(vars as unknown as Vars);
  } catch (error) {
    throw new CommandError(`the variables are invalid: ${(error as Error).message}`);
  }
  const secrets = pickVariables(env, SECRET_VARS);
  return { vars: vars as unknown as Vars, secrets, geoFile: env.GEO_FILE || undefined };
}

/** Reads the settings of a deployment. Throws {@link CommandError} if the environment doesn't exist. */
export async function readSettings(
  state: StateFolder | null,
  environment: string | undefined,
): Promise<Settings> {
  if (environment !== undefined) await requireEnvironment(environment);
  if (state !== null)
    return parseSettings(state.saved.vars ?? readLocalVars(state.saved.port ?? DEFAULT_PORT));
  const { vars } = await readConfig(environment);
  return parseSettings(vars as unknown as Vars);
}

/** Returns the numbers of the shards that an environment, or the local service, has bindings for. */
export async function readShards(environment: string | undefined): Promise<number[]> {
  const { d1_databases: databases } =
    environment === undefined ? readLocalConfig() : await readConfig(environment);
  return listShards(Object.fromEntries(databases.map(({ binding }: { binding: string }) => [binding, null])));
}

/** Throws {@link CommandError} if wrangler.toml doesn't define an environment. */
export async function requireEnvironment(name: string, file = CONFIG_FILE): Promise<void> {
  const { definedEnvironments = [] } = await readConfig(undefined, file);
  if (definedEnvironments.includes(name)) return;
  throw new CommandError(
    `--env: wrangler.toml has no environment "${name}"; it has ${definedEnvironments.join(", ")}`,
  );
}
