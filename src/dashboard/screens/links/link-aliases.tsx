import css from "./link-aliases.module.css";
import type { Link } from "./link-store.ts";

/** Other paths of a link, shown below its short URL. Nothing is shown for a link without aliases. */
export function LinkAliases({ aliases }: Pick<Link, "aliases">) {
  if (aliases.length === 0) return null;
  return (
    <p class={css.aliases}>
      <span class="muted">Also at </span>
      {aliases.map((alias, index) => (
        <span key={alias}>
          {index > 0 && ", "}
          <bdi>/{alias}</bdi>
        </span>
      ))}
    </p>
  );
}
