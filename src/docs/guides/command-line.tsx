import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const commandLine: Guide = {
  id: "command-line",
  title: "Command line",
  Body: ({ apiUrl }) => (
    <>
      <P>
        The package `@signpost/client` has the command `signpost`, for Node.js from 20.3. `signpost --help`
        shows all of it, and `--help` after a command its options.
      </P>
      <Code title="Shell">{`npm install --global @signpost/client
signpost login ${apiUrl}                   # asks for the API key
signpost links create https://example.com --slug summer --label print
signpost qr summer                         # draws the QR code in the terminal
signpost qr summer -o summer.svg
signpost links list --label print
signpost stats summer --by country`}</Code>
      <ul>
        <Item>
          You can pipe the key to `signpost login`, so that it doesn't appear in your shell history or process
          list. It is stored in `~/.config/signpost/config.json`, or below `$XDG_CONFIG_HOME`, readable by its
          owner only. `SIGNPOST_API_URL` and `SIGNPOST_KEY` take precedence.
        </Item>
        <Item>A link is named by its id, its short code (in any case) or its short address.</Item>
        <Item>
          `signpost import`, `signpost apply` and `signpost mcp` have guides of their own: import from another
          service, links as code, tools for models.
        </Item>
        <Item>
          `--json` writes results as JSON. In a pipe, lists have a line for each item, with tabs between
          fields. Notes and errors go to the standard error stream.
        </Item>
        <Item>
          Exit codes: 0 done, 1 failure of the service or the network, 2 wrong input, 3 no key or not
          permitted, 4 not found, 5 conflict, 6 limit reached, 7 differences that a dry run with `--exit-code`
          found, 130 ended with Ctrl-C.
        </Item>
        <Item>
          `signpost completion bash`, `zsh` and `fish` write scripts that complete commands and options:
          `source {"<(signpost completion bash)"}`.
        </Item>
      </ul>
    </>
  ),
};
