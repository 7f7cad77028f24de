import { Button } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { TextField } from "../../components/field.tsx";
import rulesCss from "./rules/rules.module.css";
import { readUtm, UTM_FIELDS, UTM_PRESETS, writeUtm } from "./utm.ts";

/** Fields for the campaign (UTM) parameters of a destination. Their values are part of its URL. */
export function UtmBuilder({
  destination,
  onChange,
}: {
  destination: string;
  onChange: (destination: string) => void;
}) {
  const fill = ({ source, medium }: (typeof UTM_PRESETS)[number]) =>
    onChange(writeUtm(writeUtm(destination, "utm_source", source), "utm_medium", medium));
  return (
    <>
      <fieldset class={rulesCss.templates}>
        <legend class="small muted">Fill in source and medium for:</legend>
        {UTM_PRESETS.map((preset) => (
          <Button key={preset.name} size="s" onClick={() => fill(preset)}>
            {preset.name}
          </Button>
        ))}
      </fieldset>
      <div class={fieldCss.pairs}>
        {UTM_FIELDS.map(({ name, label, example }) => (
          <TextField
            key={name}
            label={label}
            placeholder={example}
            value={readUtm(destination, name)}
            onInput={(value) => onChange(writeUtm(destination, name, value))}
          />
        ))}
      </div>
    </>
  );
}
