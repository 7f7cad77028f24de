import { type Mutant, mutate } from "./tool/mutant.ts";

const LIMITS = "test/unit/analytics-limits.test.ts";
const BUCKETS = "test/unit/buckets.test.ts";
const COUNTS = "test/unit/packed-counts.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/analytics/analytics.ts",
    LIMITS,
    ["const POINTS_MAX = 10_000;", "const POINTS_MAX = 9_999;"],
    ["const POINTS_MAX = 10_000;", "const POINTS_MAX = 10_001;"],
    ["const DEFAULT_DAYS = 30;", "const DEFAULT_DAYS = 29;"],
    ["days.fromMs >= days.toMs", "days.fromMs > days.toMs"],
    ["days.fromMs >= days.toMs", "days.fromMs >= days.toMs - DAY_MS"],
  ),
  ...mutate(
    "src/analytics/retention.ts",
    LIMITS,
    ["DAYS_KEPT = 92", "DAYS_KEPT = 93"],
    ["const FACT_DAYS_KEPT = 35;", "const FACT_DAYS_KEPT = 36;"],
    ["(DAYS_KEPT - 1) * DAY_MS", "DAYS_KEPT * DAY_MS"],
    ["(FACT_DAYS_KEPT - 1) * DAY_MS", "FACT_DAYS_KEPT * DAY_MS"],
    ["return nowMs - (nowMs % DAY_MS);", "return nowMs;"],
    ["fromMs < firstMs && !isMonthStart(fromMs)", "fromMs <= firstMs - 2 * DAY_MS && !isMonthStart(fromMs)"],
    ["toMs < firstMs && !isMonthStart(toMs)", "toMs < firstMs - DAY_MS && !isMonthStart(toMs)"],
    ["isLocal ? firstMs + DAY_MS : firstMs", "firstMs"],
  ),
  ...mutate(
    "src/analytics/scan-costs.ts",
    LIMITS,
    ["const WRITE_INTERVAL_MS = 10 * SECOND_MS;", "const WRITE_INTERVAL_MS = 10 * SECOND_MS + 1;"],
    ["const WRITE_INTERVAL_MS = 10 * SECOND_MS;", "const WRITE_INTERVAL_MS = 10 * SECOND_MS - 1;"],
    ["      this.#add({ scans, counted, swept, events });", ""],
  ),
  ...mutate(
    "src/analytics/buckets.ts",
    BUCKETS,
    ["const FIRST_MONDAY_MS = -3 * DAY_MS;", "const FIRST_MONDAY_MS = -4 * DAY_MS;"],
    ["numberBucket(interval, toMs - 1)", "numberBucket(interval, toMs)"],
    ['numberBucket("month", fromMs - 1) + 1', 'numberBucket("month", fromMs) + 1'],
    ['Math.max(fromMonth, numberBucket("month", toMs))', 'numberBucket("month", toMs)'],
    ["number - year * MONTHS_PER_YEAR, 1)", "number - year * MONTHS_PER_YEAR, 2)"],
  ),
  ...mutate(
    "src/analytics/day-counts.ts",
    COUNTS,
    ["DAY_VALUES_MAX = 200", "DAY_VALUES_MAX = 201"],
    ["DAY_VALUES_MAX = 200", "DAY_VALUES_MAX = 199"],
    ["MONTH_VALUES_MAX = 1_000", "MONTH_VALUES_MAX = 1_001"],
  ),
];
