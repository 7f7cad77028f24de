import { Option } from "commander";
import { deployEnvironment } from "./deployment.ts";
import { findUnresolvedHosts } from "./localhost-names.ts";
import { createCommand, runCommand } from "./run-command.ts";
import { runWrangler, runWranglerOnTerminal } from "./wrangler.ts";

/** Locations of D1 databases and R2 buckets (https://developers.cloudflare.com/d1/configuration/data-location/). */
const LOCATIONS = ["weur", "eeur", "enam", "wnam", "apac", "oc"];

/** Jurisdictions that D1, R2 and Durable Objects have in common. */
const JURISDICTIONS = ["eu"];

const DESCRIPTION =
  "Checks [env.NAME] of wrangler.toml, creates what is missing in your Cloudflare account, generates missing " +
  "secrets, migrates the databases and deploys the Worker. Safe to run again: it skips completed steps and " +
  "continues after a failure.";

const EXIT_STATUS =
  "\nExit status: 0 success; 1 invalid arguments or configuration, nothing was changed; 2 a step failed.";

interface DeployOptions {
  env: string;
  dryRun?: true;
  location?: string;
  jurisdiction?: string;
  ownCertificate?: true;
}

/** Entry point of `npm run deploy`. */
const program = createCommand("deploy")
  .description(DESCRIPTION)
  .requiredOption("--env <name>", "environment of wrangler.toml, such as production")
  .option("--dry-run", "print the plan without changing anything")
  .addOption(
    new Option(
      "--location <location>",
      "location of new databases and buckets (default: near this machine)",
    ).choices(LOCATIONS),
  )
  .addOption(
    new Option(
      "--jurisdiction <jurisdiction>",
      "keep new databases, buckets and Durable Objects in the European Union",
    )
      .choices(JURISDICTIONS)
      .conflicts("location"),
  )
  .option(
    "--own-certificate",
    "short hosts use an advanced certificate, so their domain doesn't have to be a zone",
  )
  .addHelpText("after", EXIT_STATUS)
  .action(async ({ env, dryRun, location, jurisdiction, ownCertificate }: DeployOptions) => {
    const request = {
      environment: env,
      isDryRun: dryRun === true,
      location: location ?? null,
      jurisdiction: jurisdiction ?? null,
      hasOwnCertificate: ownCertificate === true,
    };
    await deployEnvironment(request, {
      run: runWrangler,
      // Without a terminal, wrangler replaces DNS records of custom domains. On a terminal, it asks first.
      runInteractively: process.stdout.isTTY ? runWranglerOnTerminal : runWrangler,
      print: (line) => console.log(line),
      findUnresolvedHosts,
    });
  });

await runCommand(program);
