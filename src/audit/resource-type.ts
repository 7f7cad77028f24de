// Pure: no I/O, clock or randomness.

/** Types of resources whose changes are logged. */
export const RESOURCE_TYPES = [
  "link",
  "qr_template",
  "bio_page",
  "asset",
  "webhook",
  "domain",
  "report",
  "key",
  "member",
  "invitation",
  "passkey",
  "group",
  "scim_token",
  "session",
  "workspace",
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];
