// Pure: no I/O, clock or randomness.

/** Limits of the service that the dashboard can't import. A test compares them with the OpenAPI document. */

/** Maximum page size of lists. */
export const PAGE_ITEMS_MAX = 200;
/** Maximum IDs per call that changes many links. */
export const BULK_IDS_MAX = 200;
/** Maximum links per call that gives each link values of its own. */
export const BULK_LINKS_MAX = 100;
export const SEARCH_MAX_LENGTH = 256;
/** Maximum variants of a split. */
export const SHARES_MAX = 20;
/** Maximum languages of the simulated visitor in a test of routing rules. */
export const LANGUAGES_MAX = 20;
/** Maximum values in a breakdown. */
export const VALUES_MAX = 100;

export const BLOCKS_MAX = 100;
export const BLOCK_LABEL_MAX_LENGTH = 100;
export const SOCIALS_MAX = 30;
export const PAGE_TITLE_MAX_LENGTH = 200;
export const PAGE_DESCRIPTION_MAX_LENGTH = 1_000;

export const ENDPOINT_NAME_MAX_LENGTH = 1_000;
export const KEY_NAME_MAX_LENGTH = 200;
export const TEMPLATE_NAME_MAX_LENGTH = 200;
export const REPORT_TITLE_MAX_LENGTH = 200;
/** Maximum links that a shared report names. */
export const REPORT_LINKS_MAX = 50;
/** Maximum digits in the largest QR code. Other characters need more space. */
export const QR_TEXT_MAX_LENGTH = 7_089;
