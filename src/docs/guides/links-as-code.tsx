import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const linksAsCode: Guide = {
  id: "links-as-code",
  title: "Links as code",
  Body: ({ apiUrl }) => (
    <>
      <P>
        A YAML or JSON file describes the links of a workspace, and `signpost apply` makes the workspace match
        it. You can keep the file in a repository, review changes, and apply it from a pipeline.
      </P>
      <Code title="Shell">{`signpost links export -o links.yaml        # exports the current links
signpost apply links.yaml --dry-run        # shows the plan
signpost apply links.yaml                  # shows the plan and asks for confirmation
signpost apply links.yaml --yes            # skips the confirmation
signpost apply links.yaml --prune --yes 3  # also deletes the 3 links that are not in the file`}</Code>
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
          Links are identified by their short codes, which are not case-sensitive. To rename links, give them
          an `external_id`, an ID of your own system: if a link has it, it identifies the link, and a new
          `code` becomes its short code. The old short code keeps working. `code` may then be missing.
        </Item>
        <Item>
          `aliases` adds paths to a link. Aliases that are not in the file are kept, so that nothing printed
          stops working. Remove one with the API.
        </Item>
        <Item>
          Use the fields of a new link, with `code` for the short code, and `enabled` and `archived`. A field
          that is not in the file gets its default: a link without `title` loses its current title. The plan
          shows this before anything is changed.
        </Item>
        <Item>
          Files never contain passwords. `has_password: true` keeps the current password. `password` names an
          environment variable. Its value becomes the password if the link has none yet; an existing password
          is not replaced. A link with neither field loses its password. To change a password, use `signpost
          links update CODE --password`.
        </Item>
        <Item>
          `created_at` and `imported_scans` are only used when a link is created, so that you can restore
          links from a file or copy them to another workspace. Scans and IDs are not part of the file. An
          export lists the newest link first.
        </Item>
        <Item>
          Links that are not in the file are kept. `--prune` moves them to the trash if `--yes` has their
          exact number; with a different number, nothing is changed.
        </Item>
        <Item>
          If the file is invalid, nothing is changed, and each error is shown with its line and column. If a
          link fails, the command shows the reason, applies the others and exits with a code other than 0: 6
          if a limit of the plan was reached. After an interruption, run the command again.
        </Item>
        <Item>
          `--dry-run` exits with 0; with `--exit-code`, it exits with 7 if anything would change. `--json`
          prints the plan and the results.
        </Item>
        <Item>
          Editors with a YAML language server complete and validate the file with the schema at `{apiUrl}
          /docs/links.schema.json`.
        </Item>
      </ul>
    </>
  ),
};
