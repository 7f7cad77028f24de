import { CommandError } from "../../../src/cli/command-error.ts";
import { type DeploymentRequest, deployEnvironment } from "../../../src/cli/deployment.ts";
import { readEnvironment } from "../../../src/cli/deployment-config.ts";
import { createProject } from "./deployment-project.ts";
import { FakeWrangler } from "./fake-wrangler.ts";

const PRODUCTION: DeploymentRequest = {
  environment: "production",
  isDryRun: false,
  location: null,
  jurisdiction: null,
  hasOwnCertificate: false,
};

/** Result of a deployment. */
export interface Outcome {
  /** Exit status of the command. */
  status: number;
  lines: string[];
  error: string;
}

/** Runs a deployment as the command does. */
export async function deploy(
  { run }: Pick<FakeWrangler, "run">,
  configFile: string,
  request: Partial<DeploymentRequest> = {},
): Promise<Outcome> {
  const lines: string[] = [];
  const print = (text: string) => lines.push(...text.split("\n"));
  const findUnresolvedHosts = async (hostnames: readonly string[]) => [...hostnames];
  const tools = { run, runInteractively: run, print, findUnresolvedHosts, configFile };
  try {
    await deployEnvironment({ ...PRODUCTION, ...request }, tools);
    return { status: 0, lines, error: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { status: error.exitStatus, lines, error: error.message };
  }
}

/** Creates a project and an account in which nothing exists yet. */
export function start(edit?: (toml: string) => string) {
  const configFile = createProject(edit);
  return { configFile, wrangler: new FakeWrangler(configFile) };
}

/** Reads the declarations of production. */
export async function readDeclared(configFile: string) {
  return (await readEnvironment("production", configFile)).declared;
}

/** Adds a D1 binding with a new database to production. */
export function addShard(toml: string, number = 7): string {
  return `${toml}
[[env.production.d1_databases]]
binding = "SHARD_${number}"
database_name = "signpost-production-shard-${number}"
migrations_dir = "sql"
`;
}
