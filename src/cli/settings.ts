import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { listShards } from "../db/shards.ts";
import { parseSettings, type Settings, type Vars } from "../env.ts";
import { CommandError } from "./command-error.ts";
import { readLocalConfig } from "./local-config.ts";
import { CONFIG_FILE, DEFAULT_PORT, type StateFolder } from "./state.ts";

/**
 * Reads and checks wrangler.toml for an environment, or its top level if none is given. The first call is
 * slow, because importing wrangler takes two seconds. Hides warnings about bindings that only the top level
 * has, such as a second shard.
 */
export async function readConfig(environment: string | undefined, file = CONFIG_FILE) {
  const { unstable_readConfig } = await import("wrangler");
  const args = { config: file, ...(environment && { env: environment }) };
  return unstable_readConfig(args, { hideWarnings: true });
}

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
    ...pickVariables(["ABUSE_CONTACT", "WATCH_DESTINATIONS"]),
    // Developers can set their own DNS resolver, which may use http on this machine.
    ...pickVariables(["DNS_RESOLVER_URL"]),
    // Developers can set an identity provider, also on this machine. The provider's secret is a var here,
    // because wrangler loads no other secrets locally.
    ...pickVariables(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_TRUST_EMAIL"]),
  };
}

/** Returns the variables that are set in the environment, or in the file `.dev.vars` beside wrangler.toml. */
function pickVariables(names: readonly string[]): Record<string, string> {
  const file = join(dirname(CONFIG_FILE), ".dev.vars");
  const variables = { ...(existsSync(file) && parseEnv(readFileSync(file, "utf8"))), ...process.env };
  return Object.fromEntries(
    names.flatMap((name) => (variables[name] ? [[name, variables[name] as string]] : [])),
  );
}

/** Reads the settings of a deployment. Throws {@link CommandError} if the environment doesn't exist. */
export async function readSettings(
  state: StateFolder | null,
  environment: string | undefined,
): Promise<Settings> {
  if (environment !== undefined) await requireEnvironment(environment);
  if (state !== null) return parseSettings(readLocalVars(state.saved.port ?? DEFAULT_PORT));
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
