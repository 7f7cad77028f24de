import { cpSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deployment } from "../../src/cli/admin-database.ts";
import { createDemoLink, ensureDemo } from "../../src/cli/demo/demo-workspace.ts";
import { closeStorage } from "../../src/cli/local-databases.ts";
import { migrateState } from "../../src/cli/local-migrations.ts";
import { SECRETS, scheduleCron } from "../../src/cli/local-service.ts";
import { readLocalVars, readShards } from "../../src/cli/settings.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { bundleService, readModules, saveModules } from "../../src/cli/worker-bundle.ts";
import { runWorker } from "../../src/cli/worker-runner.ts";
import { parseSettings } from "../../src/env.ts";

/** Service without `npm run dev`: its Worker is bundled and its databases are migrated once per test run. */

/** Folders from which all services of a run start. */
export interface Prebuilt {
  /** Modules of the bundled Worker. */
  modules: string;
  /** State with migrated databases and the empty demo workspace. */
  state: string;
}

/** Bundles the Worker and migrates a state folder. */
export async function prebuild(): Promise<Prebuilt> {
  const folder = mkdtempSync(join(tmpdir(), "prebuilt-"));
  const prebuilt = { modules: join(folder, "modules"), state: join(folder, "state") };
  const [modules] = await Promise.all([bundleService(), createState(prebuilt.state)]);
  saveModules(prebuilt.modules, modules);
  return prebuilt;
}

async function createState(path: string): Promise<void> {
  const state = StateFolder.create(path);
  const deployment = await openDeployment(state);
  await migrateState(state, deployment, state.beginStorage());
  const { apiHost, appUrl } = parseSettings(readLocalVars(0));
  await ensureDemo(deployment, state, apiHost);
  await createDemoLink(deployment, appUrl);
  await closeStorage(state.storage);
  state.finishStorage();
}

async function openDeployment(state: StateFolder): Promise<Deployment> {
  return { state, environment: undefined, shards: await readShards(undefined) };
}

/** Service running in this process. */
export interface PrebuiltService {
  deployment: Deployment;
  appUrl: string;
  /** Key of the demo workspace. */
  key: string;
  /** URL that signs the demo workspace's owner in once. */
  signInLink: string;
  /** Kills the service, as a crash would. */
  kill(): Promise<void>;
}

/** Starts a service in this process on a state folder. A new folder starts as a copy of the prebuilt one. */
export async function runPrebuilt(
  { modules, state: template }: Prebuilt,
  stateFolder: string,
  port: number,
): Promise<PrebuiltService> {
  if (!existsSync(stateFolder) || readdirSync(stateFolder).length === 0) {
    cpSync(template, stateFolder, { recursive: true });
  }
  const state = StateFolder.open(stateFolder);
  state.save({ port });
  const vars = readLocalVars(port);
  const { apiUrl, apiHost, appUrl } = parseSettings(vars);
  const secrets = state.ensureSecrets(SECRETS);
  await runWorker(state, {
    port,
    vars: { ...vars, ...secrets },
    manifest: readModules(modules),
    log: () => {},
  });
  const cron = scheduleCron(apiUrl);
  const deployment = await openDeployment(state);
  const { key } = await ensureDemo(deployment, state, apiHost);
  const signInLink = await createDemoLink(deployment, appUrl);
  const kill = () => {
    clearInterval(cron);
    return closeStorage(state.storage);
  };
  return { deployment, appUrl, key, signInLink, kill };
}
