import { expect, test } from "vitest";
import { pageResponse } from "../../src/bio/bio.schema.ts";
import { expectData, newWorkspace, send } from "../support/harness.ts";

/** Markup of bio pages, as the HTML parser of Workers reads it. */

test("a bio page escapes the owner's text in every field", async () => {
  const evil = `"'></title></style><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;
  const url = `https://a.example/${evil.replaceAll(" ", "/")}`;
  const workspace = await newWorkspace();
  const body = {
    title: evil,
    description: evil,
    page_data: {
      theme: evil.slice(0, 50),
      avatar_url: url,
      avatar_alt: evil,
      links: [
        { label: evil.slice(0, 100), url, type: "link", [evil]: evil, icon: evil },
        { label: evil.slice(0, 100), type: "heading", class: evil },
      ],
      socials: [{ network: evil.slice(0, 50), url, [evil]: evil }],
      style: { [evil]: evil, css: evil },
      seo: { title: evil, description: evil, image_url: url, [evil]: evil },
      [evil]: evil,
      html: evil,
    },
  };
  const created = await workspace.call("POST", "/v1/bio/pages", { body });
  const { data } = await expectData(created, pageResponse, 201);
  expect((await workspace.call("POST", `/v1/bio/pages/${data.id}/publish`)).status).toBe(200);
  const elements: string[] = [];
  const attributes = new Set<string>();
  const response = await send(new Request(data.html_url));
  const html = await response.clone().text();
  await new HTMLRewriter()
    .on("*", {
      element({ tagName, attributes: elementAttributes }) {
        elements.push(tagName);
        for (const [name] of elementAttributes) attributes.add(name as string);
      },
    })
    .transform(response)
    .text();
  expect(elements).not.toContain("script");
  expect(elements.filter((tag) => tag === "img")).toHaveLength(1);
  expect(elements.filter((tag) => tag === "title" || tag === "style")).toHaveLength(2);
  expect([...attributes].filter((name) => name.startsWith("on"))).toEqual([]);
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img src=x");
});
