import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { expectData, type TestWorkspace } from "./harness.ts";

export const LINKS = "/v1/links";

type Query = Record<string, string | number>;

/** Returns a page of links. */
export async function listLinks(workspace: TestWorkspace, query: Query) {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return expectData(await workspace.call("GET", `${LINKS}?${parameters}`), z.array(linkResponse));
}

/** Returns the ids of all pages of a list, and the number of pages. */
export async function walk(workspace: TestWorkspace, query: Query) {
  const ids: string[] = [];
  let pages = 0;
  for (let before: string | null | undefined; before !== null; pages++) {
    const { data, meta } = await listLinks(workspace, { ...query, ...(before && { before }) });
    ids.push(...data.map(({ id }) => id));
    before = meta.next_before ?? null;
  }
  return { ids, pages };
}
