import { describe, expect, test } from "vitest";
import { changeQuery, readChoice } from "../../src/dashboard/address/query-state.ts";
import { findRoute, matchPath } from "../../src/dashboard/address/route-match.ts";

describe("paths of screens", () => {
  test.each([
    ["/links", "/links", {}],
    ["/links", "/links/", {}],
    ["/", "/", {}],
    ["/links", "/link", null],
    ["/links", "/links/a", null],
    ["/links/:id", "/links/a", { id: "a" }],
    ["/links/:id", "/links/a%20b%2Fc", { id: "a b/c" }],
    ["/links/:id", "/links", null],
    ["/links/:id", "/links/a/b", null],
    ["/links/:id", "/links/%E0%A4%A", null],
    ["/links/:id/rules", "/links/a/rules", { id: "a" }],
    ["/links/:id/rules", "/links/a/stats", null],
  ])("%s and %s", (pattern, path, parameters) => {
    expect(matchPath(pattern, path)).toEqual(parameters);
  });

  test("the first matching route is used", () => {
    const routes = [{ path: "/links/new" }, { path: "/links/:id" }];
    expect(findRoute(routes, "/links/new")?.route).toBe(routes[0]);
    expect(findRoute(routes, "/links/x")).toEqual({ route: routes[1], parameters: { id: "x" } });
    expect(findRoute(routes, "/else")).toBeNull();
  });
});

describe("state in the query", () => {
  test.each([
    ["", { search: "a b" }, "search=a+b"],
    ["search=a&sort=x", { search: "b" }, "search=b&sort=x"],
    ["search=a&sort=x", { search: null }, "sort=x"],
    ["search=a&sort=x", { search: "" }, "sort=x"],
    ["search=a", { search: undefined, link: "1" }, "link=1"],
    ["a=1", {}, "a=1"],
  ])("%s changed by %o is %s", (query, changes, changed) => {
    expect(changeQuery(query, changes)).toBe(changed);
  });

  test.each([
    ["sort=b", "b"],
    ["sort=c", "a"],
    ["", "a"],
  ] as const)("a choice in %s is %s", (query, choice) => {
    expect(readChoice(query, "sort", ["a", "b"])).toBe(choice);
  });
});
