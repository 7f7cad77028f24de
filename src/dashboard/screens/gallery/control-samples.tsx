import { useState } from "preact/hooks";
import { Badge, KeyHint } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Check, Select, TextArea, TextField } from "../../components/field.tsx";
import { LabelBadge } from "../../components/label-badge.tsx";
import { Segments } from "../../components/segments.tsx";
import { SortableList } from "../../components/sortable-list.tsx";
import { Tabs } from "../../components/tabs.tsx";
import galleryCss from "./gallery.module.css";
import { Sample } from "./sample.tsx";

const COUNTRIES = ["Austria", "Canada", "Denmark", "France", "Germany", "Japan", "Switzerland"].map(
  (label) => ({
    value: label.slice(0, 2).toUpperCase(),
    label,
  }),
);
const TABS = [
  { name: "destination", label: "Destination" },
  { name: "rules", label: "Rules" },
  { name: "history", label: "History" },
] as const;

/** Buttons, fields, and inline elements such as badges. */
export function ControlSamples() {
  const [text, setText] = useState("summer-sale");
  const [note, setNote] = useState("Printed on the flyers of the summer.");
  const [plan, setPlan] = useState<"free" | "pro">("pro");
  const [isOn, setOn] = useState(true);
  const [labels, setLabels] = useState(["print", "2027"]);
  const [country, setCountry] = useState(["CA"]);
  const [cities, setCities] = useState<string[]>(["Bremen", "Lisbon", "Oslo", "Porto"]);
  const [corners, setCorners] = useState<"square" | "rounded" | "pill">("rounded");
  const [tab, setTab] = useState<(typeof TABS)[number]["name"]>("destination");
  return (
    <>
      <Sample title="Buttons">
        <div class="row wrap">
          <Button kind="primary" icon="plus">
            Primary
          </Button>
          <Button>Normal</Button>
          <Button kind="danger" icon="trash">
            Danger
          </Button>
          <Button kind="plain">Plain</Button>
          <Button icon="more" aria-label="More" />
          <Button size="s">Small</Button>
          <Button kind="primary" isDisabled>
            Disabled
          </Button>
          <Button isBusy>Busy</Button>
          <CopyButton text="https://go.example.com/a" what="example" hasText />
        </div>
      </Sample>
      <Sample title="Segments">
        <Segments
          label="Corners"
          hasLabel
          segments={[
            { value: "square", label: "Square" },
            { value: "rounded", label: "Rounded" },
            { value: "pill", label: "Pill" },
          ]}
          value={corners}
          onChange={setCorners}
        />
      </Sample>
      <Sample title="Fields">
        <div class={galleryCss.columns}>
          <TextField label="Text" hint="A hint explains what to enter." value={text} onInput={setText} />
          <TextField
            label="With an error"
            error="This slug is used by another link."
            value={text}
            onInput={setText}
          />
          <TextField
            label="With an affix and a count"
            affix="go.example.com/"
            maxLength={12}
            value={text}
            onInput={setText}
          />
          <Select
            label="Select"
            value={plan}
            choices={[
              { value: "free", label: "Free" },
              { value: "pro", label: "Pro" },
            ]}
            onChange={setPlan}
          />
          <Combobox
            label="Combobox, several and new"
            options={[{ value: "poster", label: "poster" }]}
            values={labels}
            max={4}
            takesNew
            onChange={setLabels}
          />
          <Combobox
            label="Combobox, one of many"
            options={COUNTRIES}
            values={country}
            onChange={setCountry}
          />
          <TextArea label="Several lines" value={note} onInput={setNote} />
          <div class="stack tight">
            <Check label="Checkbox" hint="With a hint." isChecked={isOn} onChange={setOn} />
            <Check label="Switch, applied immediately" isSwitch isChecked={isOn} onChange={setOn} />
            <Check label="Switch, off" isSwitch isChecked={!isOn} onChange={(value) => setOn(!value)} />
          </div>
        </div>
      </Sample>
      <Sample title="Badges and keys">
        <div class="row wrap">
          <Badge>plain</Badge>
          <Badge tone="accent">accent</Badge>
          <Badge tone="good">Active</Badge>
          <Badge tone="warn" icon="clock">
            Scheduled
          </Badge>
          <Badge tone="danger">Failed</Badge>
          <LabelBadge label="campaign" />
          <KeyHint keys="g l" />
        </div>
      </Sample>
      <Sample title="Sortable list">
        <SortableList
          label="Cities"
          items={cities}
          getKey={(city) => city}
          getName={(city) => city}
          onChange={setCities}
        >
          {(city, index, handle) => (
            <div class={`row ${galleryCss.cardLine}`}>
              {handle}
              <span>{city}</span>
              <span class="push small muted numeric">{index + 1}</span>
            </div>
          )}
        </SortableList>
      </Sample>
      <Sample title="Tabs">
        <Tabs label="Sample" tabs={TABS} shown={tab} onShow={setTab}>
          <p class="small">The tab “{tab}” is shown.</p>
        </Tabs>
      </Sample>
    </>
  );
}
