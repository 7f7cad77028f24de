import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/tenant/own-hosts.ts",
    ["test/unit/own-hosts.test.ts", "test/unit/env.test.ts"],
    ["settings.apiHost ||", "settings.apiHost &&"],
    ["settings.apiHost || (settings.allowLoopback &&", "settings.apiHost || (settings.allowLoopback ||"],
    [
      "if ([settings.bioHost, settings.cdnHost, settings.appHost].includes(hostname)) return false;",
      "if (false) return false;",
    ],
    ["[settings.bioHost, settings.cdnHost, settings.appHost]", "[settings.bioHost, settings.cdnHost]"],
    ["settings.shortHost) ||", "settings.shortHost) &&"],
    [") || (settings.allowLoopback &&", ") || (settings.allowLoopback ||"],
    ["&& CLICK_PATH.test", "|| CLICK_PATH.test"],
    ["|| isClickAddress", "&& isClickAddress"],
    ["isClickAddress(settings, url) ||", "isClickAddress(settings, url) &&"],
    ["|| (url.port ===", "&& (url.port ==="],
    ["isOwnHost(settings, url) ||", "isOwnHost(settings, url) &&"],
  ),
  ...mutate("src/tenant/plans.ts", "test/unit/plans.test.ts", ["Math.min(PLANS", "Math.max(PLANS"]),
];
