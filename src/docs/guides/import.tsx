import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const importLinks: Guide = {
  id: "import",
  title: "Import from another service",
  Body: () => (
    <>
      <P>
        `signpost import` imports links exported from another service: Bitly, Dub, Short.io, Rebrandly, Kutt,
        YOURLS, Shlink, Sink, and any CSV file. They keep their short codes, titles, labels, times of creation
        and expiry, and previous scan counts are stored in `imported_scans`. A dry run shows what would be
        made, and changes nothing.
      </P>
      <Code title="Shell">{`signpost import export.csv --from bitly --dry-run
signpost import export.csv --from bitly --report report.csv
signpost import verify export.csv --from bitly

signpost import links.csv --from csv --column url=Target --column custom_slug=Code`}</Code>
      <ul>
        <Item>
          A row counts as done if its short code already redirects to its destination. So an import that was
          interrupted, killed, or stopped by a limit is continued by the same command, on the same day or a
          year later, and makes nothing twice. Rows without a short code get one that derives from the
          workspace and the row.
        </Item>
        <Item>
          Short codes are the same in upper and lower case. If another link already has the short code of a
          row, `--on-conflict skip` leaves the row out, `suffix` adds `-2` to its code, or the next free
          number, and `fail` imports nothing at all.
        </Item>
        <Item>
          `--report` writes a `.csv` or `.json` file with every row: what became of it, why, its former and
          its new address, and what was changed so that it fits. It is written while the import goes on.
        </Item>
        <Item>
          The exit code is 0 only if every row has its link: 1 if the file or the service refused rows, 5 if
          rows were in conflict, 6 where a limit of the plan is reached, 130 after Ctrl-C. A dry run ends with
          0 if the file can be read, and `verify` with 5 if addresses differ.
        </Item>
        <Item>
          Files have at most 64 MiB and are in UTF-8, in Excel "CSV UTF-8". `signpost import --help` lists the
          fields for `--column`. With it, only the columns that it names are read.
        </Item>
        <Item>
          Links are made 100 at a time by `POST /v1/links/bulk`, with a key that has `links:write`,
          `links:read` and `workspace:read`. Each counts against the plan's links of the month.
        </Item>
        <Item>
          A password comes along as its hash, in the field `password_hash`: those of Sink, and those of this
          service. Routing rules need a plan that has them.
        </Item>
        <Item>
          `signpost import verify` asks the former and the new address of each row with HEAD, which counts as
          no scan, 10 times a second in all, and lists where they lead to different places. Permanent and
          other redirects are alike. A former service that refuses HEAD is asked with GET, which it may count.
          Private hosts are not asked without `--allow-private-hosts`. `--sample 500` asks so many rows,
          spread over the file.
        </Item>
      </ul>
    </>
  ),
};
