/** Limits of the fields of a link: for the schemas of requests, and for an import, which fits links to them. */

/** Maximum length of an address, also once it is encoded. */
export const URL_MAX_LENGTH = 8_192;

export const LABELS_MAX = 10;
export const LABEL_MAX_LENGTH = 64;
export const TITLE_MAX_LENGTH = 200;
export const NOTE_MAX_LENGTH = 2_048;

export const MAX_SCANS_MAX = 1_000_000_000;
export const PASSWORD_MIN_LENGTH = 4;
export const PASSWORD_MAX_LENGTH = 128;
/** Maximum length of the hash of a password that was made elsewhere. */
export const PASSWORD_HASH_MAX_LENGTH = 256;
export const PREVIEW_TITLE_MAX_LENGTH = 120;
export const PREVIEW_DESCRIPTION_MAX_LENGTH = 240;

export const RULES_MAX = 20;
/** Maximum size of a link's rules as JSON without repeated values, since memory and caches of redirects hold them. */
export const RULES_MAX_BYTES = 16_384;
/** Maximum number of values of a condition. */
export const RULE_VALUES_MAX = 300;
export const RULE_NAME_MAX_LENGTH = 64;
export const QUERY_NAMES_MAX = 20;
export const QUERY_TEXT_MAX_LENGTH = 256;
