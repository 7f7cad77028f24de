import { type Mutant, mutate } from "../by-hand.ts";

const SCIM_FILTER = "test/unit/scim-filter.test.ts";
const SCIM_PATCH = "test/unit/scim-patch.test.ts";
const PEOPLE_AUDIT = "test/worker/people-audit.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/scim/scim-filter.ts",
    SCIM_FILTER,
    ['this.#takeWord("or")) filters', 'this.#takeWord("and")) filters'],
    ["prefix + normalizePath(path)", "normalizePath(path)"],
    ["text?.isWellFormed() &&", "text !== null &&"],
    ['kind: "not", filter:', 'kind: "not", filter: { kind: "present", path: "" } as Filter, unused:'],
  ),
  ...mutate(
    "src/scim/apply-patch.ts",
    SCIM_PATCH,
    ['throw createInputError("mutability"', 'createInputError("mutability"'],
    ["primary: false }", "}"],
    ["readMembers(attribute, value, members);", "readMembers(attribute, value, {});"],
  ),
  ...mutate(
    "src/scim/user-record.ts",
    SCIM_PATCH,
    ["if (name !== (formattedName ?? joinName(givenName, familyName))) draft", "draft"],
    ["/\\p{Cc}/u.test(text)", "false"],
    ["formatted === joined ? null : formatted", "formatted"],
    ['const isDefault = all.length === 1 && all[0]?.type === "work";', "const isDefault = all.length === 1;"],
  ),
  ...mutate(
    "src/scim/users.ts",
    "test/worker/provider-sign-in.test.ts",
    ["email === former.email ?", "true ?"],
    [", eq(domains.workspaceId, workspace.id)", ""],
    ["emailDomains.includes(domain)", "emailDomains.some((each) => domain.endsWith(each))"],
  ),
  ...mutate(
    "src/members/memberships.ts",
    "test/worker/provider-sign-in.test.ts",
    [", eq(members.isAccepted, true)", ""],
    ["eq(members.person, person.person), ", "", { equivalent: "the id was listed for this person before" }],
  ),
  ...mutate(
    "src/scim/logged-people.ts",
    PEOPLE_AUDIT,
    ["'owner' then 0", "'owner' then 3"],
    ["joined.group_id <> ${groupId}", "true"],
    ["is not ${role}))`", "is null))`"],
    ["iif(${wasIn} and not ${isIn},", "iif(${wasIn},"],
    ["iif(${isIn} and not ${wasIn},", "iif(${isIn},"],
    ["iif(${fromGroups} is null, null, ${role})", "${role}"],
  ),
  ...mutate(
    "src/scim/scim-context.ts",
    PEOPLE_AUDIT,
    ["[...before.map(log), ", "["],
    [", ...after.map(log)]", "]"],
  ),
];
