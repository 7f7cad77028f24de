import { getNextBillingCycleMs } from "../../../core/time.ts";
import { PLANS } from "../../../tenant/plans.ts";
import { joinClasses } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import progressCss from "../../components/progress.module.css";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { Setting } from "./setting.tsx";
import {
  type Counts,
  formatAmount,
  judgeMeter,
  listFeatures,
  listMeters,
  type Meter,
} from "./usage-meters.ts";
import css from "./usage-section.module.css";

const METER_TEXTS = {
  full: "Limit reached",
  warn: "Almost at the limit",
  good: "",
} as const;

/** Usage section: usage against the plan's limits, the next monthly reset, and the plan's features. */
export function UsageSection() {
  const usage = useResource("usage", async () => (await callApi(api.GET("/v1/workspace/usage"))).data);
  const counts = useResource<Counts>("usage-counts", readCounts);
  if (usage.fault !== null) return <FaultNotice fault={usage.fault} onRetry={usage.reload} />;
  if (usage.value === undefined || (counts.value === undefined && counts.fault === null)) {
    return (
      <div class="stack wide" aria-busy="true">
        <Skeleton width="w-5" />
        <Skeleton width="w-9" />
        <Skeleton width="w-7" />
      </div>
    );
  }
  const { plan } = usage.value;
  const meters = listMeters(usage.value, counts.value ?? { webhooks: null, domains: null });
  const end = new Date(getNextBillingCycleMs(Date.now())).toISOString();
  return (
    <div class="stack wide">
      <Setting
        title="This month"
        text={
          <>
            Resets <Moment iso={end} />, on the 1st at 00:00 UTC.
          </>
        }
      >
        <Meters meters={meters.filter(({ isMonthly }) => isMonthly)} />
      </Setting>
      <Setting title="Total" text="Deleting something frees its space immediately.">
        <Meters meters={meters.filter(({ isMonthly }) => !isMonthly)} />
      </Setting>
      <Pace plan={plan} />
      <Setting title="Features" text={`What's included in the ${plan} plan.`}>
        <ul class={css.features}>
          {listFeatures(plan).map(({ name, isIncluded }) => (
            <li key={name} class={joinClasses("row", !isIncluded && "muted")}>
              <Icon name={isIncluded ? "check" : "close"} size={16} />
              <span>
                {name}
                {!isIncluded && <span class="visually-hidden"> (not included)</span>}
              </span>
            </li>
          ))}
        </ul>
      </Setting>
    </div>
  );
}

function Meters({ meters }: { meters: readonly Meter[] }) {
  return (
    <ul class={css.meters}>
      {meters.map((meter) => (
        <MeterLine key={meter.name} meter={meter} />
      ))}
    </ul>
  );
}

function MeterLine({ meter }: { meter: Meter }) {
  const { name, used, limit, isSize } = meter;
  const state = judgeMeter(meter);
  const hasLimit = limit !== Number.POSITIVE_INFINITY;
  const limitText = hasLimit ? `of ${formatAmount(limit, isSize)}` : "no limit";
  return (
    <li class={css.meter} data-state={state}>
      <div class="row">
        <span>{name}</span>
        <span class="push numeric">
          {used !== null && <b>{formatAmount(used, isSize)}</b>}{" "}
          <span class="muted">
            {used === null && hasLimit ? `up to ${formatAmount(limit, isSize)}` : limitText}
          </span>
        </span>
      </div>
      {used !== null && hasLimit && limit > 0 && (
        <progress
          class={progressCss.progress}
          data-ui="progress"
          aria-label={name}
          max={limit}
          value={Math.min(used, limit)}
        />
      )}
      {state !== "good" && limit > 0 && <span class={`small ${css.text}`}>{METER_TEXTS[state]}</span>}
      {limit === 0 && <span class="small muted">Not included in your plan</span>}
    </li>
  );
}

function Pace({ plan }: { plan: Schemas["Usage"]["plan"] }) {
  const { burstPerSecond, waitingDeliveries } = PLANS[plan];
  return (
    <Setting
      title="Rate limits"
      text="Requests above these limits are rejected. The response says when to retry."
    >
      <ul class={css.meters}>
        <li class="row">
          API calls per key
          <span class="push numeric">
            <b>{burstPerSecond}</b> <span class="muted">per second</span>
          </span>
        </li>
        <li class="row">
          Pending webhook deliveries
          <span class="push numeric">
            <span class="muted">up to {waitingDeliveries.toLocaleString("en-GB")}</span>
          </span>
        </li>
      </ul>
      <p class="small muted">Actions in this dashboard don't count as API calls.</p>
    </Setting>
  );
}

/** Counts webhook endpoints and domains. */
async function readCounts(): Promise<Counts> {
  const params = { query: { limit: 1 } };
  const [webhooks, domains] = await Promise.all([
    callApi(api.GET("/v1/webhooks", { params })),
    callApi(api.GET("/v1/domains", { params })),
  ]);
  return { webhooks: webhooks.meta.total, domains: domains.meta.total };
}
