// Pure: no I/O, clock or randomness.

/** Measures of the status, their thresholds, and their text format for Prometheus. */

/** Threshold of a measure: its value is in order from `min` to `max`. */
interface Threshold {
  /** Meaning, for people and for Prometheus. */
  help: string;
  unit: "seconds" | "messages" | "deliveries" | "bytes" | "ratio" | "databases";
  min?: number;
  max?: number;
}

/** All measures with their thresholds. Each has a value per queue, database, sweep or surface. */
export const THRESHOLDS = {
  scan_age_seconds: { help: "Age of the oldest scan that isn't counted", unit: "seconds", max: 600 },
  queue_messages: { help: "Messages that wait in a queue", unit: "messages", max: 100_000 },
  queue_age_seconds: { help: "Age of the oldest message in a queue", unit: "seconds", max: 600 },
  dead_letters: { help: "Messages that failed processing", unit: "messages", max: 0 },
  due_deliveries: { help: "Webhook deliveries that are due", unit: "deliveries", max: 5_000 },
  due_delivery_age_seconds: { help: "Age of the oldest due delivery", unit: "seconds", max: 900 },
  database_failures: { help: "1 if a database can't be read", unit: "databases", max: 0 },
  database_room_bytes: { help: "Bytes until a database has 10 GB", unit: "bytes", min: 1_000_000_000 },
  sweep_age_seconds: { help: "Time since a sweep last succeeded", unit: "seconds", max: 900 },
  failure_ratio: { help: "Share of failed requests in the last hour", unit: "ratio", max: 0.05 },
} as const satisfies Record<string, Threshold>;

export type MeasureName = keyof typeof THRESHOLDS;

/** Measured value. */
export interface Measure {
  name: MeasureName;
  /** Queue, database, sweep or surface that was measured, such as `scans`. */
  of: string;
  /** Null if it isn't known here, such as the length of a queue in local development. */
  value: number | null;
  /** Threshold that the value may reach, but not pass. */
  limit: number;
  ok: boolean;
}

/** Result of a check of the whole service. */
export interface Status {
  /** True if every measure is within its threshold. */
  ok: boolean;
  /** Time of the check (ISO 8601). */
  checked_at: string;
  measures: Measure[];
}

/** Compares a value with the threshold of its measure. Unknown values are in order. */
export function judge(name: MeasureName, of: string, value: number | null): Measure {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Threshold = THRESHOLDS[name];
  const ok = value === null || (value >= min && value <= max);
  return { name, of, value, limit: Number.isFinite(max) ? max : min, ok };
}

/**
 * Formats a status as text for Prometheus.
 * See https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format.
 */
export function formatPrometheus({ ok, measures }: Status): string {
  const lines = ["# HELP signpost_ok 1 if every measure is within its threshold", "# TYPE signpost_ok gauge"];
  lines.push(`signpost_ok ${Number(ok)}`);
  for (const name of Object.keys(THRESHOLDS) as MeasureName[]) {
    const known = measures.filter((measure) => measure.name === name && measure.value !== null);
    if (known.length === 0) continue;
    lines.push(`# HELP signpost_${name} ${THRESHOLDS[name].help}`, `# TYPE signpost_${name} gauge`);
    lines.push(...known.map(({ of, value }) => `signpost_${name}{of="${of}"} ${value}`));
  }
  return `${lines.join("\n")}\n`;
}
