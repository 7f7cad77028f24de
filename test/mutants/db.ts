import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/db/retry.ts",
    "test/worker/retry.test.ts",
    ["DELAY_MIN_MS = 20", "DELAY_MIN_MS = 21"],
    ["DELAY_MIN_MS = 20", "DELAY_MIN_MS = 19"],
    ["DELAY_MAX_MS = 80", "DELAY_MAX_MS = 81"],
    ["DELAY_MAX_MS = 80", "DELAY_MAX_MS = 79"],
    ["CAUSES_MAX = 5", "CAUSES_MAX = 6"],
    ["CAUSES_MAX = 5", "CAUSES_MAX = 4"],
    ["} catch (error) {", "} catch (error) { throw error;"],
    ["(!mayRepeat(error))", "(false)"],
    ["|| mayBeCommitted", "&& mayBeCommitted"],
    ["&& (retryable ===", "|| (retryable ==="],
    ["retryable === true ||", "retryable === true &&"],
    ["< CAUSES_MAX &&", "< CAUSES_MAX ||"],
    ["(condition(cause))", "(false)"],
  ),
  ...mutate(
    "src/db/retrying-database.ts",
    "test/worker/retry.test.ts",
    ["(known !== undefined)", "(false)"],
    ["} catch (error) {", "} catch (error) { throw error;"],
    ["(!isReadOnly &&", "(!isReadOnly ||"],
    ["i.test(sql) &&", "i.test(sql) ||"],
  ),
  ...mutate(
    "src/db/delete-some.ts",
    "test/worker/sweep-rows.test.ts",
    ["const ROWS_MAX = 500;", "const ROWS_MAX = 501;"],
    ["const ROWS_MAX = 500;", "const ROWS_MAX = 499;"],
    ["where ${condition} limit", "limit"],
  ),
];
