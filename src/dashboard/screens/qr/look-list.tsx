import { useMemo } from "preact/hooks";
import type { DesignInput } from "../../../qr/design.ts";
import type { DesignFieldProps } from "./design-fields.tsx";
import { applyLook, LOOKS } from "./design-looks.ts";
import { areSameDesigns } from "./design-query.ts";
import { drawDesign, toDataUri } from "./draw-design.ts";
import css from "./look-list.module.css";

/** Content of small previews. It is short, so that the modules are large. */
const SAMPLE = "HTTPS://GO.EXAMPLE";

/** Small preview of a design without its logo and frame. */
export function DesignPicture({ design }: { design: DesignInput }) {
  const address = useMemo(() => {
    const { logo_url: _, frame: __, ...plain } = design;
    const { svg } = drawDesign(SAMPLE, { ...plain, quiet_zone: Math.min(2, plain.quiet_zone ?? 1) }, null);
    return svg === null ? undefined : toDataUri(svg);
  }, [JSON.stringify(design)]);
  return <img class={css.designPicture} data-ui="design-picture" src={address} alt="" />;
}

/** List of predefined designs. Applying one keeps the logo. */
export function LookList({ design, onChange }: DesignFieldProps) {
  return (
    <ul class={css.looks} aria-label="Presets">
      {LOOKS.map((look) => {
        const applied = applyLook(design, look);
        return (
          <li key={look.name}>
            <button
              type="button"
              class={css.look}
              aria-pressed={areSameDesigns(design, applied)}
              onClick={() => onChange(applied, `look ${look.name}`)}
            >
              <DesignPicture design={look.design} />
              {look.name}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
