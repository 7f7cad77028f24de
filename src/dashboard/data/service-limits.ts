/** Limits of the service that the dashboard cannot import. A test compares each with the OpenAPI document. */

/** Items of the largest page of a list. */
export const PAGE_ITEMS_MAX = 200;
/** Ids of one call that changes many links. */
export const BULK_IDS_MAX = 200;
export const SEARCH_MAX_LENGTH = 256;
/** Destinations among which a rule divides its visitors. */
export const SHARES_MAX = 20;
/** Languages of a visitor for whom rules are tried out. */
export const LANGUAGES_MAX = 20;
/** Values of a breakdown. */
export const VALUES_MAX = 100;

export const BLOCKS_MAX = 100;
export const BLOCK_LABEL_MAX_LENGTH = 100;
export const SOCIALS_MAX = 30;
export const PAGE_TITLE_MAX_LENGTH = 200;
export const PAGE_DESCRIPTION_MAX_LENGTH = 1_000;

export const ENDPOINT_NAME_MAX_LENGTH = 1_000;
export const KEY_NAME_MAX_LENGTH = 200;
export const TEMPLATE_NAME_MAX_LENGTH = 200;
/** Digits of the largest QR code, of which it holds more than of other characters. */
export const QR_TEXT_MAX_LENGTH = 7_089;
