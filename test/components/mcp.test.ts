import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";

/** Version 1 of the protocol's official client, which checks results with a validator of an older JSON Schema. */

declare const createMemoryWorkspace: () => Promise<{
  key: string;
  send(request: Request): Promise<Response>;
}>;

interface Result {
  isError?: boolean;
  structuredContent?: { data: { id: string }[] & { id: string } };
}

test("client 1.x calls every tool and accepts its result", async () => {
  const { key, send } = await createMemoryWorkspace();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost:8787/mcp"), {
      fetch: (url, init) => send(new Request(url, init)),
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );
  const { tools } = await client.listTools();
  const left = new Set(tools.map(({ name }) => name));
  const callTool = async (name: string, given: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: given })) as Result;
    expect(result.isError, `${name}: ${JSON.stringify(result)}`).toBeUndefined();
    left.delete(name);
    return result.structuredContent?.data as { id: string }[] & { id: string };
  };

  const url = "https://example.com/";
  const { id: link_id } = await callTool("create_link", { url, labels: ["ai"] });
  await callTool("create_links", { links: [{ url }, { url: "nonsense" }] });
  await callTool("list_links", { label: "ai" });
  await callTool("get_link", { link_id });
  const routing_rules = [{ when: { os: ["ios"] }, destination: `${url}ios` }];
  await callTool("update_link", { link_id, routing_rules });
  await callTool("explain_link", { link_id, os: "android" });
  const [change] = await callTool("get_link_history", { link_id });
  await callTool("revert_link", { link_id, entry_id: change?.id });
  await callTool("get_link_qr_code", { link_id });
  await callTool("draw_qr_code", { content: "text" });
  await callTool("list_qr_templates");
  await callTool("get_scans_over_time", { interval: "day", link_id });
  await callTool("get_scan_breakdown", { by: "referrer" });
  const { id: page_id } = await callTool("create_bio_page", { title: "Acme" });
  await callTool("update_bio_page", { page_id, title: "Acme Ltd" });
  await callTool("publish_bio_page", { page_id });
  await callTool("list_bio_pages");
  await callTool("get_bio_page", { page_id });
  await callTool("get_bio_page_views", { page_id, interval: "day" });
  await callTool("unpublish_bio_page", { page_id });
  await callTool("list_domains");
  await callTool("get_usage");
  await callTool("delete_link", { link_id });
  await callTool("restore_link", { link_id });
  expect([...left]).toEqual([]);
});
