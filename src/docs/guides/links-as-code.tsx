import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const linksAsCode: Guide = {
  id: "links-as-code",
  title: "Links as code",
  Body: ({ apiUrl }) => (
    <>
      <P>
        A YAML or JSON file describes the links of a workspace, and `signpost apply` makes the workspace match
        it. It can be kept in a repository, reviewed, and applied by a pipeline.
      </P>
      <Code title="Shell">{`signpost links export -o links.yaml        # what is there
signpost apply links.yaml --dry-run        # what would change
signpost apply links.yaml                  # shows it, asks, and does it
signpost apply links.yaml --yes            # does it without asking
signpost apply links.yaml --prune --yes 3  # also deletes the 3 links that the file lacks`}</Code>
      <Code title="links.yaml">{`# yaml-language-server: $schema=${apiUrl}/docs/links.schema.json
version: 1
links:
  - code: summer-sale
    url: https://example.com/sale
    title: Summer sale
    labels:
      - print
    routing_rules:
      - when:
          country:
            - CA
        destination: https://example.ca/sale
    expires_at: 2027-09-01T00:00:00Z
    password:
      environment: SALE_PASSWORD`}</Code>
      <ul>
        <Item>
          A link is named by its short code, in any case. A code cannot be changed: another code is another
          link.
        </Item>
        <Item>
          Fields are those of a new link, with `code` for its short code, `enabled` and `archived`. A field
          that the file lacks has its default: a link without `title` loses the title that it has. The plan
          shows this before anything is changed.
        </Item>
        <Item>
          Passwords are never written to a file. `has_password: true` keeps the password that is there.
          `password` names an environment variable whose value becomes the password of a link that has none
          yet; it replaces no other. A link with neither loses its password. `signpost links update CODE
          --password` changes one.
        </Item>
        <Item>
          `created_at` and `imported_scans` are used only when a link is made, so that a file can restore
          links or take them to another workspace. Scans and ids are not part of a file. An export has the
          newest link first.
        </Item>
        <Item>
          Links that are not in the file are kept. `--prune` deletes them if `--yes` has their exact number;
          with another number, nothing is changed.
        </Item>
        <Item>
          A faulty file changes nothing: each fault is shown with its line and column. A link that the service
          refuses is named with its reason, the others are made, and the exit code is not 0: 6 where a limit
          of the plan ends it. After an interruption, run it again.
        </Item>
        <Item>
          `--dry-run` ends with 0; with `--exit-code`, it ends with 7 if anything would change. `--json`
          writes the plan and what was done.
        </Item>
        <Item>
          Editors with a YAML language server complete and check files by the schema at `{apiUrl}
          /docs/links.schema.json`.
        </Item>
      </ul>
    </>
  ),
};
