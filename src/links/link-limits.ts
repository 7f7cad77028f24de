// Pure: no I/O, clock or randomness.

/** Limits of link fields, shared by the request schemas and by imports, which shorten values to fit. */

/** Maximum length of a URL, both as given and once encoded. */
export const URL_MAX_LENGTH = 8_192;

export const LABELS_MAX = 10;
export const LABEL_MAX_LENGTH = 64;
/** Maximum length of an id from the caller's system. */
export const EXTERNAL_ID_MAX_LENGTH = 255;
export const TITLE_MAX_LENGTH = 200;
export const NOTE_MAX_LENGTH = 2_048;

export const MAX_SCANS_MAX = 1_000_000_000;
export const PASSWORD_MIN_LENGTH = 4;
export const PASSWORD_MAX_LENGTH = 128;
/** Maximum length of an imported password hash. */
export const PASSWORD_HASH_MAX_LENGTH = 256;
export const PREVIEW_TITLE_MAX_LENGTH = 120;
export const PREVIEW_DESCRIPTION_MAX_LENGTH = 240;

export const RULES_MAX = 20;
/** Maximum size of a link's rules as deduplicated JSON. Bounds the memory and caches of redirects. */
export const RULES_MAX_BYTES = 16_384;
/** Maximum number of values per condition. */
export const RULE_VALUES_MAX = 300;
export const RULE_NAME_MAX_LENGTH = 64;
export const QUERY_NAMES_MAX = 20;
export const QUERY_TEXT_MAX_LENGTH = 256;
