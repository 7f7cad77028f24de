import { signal } from "@preact/signals";
import { fromZonedInput, toZonedInput } from "../data/zoned-time.ts";
import { Combobox } from "./combobox.tsx";
import { TextField } from "./field.tsx";

/** Time zone of the times in fields. Initially the device's time zone. */
export const shownZone = signal(readMachineZone());

/** Returns the device's time zone. */
export function readMachineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

interface TimeFieldProps {
  label: string;
  /** ISO 8601, or empty. */
  value: string;
  error?: string | undefined;
  /** Default: the time zone. */
  hint?: string | undefined;
  onInput: (iso: string) => void;
}

/** Field for a time, in {@link shownZone}. */
export function TimeField({ value, onInput, hint, ...texts }: TimeFieldProps) {
  return (
    <TextField
      {...texts}
      hint={hint ?? `Time in ${formatZone(shownZone.value)}`}
      type="datetime-local"
      value={toZonedInput(value, shownZone.value)}
      onInput={(local) => onInput(fromZonedInput(local, shownZone.value))}
    />
  );
}

/** Formats a time zone for display. */
export function formatZone(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** Picker for {@link shownZone}. Changing the zone changes how times are shown, not the times themselves. */
export function TimeZoneField() {
  const zones = [...new Set(["UTC", shownZone.value, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <Combobox
      label="Time zone"
      options={zones.map((zone) => ({ value: zone, label: formatZone(zone) }))}
      values={[shownZone.value]}
      onChange={([zone]) => {
        shownZone.value = zone ?? readMachineZone();
      }}
    />
  );
}
