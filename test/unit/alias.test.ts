import { expect, test } from "vitest";
import { findAliasProblem, isApiPath, mayBeAlias } from "../../src/routing/alias.ts";

test.each([
  ["menu"],
  ["Menu 2026/été"],
  ["x".repeat(255)],
  ["a/b/c"],
  ["a./.b/..c"],
  ["a.well-known"],
  ["menu/cdn-cgi"],
  ["menu/robots.txt"],
  ["Robots.txt"],
])("%j may be an alias", (path) => {
  expect(findAliasProblem(path)).toBeNull();
  expect(mayBeAlias(path)).toBe(true);
});

test.each([
  ["", "must have 1 to 255 characters"],
  ["x".repeat(256), "must have 1 to 255 characters"],
  ["a\u0007", "must not contain control characters"],
  ["a\u0085", "must not contain control characters"],
  ["/menu", "must not start or end with a slash"],
  ["menu/", "must not start or end with a slash"],
  ["a//b", "must not have segments that are empty, `.` or `..`"],
  ["a/./b", "must not have segments that are empty, `.` or `..`"],
  ["a/../b", "must not have segments that are empty, `.` or `..`"],
  [".well-known", '".well-known" is reserved'],
  [".Well-Known/x", '".Well-Known/x" is reserved'],
  ["cdn-cgi/trace", '"cdn-cgi/trace" is reserved'],
  ["robots.txt", '"robots.txt" is reserved'],
  ["favicon.ico", '"favicon.ico" is reserved'],
])("%j can't be an alias: %s", (path, problem) => {
  expect(findAliasProblem(path)).toBe(problem);
  expect(mayBeAlias(path)).toBe(false);
});

test.each([
  ["v1", true],
  ["v1/links", true],
  ["v10", false],
  ["menu/v1", false],
])("the API host serves %s itself: %j", (path, isServed) => {
  expect(isApiPath(path)).toBe(isServed);
});
