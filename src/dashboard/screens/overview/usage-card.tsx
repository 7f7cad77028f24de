import { Progress } from "../../components/progress.tsx";
import { Skeleton } from "../../components/states.tsx";
import type { ShownResource } from "../../data/resources.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import { listMeters, type Meter, type Usage } from "./read-overview.ts";
import css from "./usage-card.module.css";

const count = (value: number) => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });

/** Share of a limit from which bars show how much is left. */
const NEAR_SHARE = 0.75;

/** Usage against the plan's limits: a line of numbers, or a card with bars if a limit is near. */
export function UsageCard({ usage: { value, fault, reload } }: { usage: ShownResource<Usage> }) {
  const meters = value && listMeters(value);
  if (meters && !meters.some(({ used, limit }) => limit > 0 && used >= limit * NEAR_SHARE)) {
    return <UsageLine plan={value.plan} meters={meters} />;
  }
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
          {meters === undefined
            ? ["w-7", "w-5", "w-7", "w-5", "w-7"].map((width, index) => (
                <li key={index}>
                  <Skeleton width={width as "w-7"} />
                </li>
              ))
            : meters.map((meter) => <MeterLine key={meter.name} {...meter} />)}
        </ul>
      )}
    </section>
  );
}

function UsageLine({ plan, meters }: { plan: string; meters: readonly Meter[] }) {
  return (
    <section class={css.line} id="usage" aria-label="Usage">
      <h2 class="small">
        Usage <span class="muted">{plan} plan</span>
      </h2>
      <dl>
        {meters
          .filter(({ limit }) => limit > 0)
          .map(({ name, used, limit }) => (
            <div key={name}>
              <dt>{capitalize(name)}</dt>
              <dd class="numeric">
                {count(used)} <span class="muted">of {count(limit)}</span>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function MeterLine({ name, used, limit }: Meter) {
  const title = capitalize(name);
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
