import { beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, type TestWorkspace } from "./support/harness.ts";
import {
  exampleBody,
  type Ids,
  makeResources,
  operations,
  pathWith,
  quietEnv,
  storedBy,
} from "./support/resources.ts";

/** Another workspace's id answers as an unknown one does, and nothing changes. */

const named = operations.map((each) => [each.operation.operationId, each] as const);

/** Which of the ids that a call names are the other workspace's, and which are nobody's. */
function strangers(own: Ids, foreign: Ids, names: readonly string[]): { foreign: Ids; unknown: Ids }[] {
  return names.map((name) => ({
    foreign: { ...own, [name]: foreign[name] ?? "" },
    unknown: { ...own, [name]: crypto.randomUUID() },
  }));
}

/** What an answer says, but for the id of its request and the quota, which goes down with each call. */
async function said(response: Response): Promise<string> {
  const text = await response.text();
  return `${response.status} ${text.replaceAll(response.headers.get("X-Request-Id") ?? "", "").replace(/"remaining":\d+/, "")}`;
}

async function twoWorkspaces() {
  const [ours, theirs] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  return { ours, theirs, own: await makeResources(ours), foreign: await makeResources(theirs) };
}

/** For tests after which nothing is to have changed. */
let shared: Awaited<ReturnType<typeof twoWorkspaces>>;
beforeAll(async () => {
  shared = await twoWorkspaces();
});

describe.each(named.filter(([, { path }]) => path.includes("{")))("%s", (_, { path, method, operation }) => {
  test("takes no id of another workspace in its path", async () => {
    const { ours, theirs, own, foreign } = shared;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const [oursBefore, theirsBefore] = [await storedBy(ours.id), await storedBy(theirs.id)];
    const ask = async (ids: Ids) => {
      const body = exampleBody(operation);
      return said(await ours.call(method, pathWith(path, ids), { body, env: quietEnv }));
    };
    for (const ids of strangers(own, foreign, names)) {
      const answer = await ask(ids.foreign);
      expect(answer).toMatch(/^404 /);
      expect(answer).toBe(await ask(ids.unknown));
    }
    expect(await storedBy(ours.id)).toBe(oursBefore);
    expect(await storedBy(theirs.id)).toBe(theirsBefore);
  });
});

const withIdInQuery = named.flatMap(([id, each]) =>
  (each.operation.parameters ?? [])
    .filter(({ name, in: place }) => place === "query" && name.endsWith("_id"))
    .map(({ name }) => [id, name, each] as const),
);

describe.each(withIdInQuery)("%s", (_, name, { path, method, operation }) => {
  test(`takes no ${name} of another workspace in its query`, async () => {
    const { ours, own, foreign } = shared;
    const needed = (operation.parameters ?? []).filter(
      ({ in: place, required }) => place === "query" && required,
    );
    const query = new URLSearchParams(
      needed.map((parameter) => [parameter.name, String(parameter.schema.enum?.[0] ?? "")]),
    );
    const ask = async (value: string) => {
      query.set(name, value);
      return said(await ours.call(method, `${pathWith(path, own)}?${query}`));
    };
    expect(await ask(own[name] ?? "")).toMatch(/^200 /);
    const answer = await ask(foreign[name] ?? "");
    expect(answer).toMatch(/^404 /);
    expect(answer).toBe(await ask(crypto.randomUUID()));
  });
});

test("a bulk update skips another workspace's links as it skips unknown ones", async () => {
  const { ours, theirs, own, foreign } = await twoWorkspaces();
  const before = await storedBy(theirs.id);
  const update = (workspace: TestWorkspace, ids: unknown[]) =>
    workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids, enabled: false }, env: quietEnv });
  const strange = await said(await update(ours, [own.link_id, foreign.link_id]));
  expect(strange).toContain('"updated":1');
  expect(strange).toBe(await said(await update(ours, [own.link_id, crypto.randomUUID()])));
  expect(await storedBy(theirs.id)).toBe(before);
});

test("every example of a body is one that its operation takes", async () => {
  const { ours, own } = await twoWorkspaces();
  for (const { path, method, operation } of operations) {
    const body = exampleBody(operation);
    // The resources were made of the examples; a second link cannot have the same slug.
    if (body === undefined || path === "/v1/links") continue;
    const response = await ours.call(method, pathWith(path, own), { body, env: quietEnv });
    expect([200, 201], `${operation.operationId}: ${await response.text()}`).toContain(response.status);
  }
});
