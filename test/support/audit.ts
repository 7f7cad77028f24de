import * as z from "zod";
import { type EntryResponse, entryResponse } from "../../src/audit/audit.schema.ts";
import { expectData, type TestWorkspace } from "./harness.ts";

const entries = z.array(entryResponse);

/** Returns a page of a workspace's log, newest first. */
export async function readLog(workspace: TestWorkspace, query = ""): Promise<EntryResponse[]> {
  return (await expectData(await workspace.call("GET", `/v1/audit${query}`), entries)).data;
}

/** Returns the operation and changes of each entry of one resource, oldest first. */
export async function readChanges(workspace: TestWorkspace, resource: string) {
  const log = await readLog(workspace, `?resource=${resource}`);
  return log.reverse().map(({ operation, changes }) => ({ operation, changes }));
}
