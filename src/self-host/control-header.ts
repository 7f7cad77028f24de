/** Header with the secret of a control request. */
export const CONTROL_HEADER = "X-Signpost-Control";
