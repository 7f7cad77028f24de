import { CopyButton } from "../../components/copy-button.tsx";
import { formatAge } from "../../components/format-moment.ts";
import { Skeleton } from "../../components/states.tsx";
import type { Schemas } from "../../data/calls.ts";
import { shortenAddress } from "../../data/link-state.ts";
import type { ShownResource } from "../../data/resources.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import css from "./recent-links.module.css";

const SHOWN = 5;

/** Card with the newest links. */
export function RecentLinks({ links }: { links: ShownResource<Schemas["Link"][]> }) {
  const { value, fault, reload } = links;
  return (
    <section class={reportCss.card} aria-label="Recent links">
      <div class={reportCss.head}>
        <h2 class={reportCss.title}>Recent links</h2>
        <a class="small" href="/links">
          View all
        </a>
      </div>
      {fault !== null && value === undefined ? (
        <ReportFault fault={fault} onRetry={reload} />
      ) : (
        <ul class={css.recent} aria-busy={value === undefined}>
          {value === undefined
            ? Array.from({ length: SHOWN }, (_, index) => (
                <li key={index}>
                  <Skeleton width="w-7" />
                </li>
              ))
            : value.slice(0, SHOWN).map((link) => <RecentLink key={link.id} link={link} />)}
        </ul>
      )}
    </section>
  );
}

function RecentLink({ link }: { link: Schemas["Link"] }) {
  const { id, title, short_code, short_url, destination, created_at } = link;
  return (
    <li>
      <span class={css.name}>
        <a class="one-line" href={`/links/${id}`}>
          {title ?? `/${short_code}`}
        </a>
        <span class="one-line small muted">{shortenAddress(destination)}</span>
      </span>
      <span class="small muted numeric">{formatAge(created_at, Date.now())}</span>
      <CopyButton text={short_url} what={`short URL of ${short_code}`} />
    </li>
  );
}
