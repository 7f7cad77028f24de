import { expect, test } from "vitest";
import {
  findReach,
  isLoopbackAddress,
  isLoopbackHost,
  isThisMachine,
  isWithinDomain,
  normalizeHostname,
} from "../../src/core/hosts.ts";

test.each([
  ["Go.Example.COM", "go.example.com"],
  ["go.example.com.", "go.example.com"],
  ["localhost", "localhost"],
  ["", ""],
])("normalizeHostname(%j) returns %j", (hostname, expected) => {
  expect(normalizeHostname(hostname)).toBe(expected);
});

test.each([
  ["example.com", "example.com", true],
  ["go.example.com", "example.com", true],
  ["a.b.example.com", "example.com", true],
  ["badexample.com", "example.com", false],
  ["example.com.evil.org", "example.com", false],
  ["com", "example.com", false],
])("isWithinDomain(%s, %s) returns %j", (hostname, parent, expected) => {
  expect(isWithinDomain(hostname, parent)).toBe(expected);
});

// Columns: host, isLoopbackAddress, isLoopbackHost, isThisMachine.
test.each([
  ["127.0.0.1", true, true, true],
  ["127.255.255.254", true, true, true],
  ["[::1]", true, true, true],
  ["localhost", false, true, false],
  ["hooks.localhost", false, true, false],
  ["0.0.0.0", false, false, true],
  ["[::]", false, false, true],
  ["128.0.0.1", false, false, false],
  ["10.127.0.0.1", false, false, false],
  ["127.0.0.1.example.com", false, false, false],
  ["[::ffff:7f00:1]", false, false, false],
  ["0.0.0.1", false, false, false],
  [".localhost", false, false, false],
  ["notlocalhost", false, false, false],
  ["localhost.example.com", false, false, false],
  ["example.com", false, false, false],
])("%s: isLoopbackAddress %j, isLoopbackHost %j, isThisMachine %j", (hostname, address, host, machine) => {
  expect(isLoopbackAddress(hostname)).toBe(address);
  expect(isLoopbackHost(hostname)).toBe(host);
  expect(isThisMachine(hostname)).toBe(machine);
});

test.each([
  ["machine", "localhost", "app.localhost", "127.0.0.1", "127.8.9.1", "[::1]", "0.0.0.0", "LOCALHOST."],
  [
    "network",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.1",
    "192.168.1.7",
    "169.254.1.1",
    "[fd12:3456::1]",
    "[fe80::1]",
  ],
  ["network", "printer", "nas.local", "wiki.corp.internal", "router.home.arpa"],
  [
    "internet",
    "go.example.com",
    "172.15.0.1",
    "172.32.0.1",
    "11.0.0.1",
    "192.169.0.1",
    "[2001:db8::1]",
    "mylocal.com",
  ],
])("only devices of the %s reach it: %s", (reach, ...hosts) => {
  expect(hosts.filter((host) => findReach(host) !== reach)).toEqual([]);
});
