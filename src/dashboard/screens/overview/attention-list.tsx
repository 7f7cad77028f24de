import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Skeleton } from "../../components/states.tsx";
import reportCss from "../../reports/report.module.css";
import { readParameter } from "../../reports/report-state.ts";
import type { AttentionItem } from "./attention.ts";
import css from "./attention-list.module.css";

const SHOWN = 4;

/** Lists what needs attention, with links to fix it. Shows a skeleton while `items` is undefined. */
export function AttentionList({ items }: { items: readonly AttentionItem[] | undefined }) {
  const isWhole = readParameter("attention") === "all";
  const more = (items?.length ?? 0) - SHOWN;
  return (
    <section
      class={`${reportCss.card} ${css.attention}`}
      aria-label="Needs attention"
      aria-busy={items === undefined}
    >
      <h2 class={reportCss.title}>Needs attention</h2>
      {items === undefined && <Skeleton width="w-9" />}
      {items?.length === 0 && (
        <p class={css.none}>
          <Icon name="check" />
          Nothing needs your attention.
        </p>
      )}
      <ul>
        {items?.slice(0, isWhole ? undefined : SHOWN).map(({ key, tone, text, action, href }) => (
          <li key={key}>
            <span class={css.sign} data-tone={tone}>
              <Icon name="alert" size={16} />
            </span>
            <div>
              {text} <a href={href}>{action}</a>
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button kind="plain" size="s" onClick={() => setQuery({ attention: isWhole ? null : "all" })}>
          {isWhole ? "Show fewer" : `Show ${more} more`}
        </Button>
      )}
    </section>
  );
}
