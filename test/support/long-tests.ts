/** True in `npm run test:long`: loops that repeat one proof make more rounds. */
export const isLong = process.env.SIGNPOST_LONG_TESTS === "1";
