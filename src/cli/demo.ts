import { ALL_SCOPES } from "../auth/key.ts";
import type { Deployment } from "./admin-database.ts";
import { createKey, createWorkspace, findKeyOwner, listWorkspaces } from "./records.ts";
import type { StateFolder } from "./state.ts";
import { parseKeyPrefix } from "./values.ts";

const DEMO = {
  slug: "demo",
  name: "Demo",
  plan: "business",
  description: "Made by the first local start",
} as const;

/** The workspace that a newcomer starts with. */
export interface Demo {
  /** A key of it that may be used, with every scope. */
  key: string;
  slug: string;
  plan: string;
  /** Host of its short links. */
  hostname: string;
}

/**
 * The demo workspace as it is now. The first start makes it, on `hostname`, with a key; a later one makes another key
 * only if the one before was revoked or rotated.
 */
export async function ensureDemo(target: Deployment, state: StateFolder, hostname: string): Promise<Demo> {
  const { demoKey } = state.remembered;
  const owner = demoKey && (await findKeyOwner(target, parseKeyPrefix(demoKey)));
  if (owner) return { key: demoKey, ...shown(owner) };
  const workspace = await ensureWorkspace(target, hostname);
  const { key } = await createKey(target, DEMO.slug, {
    name: "demo",
    scopes: [ALL_SCOPES],
    expiresAtMs: null,
  });
  state.remember({ demoKey: key });
  return { key, ...workspace };
}

async function ensureWorkspace(target: Deployment, hostname: string): Promise<Omit<Demo, "key">> {
  const existing = (await listWorkspaces(target)).find(({ slug }) => slug === DEMO.slug);
  if (existing) return shown(existing);
  await createWorkspace(target, { ...DEMO, hostname });
  return { slug: DEMO.slug, plan: DEMO.plan, hostname };
}

function shown({ slug, plan, hostname }: Record<string, unknown>): Omit<Demo, "key"> {
  return { slug: String(slug), plan: String(plan), hostname: String(hostname) };
}
