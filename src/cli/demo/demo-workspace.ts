import type { Settings } from "../../env.ts";
import type { Role } from "../../permissions/roles.ts";
import { ALL_SCOPES } from "../../permissions/scopes.ts";
import type { Actor } from "../../tenant/actor.ts";
import type { Deployment } from "../admin-database.ts";
import { SECRETS } from "../local-service.ts";
import { addMember, createSignInLink, listMembers } from "../member-records.ts";
import { createKey, findKeyOwner, listKeys, listWorkspaces, requireRow } from "../records.ts";
import type { StateFolder } from "../state.ts";
import { parseKeyPrefix } from "../values.ts";
import { createWorkspace } from "../workspace-creation.ts";
import { DEMO_MEMBERS } from "./demo-resources.ts";

const DEMO = {
  slug: "demo",
  name: "Demo",
  plan: "business",
  description: "Sample workspace for local development",
} as const;

/** Demo workspace of the local service. */
export interface Demo {
  /** Active API key with all scopes. */
  key: string;
  slug: string;
  plan: string;
  /** Host of the workspace's short links. */
  hostname: string;
}

/** Member who owns the demo workspace. */
const OWNER = { email: "owner@demo.example", name: "Demo owner", role: "owner" } as const;

/**
 * Fills the new demo workspace with sample data. Imports the code for the sample data only when called,
 * because later starts don't need it.
 */
export async function fillDemoWorkspace(
  deployment: Deployment,
  state: StateFolder,
  settings: Settings,
  receiverUrl: string,
): Promise<void> {
  for (const member of DEMO_MEMBERS) await addMember(deployment, DEMO.slug, member);
  const members = await listMembers(deployment, DEMO.slug);
  const [key] = await listKeys(deployment, DEMO.slug);
  const person = (role: Role): Actor => {
    const member = requireRow(
      members.find((row) => row.role === role),
      `member ${role}`,
    );
    return { type: "person", id: String(member.id), name: String(member.name) };
  };
  const { runDemoWorker } = await import("./run-demo-worker.ts");
  await runDemoWorker(state.storage, {
    slug: DEMO.slug,
    settings,
    receiverUrl,
    secrets: state.ensureSecrets(SECRETS),
    actors: {
      owner: person("owner"),
      editor: person("editor"),
      key: { type: "key", id: String(key?.id), name: String(key?.name) },
    },
    nowMs: Date.now(),
  });
}

/** Creates a URL that signs in the owner of the demo workspace once. Adds the owner if needed. */
export async function createDemoLink(deployment: Deployment, appUrl: string): Promise<string> {
  const members = await listMembers(deployment, DEMO.slug);
  if (!members.some(({ email }) => email === OWNER.email)) await addMember(deployment, DEMO.slug, OWNER);
  const { url } = await createSignInLink(deployment, DEMO.slug, OWNER.email, appUrl);
  return url;
}

/**
 * Returns the demo workspace. The first start creates it with the domain `hostname` and a key. Later
 * starts create another key only if the last key was revoked or rotated.
 */
export async function ensureDemo(
  deployment: Deployment,
  state: StateFolder,
  hostname: string,
): Promise<Demo> {
  const { demoKey } = state.saved;
  const owner = demoKey && (await findKeyOwner(deployment, parseKeyPrefix(demoKey)));
  if (owner) return { key: demoKey, ...parseWorkspace(owner) };
  const workspace = await ensureWorkspace(deployment, hostname);
  const { key } = await createKey(deployment, DEMO.slug, {
    name: "demo",
    scopes: [ALL_SCOPES],
    expiresAtMs: null,
  });
  state.save({ demoKey: key });
  return { key, ...workspace };
}

async function ensureWorkspace(deployment: Deployment, hostname: string): Promise<Omit<Demo, "key">> {
  const existing = (await listWorkspaces(deployment)).find(({ slug }) => slug === DEMO.slug);
  if (existing) return parseWorkspace(existing);
  await createWorkspace(deployment, { ...DEMO, hostname, shard: 0 });
  return { slug: DEMO.slug, plan: DEMO.plan, hostname };
}

function parseWorkspace({ slug, plan, hostname }: Record<string, unknown>): Omit<Demo, "key"> {
  return { slug: String(slug), plan: String(plan), hostname: String(hostname) };
}
