import { expect, test } from "vitest";
import { pageAnswer } from "../src/bio/bio.schema.ts";
import { dataOf, newWorkspace, send } from "./support/harness.ts";

test("smoke", async () => {
  const workspace = await newWorkspace();
  const { data: page } = await dataOf(
    await workspace.call("POST", "/v1/bio/pages", {
      body: { title: "Jane Doe", page_data: { links: [{ label: "a", url: "https://example.com" }] } },
    }),
    pageAnswer,
    201,
  );
  await dataOf(await workspace.call("POST", `/v1/bio/pages/${page.id}/publish`), pageAnswer);
  const r = await send(new Request(page.html_url));
  console.log(r.status, Object.fromEntries(r.headers), await r.text());
  expect(1).toBe(1);
});
