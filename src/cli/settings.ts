import { join } from "node:path";
import { parseSettings, type Settings, type Vars } from "../env.ts";
import { CommandError } from "./command.ts";
import { DEFAULT_PORT, PROJECT, type StateFolder } from "./state.ts";

const CONFIG = join(PROJECT, "wrangler.toml");

/** wrangler.toml as wrangler reads it, for a named environment if one is given. Wrangler takes most of a second to load. */
async function readConfig(environment: string | undefined) {
  const { unstable_readConfig } = await import("wrangler");
  return unstable_readConfig({ config: CONFIG, ...(environment && { env: environment }) });
}

/** The vars of the local start on a port: every address changes with it. */
export async function localVars(port: number): Promise<Vars> {
  const atPort = (value: string) => value.replace(`:${DEFAULT_PORT}`, `:${port}`);
  const { vars } = await readConfig(undefined);
  const { API_URL, SHORT_DOMAIN, BIO_URL, CDN_URL, ALLOW_LOOPBACK } = vars as unknown as Vars;
  return {
    API_URL: atPort(API_URL),
    SHORT_DOMAIN: atPort(SHORT_DOMAIN),
    BIO_URL: atPort(BIO_URL),
    CDN_URL: atPort(CDN_URL),
    ALLOW_LOOPBACK,
  };
}

/** The settings of the deployment that the admin command works on. Throws {@link CommandError} on no such environment. */
export async function settingsFor(
  state: StateFolder | null,
  environment: string | undefined,
): Promise<Settings> {
  if (environment !== undefined) await requireEnvironment(environment);
  if (state !== null) return parseSettings(await localVars(state.remembered.port ?? DEFAULT_PORT));
  const { vars } = await readConfig(environment);
  return parseSettings(vars as unknown as Vars);
}

async function requireEnvironment(name: string): Promise<void> {
  const { definedEnvironments = [] } = await readConfig(undefined);
  if (definedEnvironments.includes(name)) return;
  throw new CommandError(
    `--env: wrangler.toml has no ${name || "(empty)"}; it has ${definedEnvironments.join(", ")}`,
  );
}
