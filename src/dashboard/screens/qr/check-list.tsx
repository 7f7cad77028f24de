import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import css from "./check-list.module.css";
import { type DesignCheck, judgeChecks } from "./design-checks.ts";
import type { DesignFieldProps } from "./design-fields.tsx";

const VERDICTS: Record<DesignCheck["tone"], string> = {
  good: "This code scans well",
  tip: "This code scans well, but could be improved",
  warn: "Some scanners may not read this code",
  fault: "This QR code can't be created",
};

interface CheckListProps extends Pick<DesignFieldProps, "onChange"> {
  checks: readonly DesignCheck[];
}

/** Overall verdict on whether the code scans, and the list of checks with their fixes. */
export function CheckList({ checks, onChange }: CheckListProps) {
  const verdict = judgeChecks(checks);
  const isUnreachable =
    verdict === "warn" && checks.some(({ subject, tone }) => subject === "content" && tone === "warn");
  return (
    <section class={css.checks} aria-label="Scan check">
      <div role="status">
        <h2 class={css.verdict} data-tone={verdict}>
          <Icon name={verdict === "good" || verdict === "tip" ? "check" : "alert"} />
          {isUnreachable ? "Most devices can't open this code" : VERDICTS[verdict]}
        </h2>
      </div>
      <ul>
        {checks.map(({ subject, tone, text, remedy }) => (
          <li key={subject} class={css.line} data-tone={tone}>
            <Icon name={tone === "good" ? "check" : tone === "tip" ? "info" : "alert"} size={16} />
            <span>{text}</span>
            {remedy && (
              <Button size="s" onClick={() => onChange(remedy.design, `remedy ${subject}`)}>
                {remedy.label}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
