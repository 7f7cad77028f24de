import { Progress } from "../../components/progress.tsx";
import { Skeleton } from "../../components/states.tsx";
import type { ShownResource } from "../../data/resources.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import { listMeters, type Meter, type Usage } from "./read-overview.ts";
import css from "./usage-card.module.css";

const count = (value: number) => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });

/** Card that shows usage against the plan's limits. */
export function UsageCard({ usage: { value, fault, reload } }: { usage: ShownResource<Usage> }) {
  return (
    <section class={reportCss.card} id="usage" aria-label="Usage">
      <div class={reportCss.head}>
        <h2 class={reportCss.title}>Usage</h2>
        {value && <span class="small muted">{value.plan} plan</span>}
      </div>
      {fault !== null && value === undefined ? (
        <ReportFault fault={fault} onRetry={reload} />
      ) : (
        <ul class={css.planMeters} aria-busy={value === undefined}>
          {value === undefined
            ? ["w-7", "w-5", "w-7", "w-5", "w-7"].map((width, index) => (
                <li key={index}>
                  <Skeleton width={width as "w-7"} />
                </li>
              ))
            : listMeters(value).map((meter) => <MeterLine key={meter.name} {...meter} />)}
        </ul>
      )}
    </section>
  );
}

function MeterLine({ name, used, limit }: Meter) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <li>
      <span class="row">
        <span>{title}</span>
        <span class="push numeric">
          {count(used)} <span class="muted">{limit > 0 ? `of ${count(limit)}` : "not included"}</span>
        </span>
      </span>
      <Progress label={title} done={limit > 0 ? Math.min(used, limit) : 0} total={limit} />
    </li>
  );
}
