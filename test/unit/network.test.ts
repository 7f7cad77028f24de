import { expect, test } from "vitest";
import { toNetwork, toProvider, toSite } from "../../src/routing/network.ts";

test.each<[string | null, string | null]>([
  [null, null],
  ["", null],
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8:1::9", "2001:db8:1:0::/64"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["2001:0db8:0001:0002:0003:0004:192.000.002.001", "2001:db8:1:2::/64"],
  ["x".repeat(45), "x".repeat(45)],
  ["x".repeat(46), null],
])("the address %j counts as the network %j", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  ["::ffff:203.10.113.17", "203.10.113.17"],
  ["1::ffff:203.0.113.7", "1:0:0:0::/64"],
  ["::ffff:203.0.113.7:1", "0:0:0:0::/64"],
])("the address %j counts as the network %j: an IPv4 address only as a whole", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:db8:1:3::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:db8:2:2::/64", "2001:db8:2::/48", "2001:db8::/32"],
  ["2001:db9:1:2::/64", "2001:db9:1::/48", "2001:db9::/32"],
])("the network %s belongs to the site %s and the provider %s", (network, site, provider) => {
  expect([toSite(network), toProvider(network)]).toEqual([site, provider]);
});
