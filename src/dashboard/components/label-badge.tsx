import { Badge } from "./badge.tsx";
import css from "./label-badge.module.css";
import { pickHue } from "./label-hue.ts";

/** Label of a link with a dot in its colour, which is the same wherever the label is shown. */
export function LabelBadge({ label }: { label: string }) {
  return (
    <Badge>
      <i class={css.dot} data-hue={pickHue(label)} />
      {label}
    </Badge>
  );
}
