import { expect, inject } from "vitest";
import { openDatabase, openShard } from "../../src/db/database.ts";
import { listShards } from "../../src/db/shards.ts";
import { type DomainResponse, domainResponse } from "../../src/domains/domains.schema.ts";
import { sweepClaims } from "../../src/domains/sweep-claims.ts";
import { getSettings } from "../../src/env.ts";
import type { ZoneAnswer } from "./dns-resolver.ts";
import { expectData, send, type TestWorkspace, workerEnv } from "./harness.ts";

/** Domains of test workspaces, and the DNS resolver for tests. */

/** The Worker's `env` with the DNS resolver for tests. */
export const dnsEnv: Env = Object.assign(
  { ...workerEnv },
  { DNS_RESOLVER_URL: `${inject("dnsUrl")}/dns-query` },
);

let count = 0;

/** Returns a host name that no other test uses. */
export function newHostname(): string {
  count += 1;
  return `go${count}-${crypto.randomUUID().slice(-8)}.example.com`;
}

/** Sets the resolver's answer for a host's proof. */
export async function setProofAnswer(hostname: string, answer: ZoneAnswer): Promise<void> {
  const path = `${inject("dnsUrl")}/_zone/_signpost.${hostname}`;
  expect((await fetch(path, { method: "PUT", body: JSON.stringify(answer) })).status).toBe(200);
}

/** Returns the number of queries for a host's proof. */
export async function countProofQueries(hostname: string): Promise<number> {
  return Number(await (await fetch(`${inject("dnsUrl")}/_asked/_signpost.${hostname}`)).text());
}

/** Returns a DNS response with one TXT record of the given strings. */
export function answerWithText(hostname: string, ...strings: string[]): ZoneAnswer {
  return { records: [{ owner: `_signpost.${hostname}`, type: "TXT", strings }] };
}

/** Claims a host. */
export async function createDomain(
  workspace: TestWorkspace,
  hostname: string,
  settings: object = {},
): Promise<DomainResponse> {
  const response = await workspace.call("POST", "/v1/domains", { body: { hostname, ...settings } });
  return (await expectData(response, domainResponse, 201)).data;
}

/** Verifies a domain and returns it. */
export async function verifyDomain(workspace: TestWorkspace, { id }: { id: string }) {
  return expectData(
    await workspace.call("POST", `/v1/domains/${id}/verify`, { env: dnsEnv }),
    domainResponse,
  );
}

/** Claims and verifies a host. */
export async function createActiveDomain(
  workspace: TestWorkspace,
  settings: object = {},
  hostname = newHostname(),
): Promise<DomainResponse> {
  const domain = await createDomain(workspace, hostname, settings);
  await setProofAnswer(hostname, answerWithText(hostname, domain.id));
  const { data } = await verifyDomain(workspace, domain);
  expect(data.status).toBe("active");
  return data;
}

/** Reads a domain. */
export async function readDomain(workspace: TestWorkspace, id: string): Promise<DomainResponse> {
  return (await expectData(await workspace.call("GET", `/v1/domains/${id}`), domainResponse)).data;
}

/** Runs the sweep of claims at the given time, as the cron does. */
export async function sweepClaimsAt(nowMs: number, env: Env = dnsEnv): Promise<void> {
  const shards = listShards(env).map((shard) => openShard(env, shard).db);
  await sweepClaims(openDatabase(env.DIRECTORY), shards, getSettings(env), nowMs);
}

/** Requests a path of a host. Does not follow redirects. */
export function visitHost(hostname: string, path: string, init: RequestInit = {}): Promise<Response> {
  return send(new Request(`http://${hostname}:8787${path}`, { redirect: "manual", ...init }));
}
