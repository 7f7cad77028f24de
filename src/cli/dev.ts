import { formatShortUrl, parseSettings, type Settings } from "../env.ts";
import { startReceiver } from "./demo/demo-receiver.ts";
import { createDemoLink, type Demo, ensureDemo, fillDemoWorkspace } from "./demo/demo-workspace.ts";
import { closeDatabases } from "./local-databases.ts";
import { migrateState } from "./local-migrations.ts";
import {
  buildDevControl,
  claimState,
  linkLifetimes,
  requireFreePort,
  scheduleCron,
  startService,
  waitUntilReady,
} from "./local-service.ts";
import { findUnresolvedHosts, formatHostsNote } from "./localhost-names.ts";
import { createCommand, runCommand } from "./run-command.ts";
import { readLocalVars, readShards } from "./settings.ts";
import { DEFAULT_PORT, type StateFolder } from "./state.ts";
import { parsePort } from "./values.ts";

interface DevOptions {
  port: number;
  persistTo?: string;
  empty?: true;
}

/** Migrates the databases, starts the service, creates the demo workspace and schedules the cron. */
async function start({ port, persistTo, empty }: DevOptions): Promise<void> {
  const state = await claimState(persistTo);
  await requireFreePort(port, "127.0.0.1", "::1");

  console.log("Preparing databases…");
  const vars = readLocalVars(port);
  const settings = parseSettings(vars);
  const isFirst = state.beginStorage();
  const deployment = { state, environment: undefined, shards: await readShards(undefined) };
  await migrateState(state, deployment, isFirst);
  const launch = async () => {
    // Two processes that open the databases would make each other's statements fail.
    await closeDatabases();
    if (isFirst) state.finishStorage();
    const service = startService(state, port, vars);
    linkLifetimes(service);
    await waitUntilReady(settings.apiUrl, service);
    state.save({ port, vars: undefined, control: await buildDevControl(state, settings.apiUrl) });
    return service;
  };
  // Opening new databases in this process takes less time than calling the service.
  const early = isFirst ? undefined : await launch();
  const demo = await ensureDemo(deployment, state, settings.apiHost);
  const signInLink = await createDemoLink(deployment, settings.appUrl);
  const hasSamples = isFirst ? !empty : state.saved.receiverPort !== undefined;
  const receiverUrl = hasSamples ? await startReceiver(state) : null;
  if (isFirst && receiverUrl !== null) {
    console.log("Creating demo data…");
    await fillDemoWorkspace(deployment, state, settings, receiverUrl);
  }
  const service = early ?? (await launch());
  const unresolved = await findUnresolvedHosts([settings.bioHost, settings.cdnHost, settings.appHost]);

  console.log(formatBanner(settings, state, { ...demo, signInLink }, unresolved));
  service.showOutput();
  scheduleCron(settings.apiUrl);
}

function formatBanner(
  settings: Settings,
  state: StateFolder,
  demo: Demo & { signInLink: string },
  unresolved: readonly string[],
): string {
  const { apiUrl, bioUrl, cdnUrl, appUrl } = settings;
  return `
Signpost is running.

  Dashboard     ${appUrl}
  API           ${apiUrl}/v1
  Short links   ${formatShortUrl(settings, demo.hostname, "{code}")}
  Bio pages     ${bioUrl}/{slug}
  Public files  ${cdnUrl}
  Reference     ${apiUrl}/docs#key=${demo.key}
  Data          ${state.path}
${formatHostsNote(unresolved)}
  Workspace     ${demo.slug} (plan ${demo.plan})
  API key       ${demo.key}
  Sign in       ${demo.signInLink}
                (works once, within 15 minutes; each start prints a new one)

Create a short link:

  curl -X POST ${apiUrl}/v1/links \\
    -H 'Authorization: Bearer ${demo.key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url":"https://example.com"}'
`;
}

/** Entry point of `npm run dev`. */
await runCommand(
  createCommand("dev")
    .description("Starts the service locally, keeping data from earlier runs. Press Ctrl-C to stop.")
    .option("--port <number>", "port to listen on; applies to all URLs", parsePort, DEFAULT_PORT)
    .option("--persist-to <folder>", "data folder (default: .signpost)")
    .option("--empty", "skip the sample data on the first run")
    .action(start),
);
