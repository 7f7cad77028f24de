import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ArchiveError, checkArchive, readArchive, writeArchive } from "../backup/archive.ts";
import {
  exportWorkspace,
  findWorkspace,
  type Installation,
  type SecretKeys,
  type WorkspaceManifest,
} from "../backup/export-workspace.ts";
import { requireSameVersion, WorkspaceImport } from "../backup/import-workspace.ts";
import { Passphrase } from "../backup/workspace-secrets.ts";
import type { SealKey } from "../core/seal.ts";
import { getShard } from "../db/shards.ts";
import type { Settings } from "../env.ts";
import { endPause } from "../tenant/transits.ts";
import { deriveSecretKey } from "../webhooks/endpoints.ts";
import type { Deployment } from "./admin-database.ts";
import { VERSION } from "./backup-create.ts";
import { CommandError } from "./command-error.ts";
import { listShardSizes, requireShard } from "./workspace-creation.ts";
import { withInstallation, withSnapshot } from "./workspace-storage.ts";

/** Commands that take a workspace from one installation to another one. */

interface Context {
  deployment: Deployment;
  settings: Settings;
}

export interface ImportFlags {
  /** Shard for the data, or null for the smallest. */
  shard: number | null;
  resumesWebhooks: boolean;
}

const SECRETS_NOTE =
  "The archive has no webhook secrets: set SIGNPOST_EXPORT_KEY to a passphrase to export them. Without it, the import makes new ones.";
const UNKNOWN_KEY_NOTE =
  "WEBHOOK_KEY: set this variable to the secret of the deployment to export and import webhook secrets.";

/** Writes everything that belongs to a workspace to a new file. */
export async function exportWorkspaceFile({ deployment, settings }: Context, slug: string, file: string) {
  if (existsSync(file)) throw new CommandError(`${resolve(file)} exists already`);
  return explainErrors(() =>
    withSnapshot(deployment, async (source) => {
      const found = await findWorkspace(source, slug);
      if (found === null) throw new CommandError(`workspace ${slug} not found`);
      const keys = await readKeys(deployment, found.id);
      const manifest: WorkspaceManifest = {
        ...{ kind: "workspace", version: VERSION, createdAt: new Date().toISOString() },
        migrations: await readMigrations(source, found.shard),
        workspace: { id: found.id, slug, primaryHost: found.primaryHost },
        shortDomain: settings.shortHost,
        passphraseCheck: keys.seal === null ? null : ((await keys.passphrase?.buildCheck()) ?? null),
      };
      let counts: Record<string, number> = {};
      await writeArchive(file, manifest, async (archive) => {
        counts = await exportWorkspace(source, found, archive, keys, showProgress("exporting"));
      });
      if ((counts.webhooks ?? 0) > 0 && manifest.passphraseCheck === null) {
        console.error(keys.seal === null ? UNKNOWN_KEY_NOTE : SECRETS_NOTE);
      }
      return { workspace: slug, file: resolve(file), size: statSync(file).size, ...sumCounts(counts) };
    }),
  );
}

/**
 * Imports a workspace from a file, or resumes the webhooks of a workspace that was imported from it. Throws
 * {@link CommandError} without changes if the workspace can't be imported.
 */
export async function importWorkspaceFile(
  { deployment, settings }: Context,
  file: string,
  flags: ImportFlags,
) {
  if (flags.shard !== null) requireShard(deployment, flags.shard);
  return explainErrors(async () => {
    const manifest = await checkArchive<WorkspaceManifest>(file, "workspace");
    return withInstallation(deployment, async (target) => {
      const { slug, id } = manifest.workspace;
      const existing = flags.resumesWebhooks ? await findWorkspace(target, slug) : null;
      if (existing?.id === id && (await endPause(getShard(target, existing.shard), id))) {
        return { workspace: slug, id, shard: existing.shard, webhooks: "resumed" };
      }
      const shard = flags.shard ?? (await findSmallestShard(deployment));
      requireSameVersion(manifest.migrations, await readMigrations(target, shard));
      const { counts, newSecrets, webhooksPaused } = await new WorkspaceImport(
        target,
        manifest,
        () => readArchive(file),
        {
          ...{ shard, settings, keys: await readKeys(deployment, id) },
          ...{ resumesWebhooks: flags.resumesWebhooks, onTable: showProgress("importing") },
        },
      ).run();
      if (webhooksPaused) {
        console.error(
          `Webhooks are paused. To send them: npm run admin -- workspace import ${file} --resume-webhooks`,
        );
      }
      return {
        ...{ workspace: slug, id, shard, ...sumCounts(counts) },
        webhooks: webhooksPaused ? "paused" : "on",
        new_webhook_secrets: newSecrets,
      };
    });
  });
}

/** Formats the result of an import, with a line for each new secret. */
export function formatImport(result: object): string {
  const { new_webhook_secrets: secrets = [], ...values } = result as Record<string, unknown> & {
    new_webhook_secrets?: { webhook_id: string; url: string; secret: string | null }[];
  };
  const lines = Object.entries(values).map(([name, value]) => `${name.padEnd(12)}${value}`);
  if (secrets.length > 0) lines.push("", "New signing secrets of webhooks, for their receivers:");
  const rows = secrets.map(({ webhook_id: id, url, secret }) => `${id}  ${url}  ${secret ?? UNKNOWN_SECRET}`);
  return [...lines, ...rows].join("\n");
}

const UNKNOWN_SECRET = "(rotate it: WEBHOOK_KEY of the deployment was not set)";

/** Prints the name of each table to stderr, if that is a terminal. */
function showProgress(verb: string): (name: string) => void {
  return (name) => {
    if (process.stderr.isTTY) console.error(`${verb} ${name}`);
  };
}

function sumCounts({ files = 0, ...tables }: Record<string, number>) {
  return { rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0), files };
}

async function readMigrations(installation: Installation, shard: number): Promise<Record<string, string[]>> {
  const databases = { DIRECTORY: installation.DIRECTORY, SHARD: getShard(installation, shard) };
  const read = Object.entries(databases).map(async ([name, d1]) => {
    const { results } = await d1
      .prepare("SELECT name FROM d1_migrations ORDER BY id")
      .all<{ name: string }>();
    return [name, results.map((row) => row.name)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

async function findSmallestShard(deployment: Deployment): Promise<number> {
  const sizes = await listShardSizes(deployment);
  return sizes.reduce((one, other) => (other.size_bytes < one.size_bytes ? other : one)).shard;
}

async function readKeys({ state }: Deployment, workspaceId: string): Promise<SecretKeys> {
  const { SIGNPOST_EXPORT_KEY: text } = process.env;
  const passphrase = text ? await Passphrase.derive(text, workspaceId) : null;
  // A service of `npm start` or a deployment may have its key from the environment, `npm run dev` never has.
  const own = state === null || state.saved.vars !== undefined ? process.env.WEBHOOK_KEY : undefined;
  const key = own || state?.ensureSecrets(["WEBHOOK_KEY"]).WEBHOOK_KEY;
  const seal: SealKey | null = key ? await deriveSecretKey({ WEBHOOK_KEY: key }) : null;
  return { seal, passphrase };
}

async function explainErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArchiveError ? new CommandError(error.message) : error;
  }
}
