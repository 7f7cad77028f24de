import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { expectData, type TestWorkspace, workerEnv } from "./harness.ts";

export const LINKS = "/v1/links";

type Query = Record<string, string | number>;

/** Returns a page of links, with the given bindings. */
export async function listLinks(workspace: TestWorkspace, query: Query, env: Env = workerEnv) {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return expectData(await workspace.call("GET", `${LINKS}?${parameters}`, { env }), z.array(linkResponse));
}

/** Returns the links of all pages of a list, their ids, and the number of pages. */
export async function walk(workspace: TestWorkspace, query: Query, readPage = listLinks) {
  const links: z.output<typeof linkResponse>[] = [];
  let pages = 0;
  for (let before: string | null | undefined; before !== null; pages++) {
    const { data, meta } = await readPage(workspace, { ...query, ...(before && { before }) });
    links.push(...data);
    before = meta.next_before ?? null;
  }
  return { links, ids: links.map(({ id }) => id), pages };
}
