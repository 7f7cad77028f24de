import { useMemo } from "preact/hooks";
import { COUNTRY_CODES } from "../../../../routing/countries.ts";
import { BROWSERS, CONTINENTS, DEVICES, OPERATING_SYSTEMS } from "../../../../routing/rules.ts";
import { Button } from "../../../components/button.tsx";
import { Combobox } from "../../../components/combobox.tsx";
import fieldCss from "../../../components/field.module.css";
import { Select, TextField } from "../../../components/field.tsx";
import { TimeField } from "../../../components/time-field.tsx";
import { LANGUAGES_MAX } from "../../../data/service-limits.ts";
import { Section } from "../link-section.tsx";
import type { ListField } from "../rules/rule-draft.ts";
import { listOptions, nameValue } from "../rules/rule-values.ts";
import rulesCss from "../rules/rules.module.css";
import { formatVisitor, type TestVisitor, UNKNOWN_VISITOR } from "./tester-visitor.ts";

/** Common visitors to test with. */
const SAMPLES: readonly { name: string; visitor: Partial<TestVisitor> }[] = [
  { name: "iPhone", visitor: { device: "mobile", os: "ios", browser: "safari" } },
  { name: "iPad", visitor: { device: "tablet", os: "ios", browser: "safari" } },
  { name: "Android phone", visitor: { device: "mobile", os: "android", browser: "chrome" } },
  { name: "Windows PC", visitor: { device: "desktop", os: "windows", browser: "edge" } },
];

interface VisitorFieldsProps {
  visitor: TestVisitor;
  onChange: (changed: Partial<TestVisitor>) => void;
}

/** Fields that describe a visitor. Empty fields are unknown. */
export function VisitorFields({ visitor, onChange }: VisitorFieldsProps) {
  const countries = useMemo(() => listOptions("country", COUNTRY_CODES), []);
  const languages = useMemo(() => listOptions("language", []), []);
  const more = [visitor.region, visitor.continent, visitor.userAgent, visitor.ip].filter(Boolean);
  return (
    <>
      <fieldset class={rulesCss.templates}>
        <legend class="small muted">Test as</legend>
        {SAMPLES.map(({ name, visitor: sample }) => (
          <Button key={name} size="s" onClick={() => onChange(sample)}>
            {name}
          </Button>
        ))}
        {formatVisitor(visitor) !== "" && (
          <Button size="s" kind="plain" onClick={() => onChange(UNKNOWN_VISITOR)}>
            Clear
          </Button>
        )}
      </fieldset>
      <div class={fieldCss.pairs}>
        <Combobox
          label="Country"
          options={countries}
          values={visitor.country === "" ? [] : [visitor.country]}
          placeholder="Unknown"
          onChange={([country = ""]) => onChange({ country })}
        />
        <Combobox
          label="Languages"
          options={languages}
          values={visitor.languages}
          max={LANGUAGES_MAX}
          takesNew
          placeholder="Unknown"
          onChange={(changed) => onChange({ languages: changed })}
        />
        <Choice field="device" choices={DEVICES} visitor={visitor} onChange={onChange} />
        <Choice field="os" choices={OPERATING_SYSTEMS} visitor={visitor} onChange={onChange} />
        <Choice field="browser" choices={BROWSERS} visitor={visitor} onChange={onChange} />
        <TimeField
          label="Time of visit (default: now)"
          value={visitor.at}
          onInput={(at) => onChange({ at })}
        />
        <TextField
          label="Query parameters"
          placeholder="utm_source=mail"
          autocapitalize="none"
          spellcheck={false}
          value={visitor.query}
          onInput={(typed) => onChange({ query: typed })}
        />
      </div>
      <Section title="Region, user agent and IP address" summary={more.join(" · ")} isOpen={more.length > 0}>
        <div class={fieldCss.pairs}>
          <Choice field="continent" choices={CONTINENTS} visitor={visitor} onChange={onChange} />
          <TextField
            label="Region"
            placeholder="US-CA"
            value={visitor.region}
            onInput={(region) => onChange({ region })}
          />
          <TextField
            label="User agent"
            placeholder="curl/8.9"
            spellcheck={false}
            value={visitor.userAgent}
            onInput={(userAgent) => onChange({ userAgent })}
          />
          <TextField
            label="IP address"
            placeholder="203.0.113.7"
            value={visitor.ip}
            onInput={(ip) => onChange({ ip })}
          />
        </div>
        <p class={fieldCss.hint}>Percentages and splits depend on the user agent and IP address.</p>
      </Section>
    </>
  );
}

const LABELS = {
  device: "Device",
  os: "Operating system",
  browser: "Browser",
  continent: "Continent",
} as const;

interface ChoiceProps extends VisitorFieldsProps {
  field: keyof typeof LABELS & ListField;
  choices: readonly string[];
}

function Choice({ field, choices, visitor, onChange }: ChoiceProps) {
  const named = choices.map((value) => ({ value, label: nameValue(field, value) }));
  return (
    <Select
      label={LABELS[field]}
      choices={[{ value: "", label: "Unknown" }, ...named]}
      value={visitor[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
}
