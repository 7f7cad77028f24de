import { describe, expect, test } from "vitest";
import {
  areFiltered,
  filterAssets,
  listTags,
  readAssetFilters,
} from "../../src/dashboard/screens/assets/asset-filters.ts";

const ASSETS = [
  { filename: "Logo.png", mime_type: "image/png", is_public: true, tags: ["brand"] },
  { filename: "menu.pdf", mime_type: "application/pdf", is_public: false, tags: ["print", "brand"] },
  { filename: "teaser.mp4", mime_type: "video/mp4", is_public: false, tags: [] },
];

describe("filters of assets", () => {
  test("are read from the URL, with defaults for invalid values", () => {
    expect(readAssetFilters("search=+a+b+&kind=image&visibility=private&tag=x&view=table")).toEqual({
      search: "a b",
      kind: "image",
      visibility: "private",
      tag: "x",
      view: "table",
    });
    expect(readAssetFilters("kind=thing&visibility=1&view=2")).toEqual({
      search: "",
      kind: "all",
      visibility: "all",
      tag: "",
      view: "grid",
    });
  });

  test.each([
    ["", "Logo.png menu.pdf teaser.mp4", false],
    ["view=table", "Logo.png menu.pdf teaser.mp4", false],
    ["search=LOGO", "Logo.png", true],
    ["search=rand", "Logo.png menu.pdf", true],
    ["kind=document", "menu.pdf", true],
    ["visibility=public", "Logo.png", true],
    ["visibility=private", "menu.pdf teaser.mp4", true],
    ["tag=brand", "Logo.png menu.pdf", true],
    ["tag=bran", "", true],
    ["tag=brand&visibility=private&kind=document&search=menu", "menu.pdf", true],
  ])("%s leaves %s", (query, names, isFiltered) => {
    const filters = readAssetFilters(query);
    expect(
      filterAssets(ASSETS, filters)
        .map(({ filename }) => filename)
        .join(" "),
    ).toBe(names);
    expect(areFiltered(filters)).toBe(isFiltered);
  });

  test("tags are listed once, in alphabetical order", () => {
    expect(listTags(ASSETS)).toEqual(["brand", "print"]);
  });
});
