import * as z from "zod";

const URL_MAX_LENGTH = 8_192;

/** URL that a link may redirect to: http or https, without user name and password. */
export const destinationUrl = z
  .string()
  .max(URL_MAX_LENGTH, { abort: true })
  // The URL parser would trim or drop them, so the stored URL would differ from the visited one.
  .refine((url) => !/[\s\p{Cc}]/u.test(url), {
    error: "must not hold white space or control characters",
    abort: true,
  })
  .refine(isWebUrl, { error: "must be an http or https URL", abort: true })
  .refine((url) => !hasCredentials(url), { error: "must not hold a user name or password", abort: true })
  .refine((url) => new URL(url).href.length <= URL_MAX_LENGTH, {
    error: `must have at most ${URL_MAX_LENGTH} characters once encoded`,
  })
  .meta({ format: "uri", example: "https://example.com/landing" });

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
