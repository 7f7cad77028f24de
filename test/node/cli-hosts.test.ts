import { expect, test } from "vitest";
import { findUnresolvedHosts, formatHostsNote } from "../../src/cli/localhost-names.ts";

const HOSTS = ["bio.localhost", "cdn.localhost"];

test("findUnresolvedHosts returns the hosts that the machine can't resolve", async () => {
  const resolve = async (hostname: string) => {
    if (hostname === "cdn.localhost") throw new Error("ENOTFOUND");
  };
  expect(await findUnresolvedHosts(HOSTS, resolve)).toEqual(["cdn.localhost"]);
  expect(await findUnresolvedHosts(HOSTS, async () => {})).toEqual([]);
});

test("formatHostsNote returns the line for /etc/hosts, or nothing if all hosts resolve", () => {
  expect(formatHostsNote(HOSTS)).toContain("127.0.0.1 bio.localhost cdn.localhost\n");
  expect(formatHostsNote([])).toBe("");
});
