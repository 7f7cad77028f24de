import { dirname } from "node:path";
import { parseSettings, type Vars } from "../env.ts";
import { CommandError } from "./command-error.ts";
import { AccountReader, type RunWrangler } from "./deployment-account.ts";
import { computeVersionTag } from "./deployment-bundle.ts";
import { findIdProblems, findProblems } from "./deployment-checks.ts";
import { type DeclaredEnvironment, readEnvironment } from "./deployment-config.ts";
import { formatReport } from "./deployment-report.ts";
import { listSteps, type StepContext } from "./deployment-steps.ts";
import { CONFIG_FILE } from "./state.ts";

/** Exit status if a deployment failed after it may have made changes. Running it again continues. */
const STOPPED_STATUS = 2;

/** Arguments of a deployment. */
export interface DeploymentRequest {
  /** Environment of wrangler.toml. */
  environment: string;
  /** True to print the plan without changing anything. */
  isDryRun: boolean;
  /** Location of new databases and buckets, such as `weur`. Null lets Cloudflare choose. */
  location: string | null;
  /** Jurisdiction that the environment must declare, such as `eu`. Null if it may declare any or none. */
  jurisdiction: string | null;
  /** True if an advanced certificate covers the short hosts. */
  hasOwnCertificate: boolean;
}

/** Functions that a deployment uses. Tests replace them. */
export interface DeploymentTools {
  run: RunWrangler;
  /** Runs wrangler so that it can prompt the user, if there is a terminal. */
  runInteractively: RunWrangler;
  print(line: string): void;
  /** Returns the hosts that don't resolve. */
  findUnresolvedHosts(hostnames: readonly string[]): Promise<string[]>;
  /** Path of wrangler.toml. */
  configFile?: string;
}

/**
 * Checks an environment, creates missing resources, migrates the databases and deploys the Worker. Throws
 * {@link CommandError} with status 1 if nothing was changed, and with status 2 if a later step failed.
 */
export async function deployEnvironment(request: DeploymentRequest, tools: DeploymentTools): Promise<void> {
  const { environment, location } = request;
  const folder = dirname(tools.configFile ?? CONFIG_FILE);
  const account = new AccountReader(tools.run, environment);
  const { declared, local } = await readEnvironment(environment, tools.configFile);
  const { hasOwnCertificate, jurisdiction } = request;
  const problems = findProblems(declared, local, { folder, hasOwnCertificate, jurisdiction });
  const databases = await readDatabases(account, declared, problems);
  if (problems.length > 0) throw new CommandError(formatProblems(environment, problems));

  const tag = await computeVersionTag(tools.run, environment, declared.text);
  tools.print("✓ configuration (valid, and the Worker can be bundled)");
  const { run, runInteractively } = tools;
  await takeSteps(request, tools, {
    environment,
    declared,
    location,
    folder,
    databases,
    tag,
    account,
    run,
    runInteractively,
  });
  if (request.isDryRun) return tools.print("\nDry run: nothing was changed.");
  tools.print(formatReport(environment, declared, await findOpenPoints(account, declared, tools)));
}

/**
 * Returns the IDs of the account's databases by name. Adds problems with the login and with database IDs
 * to `problems`.
 */
async function readDatabases(
  account: AccountReader,
  declared: DeclaredEnvironment,
  problems: string[],
): Promise<Map<string, string>> {
  try {
    if (!(await account.isLoggedIn())) {
      problems.push(
        "login: not logged in to Cloudflare; run npx wrangler login, or set CLOUDFLARE_API_TOKEN",
      );
      return new Map();
    }
    const databases = await account.listDatabases();
    problems.push(...findIdProblems(declared, databases));
    return databases;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    problems.push(`login: ${error.message}`);
    return new Map();
  }
}

function formatProblems(environment: string, problems: readonly string[]): string {
  const lines = problems.map((problem) => `  ${problem}`).join("\n");
  const heading = `Nothing was changed. Fix these settings in [env.${environment}] of wrangler.toml first:`;
  return `${heading}\n\n${lines}`;
}

async function takeSteps(
  request: DeploymentRequest,
  tools: DeploymentTools,
  context: StepContext,
): Promise<void> {
  let hasChanged = false;
  for (const step of listSteps(context)) {
    try {
      const { title, note, apply, isConfirmation = false } = await step();
      const sign = apply === undefined || isConfirmation ? "✓" : "+";
      if (apply === undefined || request.isDryRun) {
        tools.print(`${sign} ${title} (${note})`);
      } else {
        hasChanged = true;
        tools.print(`${sign} ${title} (${await apply().catch((error) => rethrow(error, title))})`);
      }
    } catch (error) {
      if (!hasChanged || !(error instanceof CommandError)) throw error;
      const advice = "The deployment stopped here. Run the same command again to continue.";
      throw new CommandError(`${error.message}\n\n${advice}`, STOPPED_STATUS);
    }
  }
}

/** Adds the step's title to its error. */
function rethrow(error: unknown, title: string): never {
  throw error instanceof CommandError ? new CommandError(`✗ ${title}: ${error.message}`) : error;
}

async function findOpenPoints(account: AccountReader, declared: DeclaredEnvironment, tools: DeploymentTools) {
  const withoutReplicas: string[] = [];
  for (const database of declared.databases) {
    if (!(await account.hasReplicas(database))) withoutReplicas.push(database.name);
  }
  const { shortHost } = parseSettings(declared.vars as unknown as Vars);
  const unresolved = await tools.findUnresolvedHosts([`any.${shortHost}`]);
  return { withoutReplicas, lacksShortRecord: unresolved.length > 0 };
}
