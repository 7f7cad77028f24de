import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/scans/tidy-scan.ts",
    "test/unit/scans.test.ts",
    ["REFERRER_MAX_LENGTH = 100", "REFERRER_MAX_LENGTH = 101"],
    ["REFERRER_MAX_LENGTH = 100", "REFERRER_MAX_LENGTH = 99"],
    ["= /^([a-z]{2,3", "= /^([a-z]{3,3"],
    ["= /^([a-z]{2,3", "= /^([a-z]{1,3"],
    ["= /^[A-Z]{2}-[", "= /^[A-Z]{3}-["],
    ["= /^[A-Z]{2}-[", "= /^[A-Z]{1}-["],
    ["= /^[A-Z]{2}$/;", "= /^[A-Z]{3}$/;"],
    ["= /^[A-Z]{2}$/;", "= /^[A-Z]{1}$/;"],
    ["&& COUNTRY.test", "|| COUNTRY.test"],
    ["&& REGION.test", "|| REGION.test"],
    ["&& isReferrer(", "|| isReferrer("],
    ["host.length <=", "host.length <"],
    ["REFERRER_MAX_LENGTH &&", "REFERRER_MAX_LENGTH ||"],
    ["(primary === undefined)", "(false)"],
  ),
  ...mutate("src/scans/dimensions.ts", "test/unit/scans.test.ts", [": [Math.floor(", ": [Math.ceil("]),
  ...mutate("src/scans/record-scan.ts", "test/unit/scans.test.ts", [
    "} catch (error) {",
    "} catch (error) { throw error;",
  ]),
  ...mutate("src/scans/traffic.ts", "test/unit/scans.test.ts", ['?? "human"', '?? "bot"']),
];
