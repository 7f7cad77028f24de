import { createServer } from "node:net";
import { parseSettings, type Settings, shortUrl } from "../env.ts";
import { migrate } from "./admin-database.ts";
import { CommandError, parseCommand, runCommand } from "./command.ts";
import { type Demo, ensureDemo } from "./demo.ts";
import { endTogether, fireCron, startService, untilReady } from "./local-service.ts";
import { lockFolder } from "./lock.ts";
import { localVars } from "./settings.ts";
import { DEFAULT_PORT, StateFolder } from "./state.ts";
import { parsePort } from "./values.ts";

const USAGE = `npm run dev -- [--port N] [--persist-to DIR]

  Starts everything on this machine, with all data of earlier starts. Ctrl-C stops it.

  --port N          port to listen on (${DEFAULT_PORT}); every address changes with it
  --persist-to DIR  folder for all state (.signpost)`;

const OPTIONS = {
  port: { type: "string" },
  "persist-to": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** `npm run dev`: migrates, makes the demo workspace, starts the service, fires its cron, and stops it all. */
async function main(args: string[]): Promise<void> {
  const { values: options } = parseCommand(args, OPTIONS, USAGE);
  if (options.help) return console.log(USAGE);
  const port = parsePort(options.port ?? String(DEFAULT_PORT));
  const state = StateFolder.make(options["persist-to"]);
  // Two services on one state folder would each hold half of the truth.
  if (!lockFolder(state.path)) {
    throw new CommandError(`${state.path} is in use by another start; choose another --persist-to`);
  }
  await requireFreePort(port);

  console.log("Preparing the database …");
  const target = { state, environment: undefined };
  await migrate(target);
  const vars = await localVars(port);
  const settings = parseSettings(vars);
  const service = startService(state, port, vars);
  endTogether(service);
  const [demo] = await Promise.all([
    ensureDemo(target, state, settings.apiHost),
    untilReady(settings.apiUrl, service),
  ]);

  state.remember({ port });
  console.log(banner(settings, state, demo));
  service.show();
  fireCron(settings.apiUrl);
}

async function requireFreePort(port: number): Promise<void> {
  const isFree = await Promise.all(["127.0.0.1", "::1"].map((address) => canListen(port, address)));
  if (isFree.every(Boolean)) return;
  throw new CommandError(`port ${port} is in use; choose another: npm run dev -- --port N`);
}

/** False only if another listens there: a machine may lack IPv6. */
function canListen(port: number, address: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", (error) => done(!("code" in error && error.code === "EADDRINUSE")));
    probe.listen(port, address, () => probe.close(() => done(true)));
  });
}

function banner(settings: Settings, state: StateFolder, demo: Demo): string {
  const { apiUrl, bioUrl, cdnUrl } = settings;
  return `
Signpost is running.

  API           ${apiUrl}/v1
  Short links   ${shortUrl(settings, demo.hostname, "{code}")}
  Bio pages     ${bioUrl}/{slug}
  Public files  ${cdnUrl}
  Reference     ${apiUrl}/docs#key=${demo.key}
  State         ${state.path}

  Workspace     ${demo.slug} (plan ${demo.plan})
  API key       ${demo.key}

Make a short link:

  curl -X POST ${apiUrl}/v1/links \\
    -H 'Authorization: Bearer ${demo.key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url":"https://example.com"}'
`;
}

await runCommand(main);
