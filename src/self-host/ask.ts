import { eq } from "drizzle-orm";
import { openDatabase } from "../db/database.ts";
import { getSettings } from "../env.ts";
import { domains } from "../tenant/workspaces.directory.table.ts";

/** Responds with 200 if the reverse proxy may get a certificate for a host: one of the service or of a workspace. */
export async function respondToAsk(env: Env, hostname: string): Promise<Response> {
  const isKnown = isServiceHost(env, hostname) || (await isWorkspaceHost(env, hostname));
  return new Response(null, { status: isKnown ? 200 : 404 });
}

function isServiceHost(env: Env, hostname: string): boolean {
  const { apiUrl, bioUrl, cdnUrl, appUrl } = getSettings(env);
  return [apiUrl, bioUrl, cdnUrl, appUrl].some((url) => new URL(url).hostname === hostname);
}

async function isWorkspaceHost(env: Env, hostname: string): Promise<boolean> {
  const found = await openDatabase(env.DIRECTORY)
    .select({ number: domains.number })
    .from(domains)
    .where(eq(domains.hostname, hostname));
  return found.length > 0;
}
