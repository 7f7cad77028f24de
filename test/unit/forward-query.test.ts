import { expect, test } from "vitest";
import { forwardQuery } from "../../src/routing/forward-query.ts";

test.each([
  // Nothing to add.
  ["https://e.com/", "", "https://e.com/"],
  ["https://e.com/?", "", "https://e.com/?"],
  ["https://e.com/?a=1#f", "?", "https://e.com/?a=1#f"],
  ["https://e.com/", "?&&", "https://e.com/"],
  // Added after the parameters of the destination, before its fragment.
  ["https://e.com/", "?a=1", "https://e.com/?a=1"],
  ["https://e.com/?", "?a=1", "https://e.com/?a=1"],
  ["https://e.com/?a=1", "?b=2", "https://e.com/?a=1&b=2"],
  ["https://e.com/?a=1#f", "?b=2", "https://e.com/?a=1&b=2#f"],
  ["https://e.com/#f", "?b=2", "https://e.com/?b=2#f"],
  ["https://e.com/#f?a=1", "?b=2", "https://e.com/?b=2#f?a=1"],
  ["https://e.com/p?a=b?c", "?d=e?f", "https://e.com/p?a=b?c&d=e?f"],
  // The visitor's value wins.
  ["https://e.com/?a=1", "?a=2", "https://e.com/?a=2"],
  ["https://e.com/?a=1&b=2&a=3", "?a=4", "https://e.com/?b=2&a=4"],
  ["https://e.com/?a=1", "?a=2&a=3", "https://e.com/?a=2&a=3"],
  ["https://e.com/?a=1&a=2", "?b=3&b=4&b=3", "https://e.com/?a=1&a=2&b=3&b=4&b=3"],
  ["https://e.com/?A=1", "?a=2", "https://e.com/?A=1&a=2"],
  // Names are compared decoded, and everything stays as it is written.
  ["https://e.com/?a%20b=1", "?a+b=2", "https://e.com/?a+b=2"],
  ["https://e.com/?x=%20y+z&%C3%BC=1", "?b=%2F", "https://e.com/?x=%20y+z&%C3%BC=1&b=%2F"],
  ["https://e.com/?%C3%BC=1", "?%c3%bc=2", "https://e.com/?%c3%bc=2"],
  ["https://e.com/?n=%E9", "?m=%ED%A0%80", "https://e.com/?n=%E9&m=%ED%A0%80"],
  ["https://e.com/?a=%F0%9F%8E%89", "?b=%F0%9F%8E%89", "https://e.com/?a=%F0%9F%8E%89&b=%F0%9F%8E%89"],
  // Empty values and names.
  ["https://e.com/?a=1", "?a=", "https://e.com/?a="],
  ["https://e.com/?a=1", "?a", "https://e.com/?a"],
  ["https://e.com/?a", "?b", "https://e.com/?a&b"],
  ["https://e.com/?=1", "?=2", "https://e.com/?=2"],
  ["https://e.com/?a=1&&b=2", "?c=3", "https://e.com/?a=1&b=2&c=3"],
  ["https://e.com/??a=1", "?a=2", "https://e.com/??a=1&a=2"],
  // Parameters for this service stay here.
  ["https://e.com/", "?pw=secret", "https://e.com/"],
  ["https://e.com/", "?p%77=secret", "https://e.com/"],
  ["https://e.com/?pw=own", "?pw=secret&a=1", "https://e.com/?pw=own&a=1"],
  ["https://e.com/", "?PW=1", "https://e.com/?PW=1"],
])("forwardQuery of %s and %s", (address, search, expected) => {
  expect(forwardQuery(address, search)).toBe(expected);
});

test("forwardQuery forwards all parameters up to 8,192 characters, and none beyond", () => {
  const address = "https://e.com/?a=1#f";
  const room = 8_192 - "https://e.com/?a=1&b=#f".length;
  expect(forwardQuery(address, `?b=${"x".repeat(room)}`)).toHaveLength(8_192);
  expect(forwardQuery(address, `?b=${"x".repeat(room + 1)}`)).toBe(address);
  expect(forwardQuery(address, `?c=1&b=${"x".repeat(room + 1)}`)).toBe(address);
});
