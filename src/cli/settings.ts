import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { readSettings, type Settings, type Vars } from "../env.ts";
import { DEFAULT_PORT, PROJECT, type StateFolder } from "./state.ts";

/** The vars of wrangler.toml, of a named environment if one is given. */
export function configuredVars(environment: string | undefined): Vars {
  const config = unstable_readConfig({
    config: join(PROJECT, "wrangler.toml"),
    ...(environment && { env: environment }),
  });
  return config.vars as unknown as Vars;
}

/** The vars of the local start on a port: every address changes with it. */
export function localVars(port: number): Vars {
  const atPort = (value: string) => value.replace(`:${DEFAULT_PORT}`, `:${port}`);
  const { API_URL, SHORT_DOMAIN, BIO_URL, CDN_URL, ALLOW_LOOPBACK } = configuredVars(undefined);
  return {
    API_URL: atPort(API_URL),
    SHORT_DOMAIN: atPort(SHORT_DOMAIN),
    BIO_URL: atPort(BIO_URL),
    CDN_URL: atPort(CDN_URL),
    ALLOW_LOOPBACK,
  };
}

/** The settings of the deployment that the admin command works on. */
export function settingsFor(state: StateFolder | null, environment: string | undefined): Settings {
  return readSettings(
    state === null ? configuredVars(environment) : localVars(state.remembered.port ?? DEFAULT_PORT),
  );
}
