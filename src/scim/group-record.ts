// Pure: no I/O, clock or randomness.
import type { Role } from "../permissions/roles.ts";
import type { Draft } from "./apply-patch.ts";
import { parseRoleName } from "./role-name.ts";
import { GROUP_SCHEMA } from "./scim-attributes.ts";
import { createInputError } from "./scim-error.ts";
import { buildMeta } from "./user-record.ts";

/** Columns of a group that the identity provider sets. */
export interface GroupColumns {
  displayName: string;
  externalId: string | null;
}

/** Group including the columns that Signpost sets. */
export interface GroupRow extends GroupColumns {
  id: string;
  createdAt: number;
  updatedAt: number;
  memberCount: number;
}

const NAME_MAX_LENGTH = 256;

/** Returns a group's attributes as a draft for PATCH operations. */
export function toGroupDraft({ displayName, externalId }: GroupColumns): Draft {
  const draft: Draft = new Map([["displayName", displayName]]);
  if (externalId !== null) draft.set("externalId", externalId);
  return draft;
}

/** Converts a draft to columns. Throws `invalidValue`. */
export function fromGroupDraft(draft: Draft): GroupColumns {
  const displayName = readText(draft, "displayName");
  if (displayName === null) throw createInputError("invalidValue", "displayName is required.");
  return { displayName, externalId: readText(draft, "externalId") };
}

/** Returns the role that members of a group get. */
export function getGroupRole({ displayName }: GroupColumns): Role | null {
  return parseRoleName(displayName);
}

function readText(draft: Draft, name: string): string | null {
  const text = String(draft.get(name) ?? "").trim();
  if (text === "") return null;
  if (text.length > NAME_MAX_LENGTH || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw createInputError(
      "invalidValue",
      `${name} must be a string of at most ${NAME_MAX_LENGTH} characters without control characters.`,
    );
  }
  return text;
}

/** Builds the SCIM resource of a group. `memberIds` is null if the members aren't shown. */
export function buildGroup(
  row: GroupRow,
  memberIds: readonly string[] | null,
  baseUrl: string,
): Record<string, unknown> {
  const toMember = (id: string) => ({ value: id, type: "User", $ref: `${baseUrl}/Users/${id}` });
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    displayName: row.displayName,
    ...(memberIds === null ? {} : { members: memberIds.map(toMember) }),
    meta: buildMeta("Group", row, `${baseUrl}/Groups/${row.id}`),
  };
}
