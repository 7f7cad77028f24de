import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const commandLine: Guide = {
  id: "command-line",
  title: "Command line",
  Body: ({ apiUrl }) => (
    <>
      <P>
        The package `@signpost/client` contains the command `signpost`, for Node.js 20.3 or newer. `signpost
        --help` lists all commands, and `--help` after a command lists its options.
      </P>
      <Code title="Shell">{`npm install --global @signpost/client
signpost login ${apiUrl}                   # asks for the API key
signpost links create https://example.com --slug summer --label print
signpost qr summer                         # draws the QR code in the terminal
signpost qr summer -o summer.svg           # compact; --no-compact keeps the short URL as it is shown
signpost qr --wifi ssid=Guests password=welcome -o wifi.svg --frame balloon --frame-text "Free Wi-Fi"
signpost qr --label print --pdf sheet.pdf   # 24 codes on an A4 page, with captions
signpost links list --label print
signpost stats summer --by country`}</Code>
      <ul>
        <Item>
          You can pipe the key to `signpost login`, so that it doesn't appear in your shell history or process
          list. It is stored in `~/.config/signpost/config.json`, or below `$XDG_CONFIG_HOME`, readable by its
          owner only. `SIGNPOST_API_URL` and `SIGNPOST_KEY` take precedence.
        </Item>
        <Item>
          `signpost qr` prints many codes: of the links that you name, of a label (`--label`), of a search
          (`--search`), or of a CSV file (`--csv`) with a column `content`, `short_url` or `url`; an export of
          your links works as it is. `--zip FILE` writes one file per code, named by a pattern such as `--name
          "{"{n} {title}"}"`. `--pdf FILE` writes sheets: `--paper` (a4, letter, or the size of labels such as
          62x40), `--rows`, `--columns`, `--mm` (the side of a code without its quiet zone), `--margin`,
          `--caption` and `--cut-marks`. Captions can have Latin, Greek and Cyrillic letters. `--frame`,
          `--frame-text` and `--frame-color` add a frame with a call to action to all codes. Codes are drawn
          on your machine, 10,000 in less than a minute. Without links to look up, no service is needed.
        </Item>
        <Item>Name a link by its ID, its short code (not case-sensitive) or its short URL.</Item>
        <Item>
          `signpost trash list`, `restore` and `erase` work on what was deleted within 30 days. `--type pages`
          and `--type templates` select bio pages and QR templates.
        </Item>
        <Item>
          `signpost reports share`, `list` and `revoke` work with shared reports: `signpost reports share
          --label summer --days 90`.
        </Item>
        <Item>
          `signpost import`, `signpost apply` and `signpost mcp` have their own guides: import from another
          service, links as code, tools for AI assistants.
        </Item>
        <Item>
          `--json` prints results as JSON. In a pipe, lists have one line per item, with tabs between fields.
          Notes and errors go to standard error.
        </Item>
        <Item>
          Exit codes: 0 success, 1 failure of the service or the network, 2 invalid input, 3 not signed in or
          not permitted, 4 not found, 5 conflict, 6 limit reached, 7 changes found by `--dry-run --exit-code`,
          8 printed codes would be lost by an import, 130 interrupted with Ctrl-C.
        </Item>
        <Item>
          `signpost completion bash`, `zsh` and `fish` print scripts that complete commands and options:
          `source {"<(signpost completion bash)"}`.
        </Item>
      </ul>
    </>
  ),
};
