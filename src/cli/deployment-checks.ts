import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findOutboundProblem } from "../core/outbound.ts";
import { parseContact } from "../env.ts";
import type { DeclaredDatabase, DeclaredEnvironment } from "./deployment-config.ts";
import { findHostProblems, HOST_VARS } from "./deployment-hosts.ts";

/** Matches names of secrets. Wrangler itself rejects vars that are listed in `secrets.required`. */
const SECRET_NAME = /KEY|SECRET|TOKEN/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/i;
/** Matches bindings of shards after the first. Their number differs between deployments. */
const FURTHER_SHARD = /^SHARD_[1-9]\d*$/;

/** Options of the checks. */
export interface CheckOptions {
  /** True if an advanced certificate covers the short hosts. */
  hasOwnCertificate: boolean;
  /** Jurisdiction asked for on the command line, such as `eu`, or null. */
  jurisdiction: string | null;
  /** Folder of wrangler.toml. */
  folder: string;
}

/**
 * Checks an environment before it is deployed. Returns one sentence per problem, starting with the key in
 * wrangler.toml.
 */
export function findProblems(
  declared: DeclaredEnvironment,
  local: DeclaredEnvironment,
  { hasOwnCertificate, jurisdiction, folder }: CheckOptions,
): string[] {
  return [
    ...findHostProblems(declared, hasOwnCertificate),
    ...findVarProblems(declared),
    ...findJurisdictionProblems(declared, jurisdiction),
    ...findProviderProblems(declared),
    ...findMissingDeclarations(declared, local),
    ...findNameProblems(declared, local),
    ...declared.databases.flatMap((database) => findMigrationProblems(database, folder)),
  ];
}

function findVarProblems({ vars }: DeclaredEnvironment): string[] {
  const problems = Object.keys(vars)
    .filter((name) => SECRET_NAME.test(name))
    .map(
      (name) =>
        `[vars] ${name}: is a secret and must not be a var; set it with npx wrangler secret put ${name}`,
    );
  if (!isContact(String(vars.ABUSE_CONTACT ?? ""))) {
    problems.push("[vars] ABUSE_CONTACT: must be an email address or an https URL");
  }
  if (vars.ALLOW_LOOPBACK === "false") return problems;
  return [...problems, '[vars] ALLOW_LOOPBACK: must be "false", or requests could reach private addresses'];
}

/**
 * Checks that the Durable Objects and all buckets are declared in the same jurisdiction. It must be in wrangler.toml,
 * because a later deployment without it would look for objects and buckets elsewhere.
 */
function findJurisdictionProblems({ vars, buckets }: DeclaredEnvironment, asked: string | null): string[] {
  const declared = String(vars.JURISDICTION ?? "");
  const wanted = asked ?? declared;
  const problems =
    declared === wanted
      ? []
      : [`[vars] JURISDICTION: must be "${wanted}", or Durable Objects could be anywhere`];
  const elsewhere = buckets.filter(({ jurisdiction }) => wanted !== "" && jurisdiction !== wanted);
  return [
    ...problems,
    ...elsewhere.map(({ name }) => `[[r2_buckets]] jurisdiction of ${name}: must be "${wanted}"`),
  ];
}

function isContact(contact: string): boolean {
  try {
    parseContact(contact);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the settings of the identity provider. Without this check, mistakes would only show when people
 * sign in.
 */
function findProviderProblems({ vars }: DeclaredEnvironment): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_TRUST_EMAIL: domains } = vars;
  const text = String(issuer ?? "");
  if (!issuer !== !clientId) return ["[vars] OIDC_ISSUER, OIDC_CLIENT_ID: set both or neither"];
  if (!issuer) return domains ? ["[vars] OIDC_TRUST_EMAIL: needs OIDC_ISSUER and OIDC_CLIENT_ID"] : [];
  const problems = isIssuer(text)
    ? []
    : [
        "[vars] OIDC_ISSUER: must be an https URL of a public host, without query or fragment, exactly as the provider writes it",
      ];
  const unfit = String(domains ?? "")
    .split(",")
    .map((domain) => domain.trim())
    .filter((domain) => domain !== "" && !DOMAIN.test(domain));
  return [...problems, ...unfit.map((domain) => `[vars] OIDC_TRUST_EMAIL: ${domain} is not a domain`)];
}

/**
 * Returns true if a URL can be an issuer (OpenID Connect Core 1.0, section 2) and the Worker may send
 * requests to it.
 */
function isIssuer(text: string): boolean {
  return (
    !/[?#]/.test(text) && findOutboundProblem(text, { allowLoopback: false, isOwn: () => false }) === null
  );
}

/**
 * Lists bindings, vars and secrets of the top level that an environment lacks. Environments don't inherit
 * them.
 */
function findMissingDeclarations(declared: DeclaredEnvironment, local: DeclaredEnvironment): string[] {
  const listMissing = (here: readonly string[], there: readonly string[]) =>
    there.filter((name) => !here.includes(name));
  const bindings = listMissing(declared.bindings, local.bindings).filter((name) => !FURTHER_SHARD.test(name));
  const vars = listMissing(Object.keys(declared.vars), Object.keys(local.vars));
  // Hosts, ALLOW_LOOPBACK and secrets are checked separately.
  const isChecked = (name: string) =>
    HOST_VARS.includes(name) || name === "ALLOW_LOOPBACK" || SECRET_NAME.test(name);
  const secrets = listMissing(declared.secrets, local.secrets);
  return [
    ...bindings.map(
      (name) => `${name}: missing binding; environments don't inherit bindings from the top level`,
    ),
    ...vars
      .filter((name) => !isChecked(name))
      .map((name) => `[vars] ${name}: missing; environments don't inherit vars from the top level`),
    ...secrets.map((name) => `[secrets] required: ${name} is missing`),
    ...(declared.crons.length < local.crons.length ? ["[triggers] crons: are missing"] : []),
  ];
}

/**
 * Lists resource names that could collide with another environment in the account, or with another
 * binding.
 */
function findNameProblems(declared: DeclaredEnvironment, local: DeclaredEnvironment): string[] {
  const { worker, databases, buckets, queues } = declared;
  if (worker === local.worker)
    return [`name: ${worker} is the name of the local Worker; choose a different name`];
  const resources = [
    ...databases.map(({ name }) => ["[[d1_databases]] database_name", name] as const),
    ...buckets.map(({ name }) => ["[[r2_buckets]] bucket_name", name] as const),
    ...queues.map(({ name }) => ["[[queues]] queue", name] as const),
  ];
  const foreign = resources
    .filter(([, name]) => name !== worker && !name.startsWith(`${worker}-`))
    .map(([key, name]) => `${key}: ${name || "(missing)"} must start with ${worker}, the name of the Worker`);
  const names = resources.map(([key, name]) => `${key}: ${name}`);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...foreign,
    ...[...repeated].map((name) => `${name} is declared twice; each binding needs a different one`),
  ];
}

function findMigrationProblems({ binding, migrationsFolder }: DeclaredDatabase, folder: string): string[] {
  const key = `[[d1_databases]] migrations_dir of ${binding}`;
  if (migrationsFolder === null) return [`${key}: missing, so no migrations would be applied`];
  if (listMigrations(join(folder, migrationsFolder)).length > 0) return [];
  return [`${key}: ${migrationsFolder} contains no migrations`];
}

/**
 * Lists databases whose ID in wrangler.toml belongs to a different database. `existing` has the IDs of
 * the account's databases by name.
 */
export function findIdProblems(
  { databases }: DeclaredEnvironment,
  existing: ReadonlyMap<string, string>,
): string[] {
  return databases
    .filter(({ name, id }) => id !== null && existing.get(name) !== id)
    .map(({ binding, name, id }) => {
      const other = [...existing].find(([, otherId]) => otherId === id)?.[0];
      const owner = other === undefined ? "no database in this account" : other;
      const key = `[[d1_databases]] database_id of ${binding}`;
      return `${key}: ${id} is the ID of ${owner}, not of ${name}; remove this line, because the name is enough`;
    });
}

/**
 * Lists the names of the migrations in a folder, in order. Returns an empty list if the folder doesn't
 * exist.
 */
export function listMigrations(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}
