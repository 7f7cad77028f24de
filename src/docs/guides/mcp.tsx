import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const mcp: Guide = {
  id: "mcp",
  title: "Tools for AI assistants (MCP)",
  Body: ({ apiUrl }) => (
    <>
      <P>
        `{apiUrl}/mcp` supports the Model Context Protocol over Streamable HTTP, with an API key as the bearer
        token. It gives an AI assistant tools for links, QR codes, analytics and bio pages.
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
      <P>For a client that starts a command, `signpost mcp` provides the same tools with the stored key:</P>
      <Code title="Configuration for a client that starts a command">{`{
  "mcpServers": {
    "signpost": { "command": "signpost", "args": ["mcp"] }
  }
}`}</Code>
      <ul>
        <Item>
          The scopes of the key decide which tools are listed: with `links:read` and `analytics:read`, an
          assistant can read data but not change anything.
        </Item>
        <Item>
          Tools that only read are marked with `readOnlyHint`, tools that overwrite or delete with
          `destructiveHint`, and tools that may load a logo from another server with `openWorldHint`.
        </Item>
        <Item>
          Results are structured, with schemas. QR codes are images. Errors name the argument and say what is
          allowed. Text that visitors sent, such as referrers, is marked with `untrusted`.
        </Item>
        <Item>
          Each message counts as one API call towards the quota and the burst limit, also if it fails. Changes
          are in the audit log under the name of the key.
        </Item>
        <Item>
          There are no sessions: each message is independent. All revisions since 2025-03-26 are supported; a
          batch can have up to 10 messages.
        </Item>
      </ul>
    </>
  ),
};
