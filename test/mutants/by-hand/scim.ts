import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/scim/scim-filter.ts",
    "unit/scim-filter",
    ['this.#takeWord("or")) filters', 'this.#takeWord("and")) filters'],
    ["prefix + normalizePath(path)", "normalizePath(path)"],
    ["text?.isWellFormed() &&", "text !== null &&"],
    ['kind: "not", filter:', 'kind: "not", filter: { kind: "present", path: "" } as Filter, unused:'],
  ),
  ...mutate(
    "src/scim/apply-patch.ts",
    "unit/scim-patch",
    ['throw createInputError("mutability"', 'createInputError("mutability"'],
    ["primary: false }", "}"],
    ["readMembers(attribute, value, members);", "readMembers(attribute, value, {});"],
  ),
  ...mutate("src/scim/user-record.ts", "unit/scim-patch", ["/\\p{Cc}/u.test(text)", "false"]),
  ...mutate(
    "src/scim/users.ts",
    "worker/provider-sign-in",
    [", eq(domains.workspaceId, workspace.id)", ""],
    ["emailDomains.includes(domain)", "emailDomains.some((each) => domain.endsWith(each))"],
  ),
  ...mutate("src/members/memberships.ts", "worker/provider-sign-in", [", eq(members.isAccepted, true)", ""]),
  ...mutate(
    "src/scim/logged-people.ts",
    "worker/people-audit",
    ["'owner' then 0", "'owner' then 3"],
    ["joined.group_id <> ${groupId}", "true"],
    ["is not ${role}))`", "is null))`"],
    ["iif(${wasIn} and not ${isIn},", "iif(${wasIn},"],
    ["iif(${isIn} and not ${wasIn},", "iif(${isIn},"],
    ["iif(${fromGroups} is null, null, ${role})", "${role}"],
  ),
];
