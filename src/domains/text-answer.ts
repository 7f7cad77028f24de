import * as z from "zod";

const TYPE_CNAME = 5;
const TYPE_TXT = 16;
const STATUS_NAME_ERROR = 3;
const STATUS_NAMES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];
/** Maximum number of aliases to follow, which also ends loops. */
const ALIASES_MAX = 8;

/** Response to a TXT query in the JSON format of DNS over HTTPS that Google and Cloudflare share. */
const dnsResponse = z.object({
  Status: z.int(),
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ name: z.string(), type: z.int(), data: z.string() })).default([]),
});

/** Result of a TXT query: the texts, or the reason for the failure. */
export type TextAnswer = { status: "found"; texts: string[] } | { status: "failed"; reason: string };

/**
 * Parses the response to a TXT query and returns the texts of the name's records, following aliases. Returns
 * an empty list for a name that doesn't exist. Ignores records of other names, which prove nothing.
 */
export function parseTextAnswer(body: string, name: string): TextAnswer {
  const response = parseResponse(body);
  if (response === undefined) return { status: "failed", reason: "the response is not valid DNS JSON" };
  const { Status: status, TC: isTruncated, Answer: records } = response;
  if (status !== 0 && status !== STATUS_NAME_ERROR)
    return { status: "failed", reason: STATUS_NAMES[status] ?? `RCODE ${status}` };
  if (isTruncated) return { status: "failed", reason: "the response is truncated" };
  const select = (type: number, owner: string) =>
    records.filter((record) => record.type === type && normalizeName(record.name) === owner);
  let owner = normalizeName(name);
  for (let followed = 0; followed <= ALIASES_MAX; followed++) {
    const [alias] = select(TYPE_CNAME, owner);
    if (alias === undefined)
      return { status: "found", texts: select(TYPE_TXT, owner).map(({ data }) => joinStrings(data)) };
    owner = normalizeName(alias.data);
  }
  return { status: "failed", reason: "the name has too many aliases" };
}

function parseResponse(body: string): z.infer<typeof dnsResponse> | undefined {
  try {
    return dnsResponse.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Returns a name in lower case without the final dot, which only some resolvers write. */
function normalizeName(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}

/**
 * Joins the strings of a TXT record (RFC 7208 section 3.3 has the same rule). Cloudflare quotes each string;
 * Google joins them and adds no quotes. Escapes stay, because ids contain no characters that need them.
 */
function joinStrings(data: string): string {
  return data.replaceAll(/^"|"\s*"|"$/g, "");
}
