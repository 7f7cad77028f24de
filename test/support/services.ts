import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_SCOPES } from "../../src/permissions/scopes.ts";
import { findFreePort } from "./free-port.ts";
import type { Prebuilt, PrebuiltService } from "./prebuilt.ts";

/** Workspace for a test file on the shared service. */
export interface SharedWorkspace {
  /** Port of the service. */
  port: number;
  /** Folder with the service's state. */
  stateFolder: string;
  slug: string;
  /** Host of the workspace's short links, without the port. */
  host: string;
  /** Key with every scope. */
  key: string;
  /** URL that signs the workspace's owner in once. */
  signInLink: string;
}

/** Server that test files call. */
interface Services {
  url: string;
  close(): Promise<void>;
}

let serving: Promise<Services> | undefined;

/**
 * Serves the test files, which run in other processes: `/prebuilt` returns the folders from which services
 * start, `/workspaces` creates a workspace on a shared service, and `/demo` returns its demo workspace. Each is created, and
 * its code is loaded, at the first request for it. All projects of a run have the same server.
 */
export function serve(): Promise<Services> {
  serving ??= startServer();
  return serving;
}

async function startServer(): Promise<Services> {
  let prebuilding: Promise<Prebuilt> | undefined;
  let starting: Promise<{ port: number; stateFolder: string; service: PrebuiltService }> | undefined;
  let count = 0;

  const getPrebuilt = () => {
    prebuilding ??= import("./prebuilt.ts").then(({ prebuild }) => prebuild());
    return prebuilding;
  };
  const getService = () => {
    starting ??= (async () => {
      const port = await findFreePort();
      const stateFolder = mkdtempSync(join(tmpdir(), "shared-"));
      const { runPrebuilt } = await import("./prebuilt.ts");
      return { port, stateFolder, service: await runPrebuilt(await getPrebuilt(), stateFolder, port) };
    })();
    return starting;
  };
  const createShared = async (): Promise<SharedWorkspace> => {
    const { port, stateFolder, service } = await getService();
    count += 1;
    const slug = `shared-${count}`;
    const host = `${slug}.localhost`;
    const owner = { email: `owner@${slug}.example`, name: "Demo owner", role: "owner" } as const;
    const workspace = {
      slug,
      name: "Demo",
      plan: "business",
      description: "",
      hostname: host,
      shard: 0,
    } as const;
    const { deployment, appUrl } = service;
    const { createWorkspace } = await import("../../src/cli/workspace-creation.ts");
    const { addMember, createSignInLink } = await import("../../src/cli/member-records.ts");
    const { createKey } = await import("../../src/cli/records.ts");
    await createWorkspace(deployment, workspace);
    await addMember(deployment, slug, owner);
    const newKey = { name: "demo", scopes: [ALL_SCOPES], expiresAtMs: null };
    const { key } = await createKey(deployment, slug, newKey);
    const { url: signInLink } = await createSignInLink(deployment, slug, owner.email, appUrl);
    return { port, stateFolder, slug, host, key, signInLink };
  };
  const getDemo = async (): Promise<SharedWorkspace> => {
    const { port, stateFolder, service } = await getService();
    const { key, signInLink } = service;
    return { port, stateFolder, slug: "demo", host: "localhost", key, signInLink };
  };
  const makers: Record<string, () => Promise<unknown>> = {
    "/prebuilt": getPrebuilt,
    "/workspaces": createShared,
    "/demo": getDemo,
  };

  const server = createServer(async ({ url = "" }, response) => {
    try {
      response.end(JSON.stringify(await makers[url]?.()));
    } catch (error) {
      response.writeHead(500).end((error as Error).stack);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.close();
    await starting?.then(({ service }) => service.kill());
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
