import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const importLinks: Guide = {
  id: "import",
  title: "Import from another service",
  Body: () => (
    <>
      <P>
        `signpost import` imports links exported from another service: Bitly, Dub, Short.io, Rebrandly, Kutt,
        YOURLS (its database dump too), Shlink, Sink, and any CSV file. Links keep their short codes, titles,
        labels, and creation and expiry times, and previous scan counts are stored in `imported_scans`. A dry
        run shows what would be imported without changing anything. Its first line says whether all printed
        codes will keep working.
      </P>
      <Code title="Shell">{`signpost import export.csv --from bitly --dry-run
signpost import export.csv --from bitly --report report.csv
signpost import verify export.csv --from bitly

signpost import links.csv --from csv --column url=Target --column custom_slug=Code`}</Code>
      <ul>
        <Item>
          A row counts as done if its short code already redirects to its destination. So if an import was
          interrupted or stopped by a limit, run the same command again, on the same day or a year later. No
          link is imported twice. Rows without a short code get one that is derived from the workspace and the
          row.
        </Item>
        <Item>
          A code that can't be a short code here, such as `m`, `my_menu`, `menu.html`, `summer/menu` or
          `メニュー`, becomes an alias of a link with a generated short code, so it keeps working. Codes of a
          file that differ only in case and have different destinations all become aliases, because aliases
          match exactly and short codes in any case.
        </Item>
        <Item>
          If another link already has the code of a row, `--on-conflict skip` skips the row, `suffix` adds
          `-2` or the next free number to its code, and `fail` imports nothing at all. In all three cases the
          printed code of this row would not open its destination, and the command says so.
        </Item>
        <Item>
          `--report` writes a `.csv` or `.json` file with the result of every row, the reason, the old and new
          short URL, the URL at which the old code works now (`kept_url`), and the adjustments made during
          import. It is written while the import runs.
        </Item>
        <Item>
          The exit code is 0 only if every row has its link. It is 8 if printed codes would not keep working,
          in a dry run too. It is 1 if other rows were invalid or failed, 6 if a limit of the plan was
          reached, and 130 after Ctrl-C. `verify` exits with 5 if it finds differences.
        </Item>
        <Item>
          Files can have up to 64 MiB and must be in UTF-8 (in Excel, save as "CSV UTF-8"). `signpost import
          --help` lists the fields for `--column`. If you use `--column`, only the columns that you map are
          read.
        </Item>
        <Item>
          Links are created 100 at a time with `POST /v1/links/bulk`. The key needs `links:write`,
          `links:read` and `workspace:read`. Each link counts towards your plan's monthly limit for links.
        </Item>
        <Item>
          Passwords are imported as hashes, in the field `password_hash`, if the file comes from Sink or
          Signpost. Routing rules require a plan that includes them.
        </Item>
        <Item>
          `signpost import verify` requests the old code of each row at the old service and here, and lists
          the rows that redirect to different destinations. Permanent and temporary redirects are treated
          alike. It sends 10 requests per second with HEAD, which are not counted as scans. If the old service
          rejects HEAD, it uses GET, which that service may count. Private hosts are only checked with
          `--allow-private-hosts`. `--sample 500` checks only 500 rows, spread over the file.
        </Item>
      </ul>
    </>
  ),
};
