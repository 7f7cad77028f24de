import { useState } from "preact/hooks";
import { DayField } from "../../components/day-field.tsx";
import { Radios } from "../../components/radios.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { TimeField, TimeZoneField } from "../../components/time-field.tsx";
import galleryCss from "./gallery.module.css";
import { Sample } from "./sample.tsx";

/** Controls that explain each option, and fields for dates and times. */
export function ChoiceSamples() {
  const [plan, setPlan] = useState<"free" | "pro">("pro");
  const [access, setAccess] = useState<"all" | "some">("some");
  const [day, setDay] = useState("2026-11-22");
  const [time, setTime] = useState("2026-11-22T12:00:00.000Z");
  return (
    <>
      <Sample title="Tiles and radio buttons">
        <TileChoice
          legend="Tiles with images or notes"
          tiles={[
            { value: "free", label: "Free", note: "25 links" },
            { value: "pro", label: "Pro", note: "1,000 links" },
          ]}
          value={plan}
          onChange={setPlan}
        />
        <Radios
          label="Radio buttons with hints"
          choices={[
            { value: "all", label: "All permissions", hint: "Including ones added later." },
            { value: "some", label: "Some permissions" },
          ]}
          value={access}
          onChange={setAccess}
        />
      </Sample>
      <Sample title="Days and times">
        <div class="row wrap">
          <DayField label="From" value={day} onChange={setDay} />
          <DayField label="To" value="" onChange={() => {}} />
        </div>
        <div class={galleryCss.columns}>
          <TimeField label="Starts" hint="In the chosen time zone." value={time} onInput={setTime} />
          <TimeField
            label="With an error"
            error="This is before the start."
            value="2026-11-21T12:00:00.000Z"
            onInput={() => {}}
          />
          <TimeZoneField />
        </div>
      </Sample>
    </>
  );
}
