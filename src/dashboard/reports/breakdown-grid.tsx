import { BreakdownCard } from "./breakdown-card.tsx";
import type { ReportSubject } from "./read-scans.ts";
import reportCss from "./report.module.css";

interface BreakdownGridProps {
  subject: ReportSubject;
  /** Prefix for the names of downloaded files. */
  fileName: string;
  /** Shows the matching rules first. Set for links with rules. */
  hasRules?: boolean | undefined;
}

/** Cards with breakdowns for all dimensions. */
export function BreakdownGrid({ subject, fileName, hasRules }: BreakdownGridProps) {
  return (
    <div class={reportCss.grid} data-ui="report-grid">
      <BreakdownCard
        title="Locations"
        parameter="places"
        dimensions={["country", "region", "language"]}
        subject={subject}
        fileName={fileName}
      />
      <BreakdownCard
        title="Devices"
        parameter="devices"
        dimensions={["device", "os", "browser"]}
        subject={subject}
        fileName={fileName}
      />
      <BreakdownCard
        title="Sources"
        parameter="sources"
        dimensions={hasRules ? ["rule", "source", "referrer"] : ["source", "referrer", "rule"]}
        subject={subject}
        fileName={fileName}
      />
      <BreakdownCard
        title="Campaigns"
        parameter="campaigns"
        dimensions={["utm_campaign", "utm_source", "utm_medium"]}
        subject={subject}
        fileName={fileName}
      />
      <BreakdownCard
        title="Traffic"
        parameter="classes"
        dimensions={["traffic"]}
        subject={subject}
        fileName={fileName}
      />
    </div>
  );
}
