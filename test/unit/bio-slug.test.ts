import { describe, expect, test } from "vitest";
import { appendSuffix, isUsableSlug, SLUG_MAX_LENGTH, SLUG_PATTERN } from "../../src/bio/slug.ts";
import { slugify } from "../../src/bio/title-slug.ts";

describe("slugify", () => {
  test.each([
    ["Jane Doe", "jane-doe"],
    ["  Jane's   Café & Bar! ", "janes-cafe-and-bar"],
    ["O’Brien’s ʻOkina", "obriens-okina"],
    ["Ærøskøbing Straße", "aeroskobing-strasse"],
    ["Łódź", "lodz"],
    ["Đặng Thị", "dang-thi"],
    ["Þórður, œuvre, ħ, ŋ, Əliyev", "thordur-oeuvre-h-ng-eliyev"],
    ["İstanbul ığüşöç", "istanbul-igusoc"],
    ["ＦＵＬＬ ﬁne №５", "full-fine-no5"],
    ["Zoe\u0308", "zoe"],
    ["🎤✨", ""],
    ["Jane 🎤 1️⃣ 👩‍👧", "jane-1"],
    ["---", ""],
    ["a/b?c#d%2e..", "a-b-c-d-2e"],
    ["__proto__", "proto"],
    ["in\u00advisible \u200fmarks\u2069", "invisible-marks"],
  ])("turns '%s' into '%s'", (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  test.each([
    ["Cyrillic (Russian)", "Сергей Жуков", "sergey-zhukov"],
    ["Cyrillic (Russian)", "Щука, Юлия и Ёлка: объём", "shchuka-yuliya-i-yolka-obyom"],
    ["Cyrillic (Ukrainian)", "Київ, Їжак", "kiiv-izhak"],
    ["Cyrillic (Bulgarian)", "България", "balgariya"],
    ["Cyrillic (Serbian)", "Ђорђе Његош", "djordje-njegosh"],
    ["Greek", "Αθήνα Ώρα", "athina-ora"],
    ["Greek", "Ευαγγελία Ουρανός", "evangelia-ouranos"],
    ["Greek", "Μπουζούκι, αυτός και αύριο", "bouzouki-aftos-kai-avrio"],
    ["Arabic", "مقهى القاهرة", "mqha-al-qahra"],
    ["Arabic", "مدينة جميلة", "mdina-jmila"],
    ["Arabic", "نور سوريا", "nur-surya"],
    ["Arabic", "السلام عليكم، عبد الله!", "al-slam-alikm-abd-allah"],
    ["Arabic with digits", "بيروت ٢٠٢٧", "birut-2027"],
    ["Arabic (Persian)", "کافه تهران", "kafh-thran"],
    ["Arabic (Persian), with a zero-width non-joiner", "می\u200cخواهم", "mi-khwahm"],
    ["Hebrew", "שלום עולם", "shlom-olm"],
    ["Hebrew", "תל אביב, תודה", "tl-aviv-toda"],
    ["Hebrew", "בית קפה", "bit-kfa"],
    ["Hebrew with points", "שָׁלוֹם יְרוּשָׁלַיִם", "shalom-yerushalayim"],
    ["Hebrew with points", "שִׂמְחָה", "simehah"],
    ["Devanagari", "नमस्ते दुनिया", "namaste-duniya"],
    ["Devanagari", "हिंदी कविता, मुंबई", "hindi-kavita-mumbai"],
    ["Devanagari", "कृष्ण और मित्र", "krishna-aur-mitra"],
    ["Devanagari", "शिव चाय बाज़ार", "shiv-chay-bazar"],
    ["Devanagari with a zero-width joiner", "क्\u200dष न १२", "ksha-na-12"],
    ["no Chinese characters", "北京欢迎你", ""],
    ["the letters beside Chinese characters", "臺灣 Café", "cafe"],
    ["Japanese", "ひらがな カタカナ", "hiragana-katakana"],
    ["Japanese", "きょうの ラーメン", "kyouno-ramen"],
    ["Japanese", "コーヒーショップ マッチ", "kohishoppu-matchi"],
    ["Japanese", "ファッション ウィーク ジュース", "fasshon-wiku-jusu"],
    ["the kana beside Chinese characters", "東京タワー", "tawa"],
    ["Japanese in half width", "ﾗｰﾒﾝ ﾊﾟﾝ", "ramen-pan"],
    ["Korean", "안녕하세요", "annyeonghaseyo"],
    ["Georgian and Armenian", "თბილისი Հայաստան", "tbilisi-hayastan"],
  ])("romanizes %s: %s → %s", (_, title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  test("returns only characters of a slug, for every character of the Basic Multilingual Plane", () => {
    for (let first = 0; first < 0x10000; first += 16) {
      const points = Array.from({ length: 16 }, (_, index) => first + index);
      const title = points.map((point) => `x${String.fromCharCode(point)}`).join(" ");
      if (!SLUG_PATTERN.test(slugify(title))) expect.unreachable(title);
    }
  });
});

test("slugify and appendSuffix return at most 60 characters, cut between words", () => {
  expect(slugify(`${"word ".repeat(40)}`)).toBe("word-".repeat(12).slice(0, -1));
  expect(slugify("か ".repeat(200))).toBe("ka-".repeat(20).slice(0, -1));
  expect(slugify("x".repeat(200))).toBe("x".repeat(60));
  expect(appendSuffix("x".repeat(60))).toMatch(/^x{53}-[2-9a-z]{6}$/);
  expect(appendSuffix(slugify("word ".repeat(40))).length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
});

test("isUsableSlug rejects empty and reserved slugs, and appendSuffix makes them usable", () => {
  expect(isUsableSlug("jane")).toBe(true);
  expect(isUsableSlug("")).toBe(false);
  expect(isUsableSlug("v1")).toBe(false);
  expect(appendSuffix("")).toMatch(/^[2-9a-z]{6}$/);
  expect(appendSuffix("v1")).toMatch(/^v1-[2-9a-z]{6}$/);
});
