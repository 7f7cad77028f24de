import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import type { Deployment } from "../../../src/cli/admin-database.ts";
import { closeDatabases } from "../../../src/cli/local-databases.ts";
import { createDatabases } from "../../../src/cli/local-migrations.ts";
import { lockFolder } from "../../../src/cli/lock.ts";
import { PROJECT, StateFolder } from "../../../src/cli/state.ts";
import { handleControl } from "../../../src/self-host/control-worker.js";
import { IS_LONG } from "../../support/long-tests.ts";
import { createSqliteD1 } from "../../support/sqlite-d1.ts";

/**
 * Returns a deployment with migrated, empty databases for admin commands. Commands send their statements to a server in
 * this process, as if a service were running, because workerd takes several times as long. Long tests use workerd.
 */
export function useAdminDatabases(): Deployment {
  const state = StateFolder.create(mkdtempSync(join(tmpdir(), "signpost-admin-")));
  const deployment = { state, environment: undefined, shards: [0, 1] };
  if (IS_LONG) {
    beforeAll(() => createDatabases(state, deployment));
    afterAll(closeDatabases);
    return deployment;
  }
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const result = await handleControl(
      new Request("http://localhost", { method: "POST", body }),
      env as never,
    );
    response.writeHead(result.status).end(await result.text());
  });
  const [directory, ...shards] = ["directory", "shard", "shard"].map((name) =>
    createSqliteD1(join(PROJECT, "migrations", name)),
  );
  const env = { DIRECTORY: directory, SHARD_0: shards[0], SHARD_1: shards[1] };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    lockFolder(state.path);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    state.save({ control: { url, headers: {} } });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return deployment;
}
