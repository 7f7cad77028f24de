import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const mcp: Guide = {
  id: "mcp",
  title: "Tools for AI assistants (MCP)",
  Body: ({ apiUrl }) => (
    <>
      <P>
        `{apiUrl}/mcp` speaks the Model Context Protocol by Streamable HTTP, with an API key as the bearer
        token. A model gets tools for links, QR codes, statistics and bio pages.
      </P>
      <Code title="Configuration for a client that uses HTTP">{`{
  "mcpServers": {
    "signpost": {
      "type": "http",
      "url": "${apiUrl}/mcp",
      "headers": { "Authorization": "Bearer svc_pk_…" }
    }
  }
}`}</Code>
      <P>For a client that starts a command, `signpost mcp` passes the same tools on, with the stored key:</P>
      <Code title="Settings of a client that starts commands">{`{
  "mcpServers": {
    "signpost": { "command": "signpost", "args": ["mcp"] }
  }
}`}</Code>
      <ul>
        <Item>
          The scopes of the key decide which tools are listed: a key with `links:read` and `analytics:read`
          can look and change nothing.
        </Item>
        <Item>
          Tools that only read are marked so (`readOnlyHint`), and those that overwrite or delete for ever too
          (`destructiveHint`).
        </Item>
        <Item>
          Results are structured, with schemas. QR codes are images. Errors name the argument and what it must
          be.
        </Item>
        <Item>
          Each message is one call of the quota and of the burst limit. Changes are in the audit log under the
          name of the key.
        </Item>
        <Item>
          There are no sessions: each message is independent, and any revision from 2025-03-26 is served.
        </Item>
      </ul>
    </>
  ),
};
