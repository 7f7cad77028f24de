import { useEffect, useRef } from "preact/hooks";
import type { ImportSummary as Summary } from "../../../client/import/run-import.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import cardCss from "../../components/card.module.css";
import { Icon } from "../../components/icon.tsx";
import importCss from "./import.module.css";
import { dropFile } from "./plan-file.ts";
import type { Totals } from "./plan-lines.ts";
import { saveReport } from "./run-file.ts";
import { describeSummary } from "./summary-texts.ts";

interface SummaryProps {
  summary: Summary;
  totals: Totals;
  labels: readonly string[];
}

/** Result of an import, with the next steps. */
export function ImportSummary({ summary, totals, labels }: SummaryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text, tone } = describeSummary(totals, summary);
  // The button that had the focus was removed, so the focus moves to the heading.
  useEffect(() => heading.current?.focus(), [summary]);
  const [label] = labels;
  const address = label === undefined ? "/links" : `/links?label=${encodeURIComponent(label)}`;
  return (
    <section class={`${cardCss.card} ${importCss.end}`} data-tone={tone} aria-label="Result">
      <Icon name={tone === "good" ? "check" : "alert"} size={22} />
      <div class="stack tight">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {text !== "" && <p class="small">{text}</p>}
        <div class="row wrap">
          <a class={buttonCss.button} data-ui="button" href={address}>
            {label === undefined ? "View links" : `View links labelled “${label}”`}
          </a>
          <Button icon="download" onClick={() => void saveReport()}>
            Download report
          </Button>
          <Button kind="plain" onClick={dropFile}>
            Import another file
          </Button>
        </div>
      </div>
    </section>
  );
}
