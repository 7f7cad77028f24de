import { expect, test } from "vitest";
import { toIso } from "../../src/core/time.ts";
import { dateTime } from "../../src/http/fields.ts";

test.each([
  ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21t09:30:00Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00.5Z", "2026-11-21T09:30:00.500Z"],
  ["2026-11-21T09:30:00.123999999Z", "2026-11-21T09:30:00.123Z"],
  ["2026-11-21T09:30:00+05:30", "2026-11-21T04:00:00.000Z"],
  ["2026-11-21T09:30:00-08:00", "2026-11-21T17:30:00.000Z"],
  ["2026-11-21T09:30:00-00:00", "2026-11-21T09:30:00.000Z"],
  ["2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  // ISO 8601 allows 24:00 for the end of a day.
  ["2026-11-21T24:00:00Z", "2026-11-22T00:00:00.000Z"],
  ["2026-12-31T24:00:00Z", "2027-01-01T00:00:00.000Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
])("dateTime parses %s as %s", (text, expected) => {
  expect(toIso(dateTime.parse(text))).toBe(expected);
});

test.each([
  ["no offset", "2026-11-21T09:30:00"],
  ["a date alone", "2026-11-21"],
  ["a day not in the calendar", "2026-02-30T00:00:00Z"],
  ["a leap day of another year", "2027-02-29T00:00:00Z"],
  ["a leap day of a century", "2100-02-29T00:00:00Z"],
  ["the 31st of a short month", "2026-04-31T00:00:00Z"],
  ["the 31st of a short month, with an offset", "2026-04-31T00:00:00+02:00"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["month 0", "2026-00-01T00:00:00Z"],
  ["day 0", "2026-01-00T00:00:00Z"],
  ["day 32", "2026-01-32T00:00:00z"],
  ["past 24:00", "2026-11-21T24:00:01Z"],
  ["hour 25", "2026-11-21T25:00:00z"],
  ["minute 60", "2026-11-21T09:60:00z"],
  ["a leap second", "2026-12-31T23:59:60Z"],
  ["a space instead of the T", "2026-11-21 09:30:00Z"],
  ["an offset without a colon", "2026-11-21T09:30:00+0530"],
  ["an offset of hours alone", "2026-11-21T09:30:00+05"],
  ["an offset of a day", "2026-11-21T09:30:00+24:00"],
  ["an offset with minute 60", "2026-11-21T09:30:00+05:60"],
  ["the name of a time zone", "2026-11-21T09:30:00 GMT"],
  ["an empty fraction", "2026-11-21T09:30:00.Z"],
  ["a year of two digits", "26-11-21T09:30:00Z"],
  ["a year of five digits", "12026-11-21T09:30:00Z"],
  ["a signed year", "+002026-11-21T09:30:00Z"],
  ["after the year 9999 in UTC", "9999-12-31T23:59:59-01:00"],
  ["before the year 0 in UTC", "0000-01-01T00:00:00+01:00"],
  ["Unix time", "1795253400"],
  ["words", "tomorrow"],
  ["surrounding spaces", " 2026-11-21T09:30:00Z "],
  ["a line break at the end", "2026-11-21T09:30:00Z\n"],
  ["an empty text", ""],
])("dateTime rejects %s: %j", (_, text) => {
  const { error } = dateTime.safeParse(text);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    "must be an ISO 8601 date-time with an offset or Z",
  ]);
});

test.each([1_795_253_400_000, null, true, [], {}])("dateTime rejects %j, which is not a string", (value) => {
  expect(dateTime.safeParse(value).error?.issues[0]?.message).toBe("must be a string");
});
