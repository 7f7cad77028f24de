import { tallyGroups, uncounted } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";

/** Returns the statement that adds the scans of uncounted windows to their links. */
export function addScanCounts(d1: D1Database, windows: readonly Window<ScanFacts>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE links
          SET scan_count = scan_count + tally.scans,
              last_scan_at = max(coalesce(links.last_scan_at, 0), tally.scanned_at)
         FROM (SELECT value ->> 'subject' AS link_id, sum(value ->> 'count') AS scans,
                      max(value ->> 'lastAtMs') AS scanned_at
                 FROM json_each(?1)
                WHERE ${uncounted("value ->> 'windowId'")}
                GROUP BY link_id) AS tally
        WHERE links.id = tally.link_id`,
    )
    .bind(JSON.stringify(tallyGroups(windows, ({ linkId }) => linkId)));
}
