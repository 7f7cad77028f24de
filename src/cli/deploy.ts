import { CommandError, parseCommand } from "./command.ts";
import { deployEnvironment } from "./deployment.ts";
import { findUnresolvedHosts } from "./localhost-names.ts";
import { runCommand } from "./run-command.ts";
import { runWrangler, runWranglerOnTerminal } from "./wrangler.ts";

/** Locations of D1 databases and R2 buckets (https://developers.cloudflare.com/d1/configuration/data-location/). */
const LOCATIONS = ["weur", "eeur", "enam", "wnam", "apac", "oc"];

const USAGE = `npm run deploy -- --env NAME [--dry-run] [--location L] [--own-certificate]

  Checks [env.NAME] of wrangler.toml, creates what is missing in your Cloudflare account, generates missing secrets,
  migrates the databases and deploys the Worker. Safe to run again: it skips completed steps and continues after a
  failure.

  --env NAME         environment of wrangler.toml, such as production
  --dry-run          prints the plan without changing anything
  --location L       location of new databases and buckets: ${LOCATIONS.join(", ")} (near this machine)
  --own-certificate  short hosts use an advanced certificate, so their domain doesn't have to be a zone

  Exit status: 0 success; 1 invalid arguments or configuration, nothing was changed; 2 a step failed.`;

const OPTIONS = {
  env: { type: "string" },
  "dry-run": { type: "boolean" },
  location: { type: "string" },
  "own-certificate": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Entry point of `npm run deploy`. */
async function main(args: string[]): Promise<void> {
  const { values: options } = parseCommand(args, OPTIONS, USAGE);
  if (options.help) return console.log(USAGE);
  const { env, location } = options;
  if (!env) throw new CommandError(`--env is required\n\n${USAGE}`);
  if (location !== undefined && !LOCATIONS.includes(location)) {
    throw new CommandError(`--location: must be one of ${LOCATIONS.join(", ")}`);
  }
  await deployEnvironment(
    {
      environment: env,
      isDryRun: options["dry-run"] === true,
      location: location ?? null,
      hasOwnCertificate: options["own-certificate"] === true,
    },
    {
      run: runWrangler,
      // Without a terminal, wrangler replaces DNS records of custom domains. On a terminal, it asks before.
      runInteractively: process.stdout.isTTY ? runWranglerOnTerminal : runWrangler,
      print: (line) => console.log(line),
      findUnresolvedHosts,
    },
  );
}

await runCommand(main);
