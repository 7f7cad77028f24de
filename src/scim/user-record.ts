// Pure: no I/O, clock or randomness.
import { EMAIL_MAX_LENGTH, normalizeEmail } from "../members/email.ts";
import type { Role } from "../permissions/roles.ts";
import type { Draft, Element } from "./apply-patch.ts";
import { findHighestRole, parseRoleValue } from "./role-name.ts";
import { USER_SCHEMA } from "./scim-attributes.ts";
import { createInputError, type ScimError } from "./scim-error.ts";

/** Columns of a member that an identity provider can read and change. */
export interface UserColumns {
  userName: string | null;
  externalId: string | null;
  email: string;
  /** Name that other members see. */
  name: string;
  givenName: string | null;
  familyName: string | null;
  /** Formatted name, if it differs from the given and family names. */
  formattedName: string | null;
  /** All email addresses as JSON. Null if there is only `email`. */
  emails: string | null;
  isActive: boolean;
  /** Role that the member has apart from groups. */
  ownRole: Role;
}

/** Member including the columns that Signpost sets. */
export interface UserRow extends UserColumns {
  id: string;
  createdAt: number;
  updatedAt: number;
}

const USER_NAME_MAX_LENGTH = 256;
const NAME_MAX_LENGTH = 200;

/** Normalizes a name for comparison without case (RFC 7643 section 4.1.1). */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Returns a member's `userName`: the one set by the identity provider, otherwise the email address. */
export function getUserName({ userName, email }: Pick<UserColumns, "userName" | "email">): string {
  return userName ?? email;
}

/** Returns a member's attributes as a draft for PATCH operations. */
export function toDraft(row: UserColumns): Draft {
  const { givenName, familyName, formattedName, name } = row;
  const draft: Draft = new Map();
  draft.set("userName", getUserName(row));
  draft.set("active", row.isActive);
  draft.set("emails", listEmails(row));
  draft.set("roles", [{ value: row.ownRole, primary: true }]);
  if (row.externalId !== null) draft.set("externalId", row.externalId);
  const parts = {
    ...(givenName === null ? {} : { givenName }),
    ...(familyName === null ? {} : { familyName }),
    ...(formattedName === null ? {} : { formatted: formattedName }),
  };
  if (Object.keys(parts).length > 0) draft.set("name", parts);
  // Leaves out a displayed name that equals the parts of the name, so that it changes with them.
  if (name !== (formattedName ?? joinName(givenName, familyName))) draft.set("displayName", name);
  return draft;
}

/**
 * Converts a draft to columns. If the draft has no `roles`, the identity provider doesn't manage roles, and
 * `formerRole` stays. Throws `invalidValue`.
 */
export function fromDraft(draft: Draft, formerRole: Role): UserColumns {
  const userName = readText(draft.get("userName"), "userName", USER_NAME_MAX_LENGTH);
  if (userName === null) throw createValueError("userName", "given");
  const name = (draft.get("name") ?? {}) as Element;
  const givenName = readText(name.givenName, "name.givenName", NAME_MAX_LENGTH);
  const familyName = readText(name.familyName, "name.familyName", NAME_MAX_LENGTH);
  const joined = joinName(givenName, familyName);
  const formatted = readText(name.formatted, "name.formatted", NAME_MAX_LENGTH);
  const shown = readText(draft.get("displayName"), "displayName", NAME_MAX_LENGTH) ?? formatted ?? joined;
  return {
    userName,
    externalId: readText(draft.get("externalId"), "externalId", USER_NAME_MAX_LENGTH),
    ...readEmails((draft.get("emails") ?? []) as readonly Element[], userName),
    name: (shown === "" ? userName : shown).slice(0, NAME_MAX_LENGTH),
    givenName,
    familyName,
    formattedName: formatted === joined ? null : formatted,
    isActive: draft.get("active") !== false,
    ownRole: chooseRole(draft.get("roles") as readonly Element[] | undefined, formerRole),
  };
}

function joinName(givenName: string | null, familyName: string | null): string {
  return [givenName, familyName].filter((part) => part !== null).join(" ");
}

/** Returns a user's email addresses, first the one for signing in. */
function listEmails({ email, emails }: Pick<UserColumns, "email" | "emails">): readonly Element[] {
  return emails === null ? [{ value: email, type: "work", primary: true }] : JSON.parse(emails);
}

/**
 * Returns the email address for signing in: the primary one, otherwise the work address, otherwise the first.
 * Without addresses, the user name must be an email address. The other addresses are kept as they are.
 */
function readEmails(emails: readonly Element[], userName: string): Pick<UserColumns, "email" | "emails"> {
  const given = emails.filter(({ value }) => typeof value === "string" && value.trim() !== "");
  const chosen =
    given.find(({ primary }) => primary === true) ??
    given.find(({ type }) => String(type).toLowerCase() === "work") ??
    given[0];
  const email = normalizeEmail(String(chosen?.value ?? userName));
  if (email !== null && isStorable(email)) {
    const others = given.filter((address) => address !== chosen);
    const all = [{ value: email, type: readType(chosen) ?? "work", primary: true }, ...others.map(readEmail)];
    const isDefault = all.length === 1 && all[0]?.type === "work";
    return { email, emails: isDefault ? null : JSON.stringify(all) };
  }
  const place = chosen === undefined ? "emails (or userName)" : "emails";
  throw createValueError(
    place,
    `an email address of at most ${EMAIL_MAX_LENGTH} characters, with which the user signs in`,
  );
}

function readEmail(address: Element): Element {
  const type = readType(address);
  const value = readText(address.value, "emails.value", EMAIL_MAX_LENGTH) ?? "";
  return { value, ...(type !== null && { type }) };
}

function readType(address: Element | undefined): string | null {
  return readText(address?.type, "emails.type", NAME_MAX_LENGTH);
}

function chooseRole(roles: readonly Element[] | undefined, formerRole: Role): Role {
  if (roles === undefined) return formerRole;
  return findHighestRole(roles.map(({ value }) => parseRoleValue(String(value ?? "")))) ?? "viewer";
}

function readText(value: unknown, path: string, maxLength: number): string | null {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") return null;
  if (!isStorable(text)) throw createValueError(path, "without control characters");
  if (text.length > maxLength) throw createValueError(path, `at most ${maxLength} characters long`);
  return text;
}

/**
 * Returns true for text without control characters or lone surrogates, because databases and headers can't
 * store those unchanged.
 */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function createValueError(path: string, expected: string): ScimError {
  return createInputError("invalidValue", `${path} must be ${expected}.`);
}

/** Builds a member's SCIM resource (RFC 7643 section 4.1). `usersUrl` is the URL of the list. */
export function buildUser(row: UserRow, usersUrl: string): Record<string, unknown> {
  const { givenName, familyName, formattedName } = row;
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    userName: getUserName(row),
    name: {
      formatted: formattedName ?? (joinName(givenName, familyName) || row.name),
      ...(givenName === null ? {} : { givenName }),
      ...(familyName === null ? {} : { familyName }),
    },
    displayName: row.name,
    active: row.isActive,
    emails: listEmails(row),
    roles: [{ value: row.ownRole, primary: true }],
    meta: buildMeta("User", row, `${usersUrl}/${row.id}`),
  };
}

export function buildMeta(
  resourceType: "User" | "Group",
  { createdAt, updatedAt }: { createdAt: number; updatedAt: number },
  location: string,
) {
  const [created, lastModified] = [createdAt, Math.max(createdAt, updatedAt)].map((ms) =>
    new Date(ms).toISOString(),
  );
  return { resourceType, created, lastModified, location };
}
