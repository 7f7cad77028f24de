import { describe, expect, test } from "vitest";
import { buildDnsQuery, parseTextAnswer } from "../../src/core/dns-message.ts";

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replaceAll(/[^0-9a-f]/g, "").match(/../g) ?? [], (byte) =>
    Number.parseInt(byte, 16),
  );
}

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** Beginning of an answer for `a.test`: header with the number of answers, and the question for TXT records. */
function answerHeader(answers: number, flags = "8180"): string {
  return `0000 ${flags} 0001 ${answers.toString(16).padStart(4, "0")} 0000 0000 01 61 04 74657374 00 0010 0001`;
}

describe("buildDnsQuery", () => {
  test("writes the query of RFC 8484 section 4.1.1 for www.example.com", () => {
    const base64 = btoa(String.fromCharCode(...buildDnsQuery("www.example.com", TYPE_A)));
    expect(base64).toBe("AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB");
  });

  test("writes the query of RFC 8484 section 4.1.1 for a label of 62 octets", () => {
    const name = "a.62characterlabel-makes-base64url-distinct-from-standard-base64.example.com";
    expect(buildDnsQuery(name, TYPE_A)).toEqual(
      fromHex(`0000 0100 0001 0000 0000 0000 01 61 3e 36 32 63 68 61 72 61 63 74 65 72 6c 61 62 65 6c 2d 6d 61 6b 65 73 2d
               62 61 73 65 36 34 75 72 6c 2d 64 69 73 74 69 6e 63 74 2d 66 72 6f 6d 2d 73 74 61 6e 64 61 72 64 2d 62 61
               73 65 36 34 07 65 78 61 6d 70 6c 65 03 63 6f 6d 00 0001 0001`),
    );
  });

  test("asks for TXT records (type 16) unless told otherwise", () => {
    expect([...buildDnsQuery("a.test").slice(-4)]).toEqual([0, 16, 0, 1]);
  });

  test("takes a label of 63 octets", () => {
    expect(buildDnsQuery(`${"a".repeat(63)}.test`)[12]).toBe(63);
  });

  test("takes a name of 255 octets", () => {
    // 64 labels of three octets each with their lengths, one of `last` and one, and the end.
    const name = (last: number) => `${"aa.".repeat(64)}${"b".repeat(last)}`;
    expect(buildDnsQuery(name(61))).toHaveLength(12 + 255 + 4);
    expect(() => buildDnsQuery(name(62))).toThrow("the name is too long");
  });

  test.each(["", "a..test", `${"a".repeat(64)}.test`, `${"a.".repeat(130)}test`])(
    "throws for the name %j",
    (name) => {
      expect(() => buildDnsQuery(name)).toThrow(RangeError);
    },
  );
});

describe("parseTextAnswer", () => {
  test("reads the response of RFC 8484 section 4.2.2, whose record is no TXT record", () => {
    const response =
      fromHex(`0000 8180 0001 0001 0000 0000 03 77 77 77 07 65 78 61 6d 70 6c 65 03 63 6f 6d 00 001c 0001
                              c00c 001c 0001 0000 0e7d 0010 2001 0db8 abcd 0012 0001 0002 0003 0004`);
    expect(parseTextAnswer(response, "www.example.com", TYPE_AAAA)).toEqual({ status: "found", texts: [] });
    expect(parseTextAnswer(response, "www.example.com").status).toBe("failed");
  });

  const failed = (reason: string) => ({ status: "failed", reason });
  const found = (...texts: string[]) => ({ status: "found", texts });
  const txt = (text: string) => `c00c 0010 0001 00000000 ${text}`;

  test.each([
    ["no record", answerHeader(0), found()],
    ["a name that does not exist", answerHeader(0, "8183"), found()],
    ["one record", `${answerHeader(1)} ${txt("0003 02 6869")}`, found("hi")],
    ["the strings of a record, joined", `${answerHeader(1)} ${txt("0005 02 6869 01 21")}`, found("hi!")],
    ["an empty string", `${answerHeader(1)} ${txt("0001 00")}`, found("")],
    ["two records", `${answerHeader(2)} ${txt("0002 01 61")} ${txt("0002 01 62")}`, found("a", "b")],
    [
      "an owner in capitals",
      `${answerHeader(1)} 01 41 04 54455354 00 0010 0001 00000000 0002 01 61`,
      found("a"),
    ],
    [
      "a record behind an alias, in any order",
      `${answerHeader(2)} 01 62 c00e 0010 0001 00000000 0002 01 78  c00c 0005 0001 00000000 0004 01 62 c00e`,
      found("x"),
    ],
    [
      "a record of a name that nobody asked for",
      `${answerHeader(1)} 01 62 c00e 0010 0001 00000000 0002 01 78`,
      found(),
    ],
    ["a record of another class", `${answerHeader(1)} c00c 0010 0003 00000000 0002 01 61`, found()],
    [
      "an alias of itself",
      `${answerHeader(1)} c00c 0005 0001 00000000 0002 c00c`,
      failed("the name has too many aliases"),
    ],
    ["SERVFAIL", answerHeader(0, "8182"), failed("SERVFAIL")],
    ["REFUSED", answerHeader(0, "8185"), failed("REFUSED")],
    ["an unknown code", answerHeader(0, "818a"), failed("RCODE 10")],
    ["a truncated answer", answerHeader(0, "8380"), failed("the response is truncated")],
    ["a query", answerHeader(0, "0100"), failed("not a response")],
    ["fewer records than announced", answerHeader(1), failed("the response ends early")],
    [
      "a string beyond its record",
      `${answerHeader(1)} ${txt("0002 05 61")}`,
      failed("the response ends early"),
    ],
    [
      "a string beyond its record, in the next one",
      `${answerHeader(2)} ${txt("0002 05 61")} ${txt("0002 01 62")}`,
      failed("the length of a record is wrong"),
    ],
    [
      "a pointer to itself",
      `${answerHeader(1)} c018 0010 0001 00000000 0002 01 61`,
      failed("a name points forward"),
    ],
    ["a pointer to a later place", `${answerHeader(1)} c0ff 0010 0001`, failed("a name points forward")],
    ["a label of an unknown form", `${answerHeader(1)} 80 0010 0001`, failed("a name has an unknown form")],
    ["nothing", "", failed("the response ends early")],
    ["too many records", answerHeader(2_000), failed("the response has too many records")],
  ])("returns the result for %s", (_, message, expected) => {
    expect(parseTextAnswer(fromHex(message), "a.test")).toEqual(expected);
  });

  test("reads 1,000 records, and not one more", () => {
    const parse = (count: number) =>
      parseTextAnswer(fromHex(`${answerHeader(count)} ${txt("0002 01 61").repeat(count)}`), "a.test");
    expect(parse(1_000)).toEqual(found(...Array<string>(1_000).fill("a")));
    expect(parse(1_001)).toEqual(failed("the response has too many records"));
  });

  test("follows eight aliases, and not one more", () => {
    const toHex = (text: string) => `01 ${text.charCodeAt(0).toString(16)}`;
    const parse = (count: number) => {
      // Aliases lead from a.test to b, from b to c, and so on.
      const owners = ["c00c", ...[..."bcdefghijkl"].map((name) => `${toHex(name)} 00`)];
      const aliases = owners
        .slice(0, count)
        .map((owner, index) => `${owner} 0005 0001 00000000 0003 ${owners[index + 1]}`);
      const text = `${owners[count]} 0010 0001 00000000 0002 01 78`;
      return parseTextAnswer(fromHex(`${answerHeader(count + 1)} ${aliases.join(" ")} ${text}`), "a.test");
    };
    expect([parse(8), parse(9)]).toEqual([found("x"), failed("the name has too many aliases")]);
  });

  test("reads a name of 255 octets, and none that is longer", () => {
    const parse = (last: string) => {
      // 126 labels of two octets with their lengths, the last one, and the end.
      const owner = `${"01 61 ".repeat(126)}${last} 00`;
      return parseTextAnswer(fromHex(`${answerHeader(1)} ${owner} 0010 0001 00000000 0002 01 78`), "a.test");
    };
    expect([parse("01 61"), parse("02 61 61")]).toEqual([found(), failed("a name is too long")]);
  });

  test("refuses an answer to another question", () => {
    const message = fromHex(`${answerHeader(1)} ${txt("0002 01 61")}`);
    expect(parseTextAnswer(message, "b.test")).toEqual(failed("the response answers a different question"));
    expect(parseTextAnswer(message, "A.test")).toEqual(found("a"));
  });

  test("never throws, whatever bytes arrive, and ends for every one of them", () => {
    const message = fromHex(
      `${answerHeader(2)} 01 62 c00e 0010 0001 00000000 0002 01 78  c00c 0005 0001 00000000 0004 01 62 c00e`,
    );
    for (let at = 0; at < message.length; at++) {
      for (const value of [0, 1, 0x3f, 0x40, 0xc0, 0xff]) {
        const changed = message.slice();
        changed[at] = value;
        expect(["found", "failed"]).toContain(parseTextAnswer(changed, "a.test").status);
      }
      expect(parseTextAnswer(message.slice(0, at), "a.test").status).toBe("failed");
    }
  });
});
