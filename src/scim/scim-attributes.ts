// Pure: no I/O, clock or randomness.
export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** Attribute of a resource, with the characteristics of RFC 7643 section 7. */
export interface Attribute {
  name: string;
  type: "string" | "boolean" | "complex" | "reference";
  description: string;
  multiValued?: true;
  required?: true;
  caseExact?: true;
  mutability?: "readOnly" | "immutable";
  uniqueness?: "server";
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: "string",
  description,
  ...more,
});

const flag = (name: string, description: string): Attribute => ({ name, type: "boolean", description });

/** Attributes of users that are stored. */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  text("userName", "Name that identifies the user at the identity provider.", {
    required: true,
    uniqueness: "server",
  }),
  {
    name: "name",
    type: "complex",
    description: "Parts of the name.",
    subAttributes: [
      text("formatted", "Full name."),
      text("givenName", "Given name."),
      text("familyName", "Family name."),
    ],
  },
  text("displayName", "Name that other members see."),
  flag("active", "False ends the user's access immediately."),
  {
    name: "emails",
    type: "complex",
    multiValued: true,
    description: "Email addresses. The user signs in with the primary one.",
    subAttributes: [
      text("value", "Address.", { uniqueness: "server" }),
      text("type", "Type of the address, such as work."),
      flag("primary", "True for the primary address."),
    ],
  },
  {
    name: "roles",
    type: "complex",
    multiValued: true,
    description:
      "Role of a user whose groups assign no role: owner, editor or viewer. Only the highest one is stored.",
    subAttributes: [text("value", "Name of the role."), flag("primary", "True.")],
  },
];

/** Attributes of groups that are stored. */
export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text(
    "displayName",
    "Name of the group. A group named owners, editors or viewers assigns this role to its members.",
    {
      required: true,
      uniqueness: "server",
    },
  ),
  {
    name: "members",
    type: "complex",
    multiValued: true,
    description: "Users of the group.",
    subAttributes: [
      text("value", "ID of the user.", { mutability: "immutable", caseExact: true }),
      {
        name: "$ref",
        type: "reference",
        description: "URL of the user.",
        referenceTypes: ["User"],
        mutability: "immutable",
      },
      text("type", "User.", { mutability: "immutable" }),
    ],
  },
];

/** Attributes that all resources have (RFC 7643 section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  text("id", "Id.", { mutability: "readOnly", caseExact: true, uniqueness: "server" }),
  text("externalId", "ID assigned by the identity provider.", { caseExact: true }),
  {
    name: "meta",
    type: "complex",
    mutability: "readOnly",
    description: "Type, times and URL of the resource.",
    subAttributes: ["resourceType", "created", "lastModified", "location"].map((name) =>
      text(name, "Set by the service.", { mutability: "readOnly" }),
    ),
  },
];

/**
 * Standard attributes that aren't stored (RFC 7643 sections 4.1 and 4.3; Microsoft Entra maps `manager` of the
 * enterprise user without the URN of its schema). They are ignored in requests, because identity providers
 * send everything they have, and filters on them match nothing.
 */
const UNKEPT = new Set(
  `schemas nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses
   groups entitlements x509certificates employeenumber costcenter organization division department manager`.split(
    /\s+/,
  ),
);

/** Standard parts of stored attributes that aren't stored (RFC 7643 sections 2.4, 3.1, 4.1 and 4.2). */
const UNKEPT_PARTS = new Set(
  `name.middlename name.honorificprefix name.honorificsuffix emails.display roles.display roles.type meta.version
   members.display members.type members.$ref`.split(/\s+/),
);

/** Returns true for a standard attribute that isn't stored. `name` must be in lower case. */
export function isUnkept(name: string): boolean {
  return UNKEPT.has(name);
}

/** Returns true for the path of a standard attribute that isn't stored, in lower case. */
export function isUnkeptPath(path: string): boolean {
  return UNKEPT_PARTS.has(path) || isUnkept(path.split(".", 1)[0] ?? "");
}

/** Finds an attribute by name, ignoring case. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const lowered = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === lowered);
}
