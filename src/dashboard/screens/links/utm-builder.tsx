import fieldCss from "../../components/field.module.css";
import { TextField } from "../../components/field.tsx";
import { readUtm, UTM_FIELDS, writeUtm } from "./utm.ts";

/** Fields for the campaign (UTM) parameters of a destination. Their values are part of its URL. */
export function UtmBuilder({
  destination,
  onChange,
}: {
  destination: string;
  onChange: (destination: string) => void;
}) {
  return (
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
  );
}
