import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { OTHER_FETCHERS, PREVIEW_FETCHERS } from "../../src/routing/preview-fetchers.ts";
import { findOs, parseUserAgent } from "../../src/routing/user-agent.ts";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) ${WEBKIT}`;
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64";
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${BLINK}`;
const WEBVIEW = `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A.240405.002; wv) ${BLINK} Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36`;
const GALAXY = `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${BLINK}`;

test.each([
  ["Safari on an iPhone", `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, "mobile ios safari"],
  ["Chrome on an iPhone", `${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, "mobile ios chrome"],
  ["Firefox on an iPhone", `${IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`, "mobile ios firefox"],
  [
    "Edge on an iPhone",
    `${IPHONE} EdgiOS/125.0.2535.72 Version/17.0 Mobile/15E148 Safari/604.1`,
    "mobile ios edge",
  ],
  ["Opera on an iPhone", `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.7.0`, "mobile ios opera"],
  ["Safari on an iPad", `${IPAD} Version/12.1.2 Mobile/15E148 Safari/604.1`, "tablet ios safari"],
  ["Chrome on an Android phone", `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36`, "mobile android chrome"],
  ["Chrome on an Android tablet", `${ANDROID} Chrome/126.0.0.0 Safari/537.36`, "tablet android chrome"],
  [
    "Samsung Internet",
    `${GALAXY} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    "mobile android samsung",
  ],
  [
    "Edge on Android",
    `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36 EdgA/125.0.2535.51`,
    "mobile android edge",
  ],
  [
    "Opera on Android",
    `${ANDROID} Chrome/124.0.0.0 Mobile Safari/537.36 OPR/82.0.0.0`,
    "mobile android opera",
  ],
  [
    "Firefox on an Android phone",
    "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0",
    "mobile android firefox",
  ],
  [
    "Firefox on an Android tablet",
    "Mozilla/5.0 (Android 14; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0",
    "tablet android firefox",
  ],
  ["Chrome on Windows", `${WINDOWS}) ${BLINK} Chrome/126.0.0.0 Safari/537.36`, "desktop windows chrome"],
  [
    "Edge on Windows",
    `${WINDOWS}) ${BLINK} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    "desktop windows edge",
  ],
  [
    "Opera on Windows",
    `${WINDOWS}) ${BLINK} Chrome/125.0.0.0 Safari/537.36 OPR/111.0.0.0`,
    "desktop windows opera",
  ],
  ["Firefox on Windows", `${WINDOWS}; rv:127.0) Gecko/20100101 Firefox/127.0`, "desktop windows firefox"],
  ["Safari on a Mac", `${MAC} ${WEBKIT} Version/17.5 Safari/605.1.15`, "desktop macos safari"],
  ["Chrome on a Mac", `${MAC} ${BLINK} Chrome/126.0.0.0 Safari/537.36`, "desktop macos chrome"],
  [
    "Chrome on Linux",
    `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/126.0.0.0 Safari/537.36`,
    "desktop linux chrome",
  ],
  [
    "Firefox on Ubuntu",
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
    "desktop linux firefox",
  ],
  [
    "Chrome on a Chromebook",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/126.0.0.0 Safari/537.36`,
    "desktop chromeos chrome",
  ],
  [
    "an Android app's web view",
    `${GALAXY} Version/4.0 Chrome/126.0.6478.50 Mobile Safari/537.36`,
    "mobile android chrome",
  ],
  [
    "a browser without a name in routing rules",
    `${IPHONE} GSA/320.0.642740104 Mobile/15E148 Safari/604.1`,
    "mobile ios null",
  ],
])("parseUserAgent recognises %s, which is not a bot", (_, header, expected) => {
  const { device, os, browser, isBot } = parseUserAgent(header);
  expect(`${device} ${os} ${browser}`).toBe(expected);
  expect(isBot).toBe(false);
});

describe("parseUserAgent does not mark an HTTP client as a bot:", () => {
  test.each([
    "curl/8.7.1",
    "Wget/1.24.5",
    "HTTPie/3.2.2",
    "aria2/1.37.0",
    "python-requests/2.32.3",
    "Python-urllib/3.12",
    "python-httpx/0.27.0",
    "Python/3.12 aiohttp/3.9.5",
    "node",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "undici",
    "axios/1.7.2",
    "got (https://github.com/sindresorhus/got)",
    "Deno/1.44.0",
    "Bun/1.1.12",
    "Go-http-client/2.0",
    "okhttp/4.12.0",
    "Java/17.0.11",
    "Apache-HttpClient/4.5.14 (Java/17.0.11)",
    "Jakarta Commons-HttpClient/3.1",
    "ReactorNetty/1.1.19",
    "unirest-java/3.1.00",
    "Dart/3.4 (dart:io)",
    "GuzzleHttp/7",
    "Ruby",
    "http.rb/5.2.0",
    "HTTParty",
    "Typhoeus - https://github.com/typhoeus/typhoeus",
    "Faraday v2.9.2",
    "libwww-perl/6.77",
    "HTTP-Tiny/0.088",
    "reqwest/0.12.4",
    "cpp-httplib/0.15.3",
    "MyApp/3.2 CFNetwork/1496.0.7 Darwin/23.5.0",
    "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP2A.240605.024)",
    "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506",
    "PostmanRuntime/7.39.0",
    "insomnia/9.2.0",
    "Thunder Client (https://www.thunderclient.com)",
    "k6/0.51.0 (https://k6.io/)",
  ])("%s", (header) => {
    expect(parseUserAgent(header).isBot).toBe(false);
  });
});

describe("parseUserAgent marks a crawler or preview fetcher as a bot:", () => {
  test.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${BLINK} Chrome/125.0.6422.175 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    `${MAC} AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slackbot 1.0 (+https://api.slack.com/robots)",
    "WhatsApp/2.23.20.0 A",
    "Twitterbot/1.0",
    "TelegramBot (like TwitterBot)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} HeadlessChrome/126.0.0.0 Safari/537.36`,
    "Scrapy/2.11.2 (+https://scrapy.org)",
    "curl/7.54 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "python-scrapybot",
    "Java/1.8 crawler4j",
    "php spider",
    "Go-http-client/1.1 (compatible; Checker)",
  ])("%s", (header) => {
    expect(parseUserAgent(header).isBot).toBe(true);
  });
});

test.each([null, ""])("parseUserAgent returns no facts for %j, which is not a bot", (header) => {
  expect(parseUserAgent(header)).toEqual({
    device: null,
    os: null,
    browser: null,
    isBot: false,
    isPreview: false,
    signs: { isBrowser: false, sendsFetchHeaders: false, isScanner: false },
  });
});

test.each([
  "x",
  "a".repeat(20_000),
  "(((((",
  "\\",
  "Mozilla/5.0 (",
  "constructor/1.0 x",
  "__proto__/1.0 x",
  "🙂",
])("parseUserAgent returns no facts for a malformed header: case %#", (header) => {
  expect(parseUserAgent(header)).toMatchObject({ device: null, os: null, browser: null });
});

test.each([
  ["iOS", "ios"],
  ["Android", "android"],
  ["Windows", "windows"],
  ["macOS", "macos"],
  ["Linux", "linux"],
  ["Chrome OS", "chromeos"],
  ["Chromium OS", "chromeos"],
  ["Fuchsia", null],
  ["Unknown", null],
  ["", null],
  ["constructor", null],
  ["__proto__", null],
])("findOs maps the client hint %j to %s", (name, os) => {
  expect(findOs(name)).toBe(os);
});

test("the first 1,000 characters of a user agent are read", () => {
  const safari = `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`;
  const padding = "x".repeat(120_000);
  expect(parseUserAgent(`${safari} ${padding}`)).toEqual(parseUserAgent(safari));
  expect(parseUserAgent(`${padding} ${safari}`)).toEqual(parseUserAgent("x".repeat(1_000)));
});

/** Reads the package's file, because its types lack the tags. */
function listCrawlers(): { tags?: string[]; instances: string[] }[] {
  return JSON.parse(readFileSync("node_modules/crawler-user-agents/crawler-user-agents.json", "utf8"));
}

/** User agents that the public list tags as fetchers of previews. */
const LISTED_FETCHERS = listCrawlers()
  .filter(({ tags }) => tags?.includes("social-preview"))
  .flatMap(({ instances }) => instances);
const OTHER_NAMES = OTHER_FETCHERS.flatMap(({ names }) => names);

test("every listed preview fetcher gets previews, or is left out for a reason", () => {
  expect(LISTED_FETCHERS.length).toBeGreaterThan(120);
  const isLeftOut = (header: string) => OTHER_NAMES.some((name) => header.includes(name));
  for (const header of LISTED_FETCHERS)
    expect(parseUserAgent(header).isPreview, header).toBe(!isLeftOut(header));
  for (const name of OTHER_NAMES)
    expect(
      LISTED_FETCHERS.some((header) => header.includes(name)),
      name,
    ).toBe(true);
});

test.each([
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "http.rb/5.1.1 (Mastodon/4.2.0; +https://mastodon.example/) Bot",
  "GoogleMessages",
  "Snapchat/10; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
  "facebookexternalhit/1.1;kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
  "facebookexternalhit/1.1;line-poker/1.0",
  "Bluesky Cardyb/1.1; +mailto:support@bsky.app",
])("%s fetches link previews", (header) => {
  expect(parseUserAgent(header).isPreview).toBe(true);
});

test.each([
  ["Facebook", `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/455.0.0.37.103;FBDV/iPhone15,2;FBOP/5]`],
  ["Messenger", `${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/448.0.0.40.109;FBLC/de_DE]`],
  ["Facebook on Android", `${WEBVIEW} [FB_IAB/FB4A;FBAV/417.0.0.33.65;IABMV/1;]`],
  ["Meta's apps on Android", `${WEBVIEW} MetaIAB Facebook`],
  ["Instagram", `${IPHONE} Mobile/15E148 Instagram 330.0.3.29.109 (iPhone14,5; iOS 17_5; de_DE; scale=3.00)`],
  [
    "Threads",
    `${WEBVIEW} Barcelona 289.0.0.77.109 Android (34/14; 420dpi; 1080x2340; Google/google; Pixel 8)`,
  ],
  ["WhatsApp", `${WEBVIEW} WhatsApp/2.24.13.77`],
  ["X", `${IPHONE} Mobile/15E148 Twitter for iPhone/10.44`],
  ["Snapchat", `${IPHONE} Mobile/15E148 Snapchat/12.50.0.30 (like Safari/8615.3.12.11.2, panda)`],
  ["Pinterest on an iPhone", `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ["Pinterest on Android", `${WEBVIEW} [Pinterest/Android]`],
  ["LinkedIn", `${IPHONE} Mobile/15E148 LinkedInApp/9.29`],
  ["TikTok", `${WEBVIEW} musical_ly_2023405040 JsSdk/1.0 NetType/WIFI BytedanceWebview/d8a21c6`],
  ["LINE", `${IPHONE} Safari Line/14.8.0`],
  ["KakaoTalk", `${WEBVIEW} KAKAOTALK 10.8.3 (INAPP)`],
  ["WeChat", `${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/zh_CN`],
  ["Viber", `${WEBVIEW} Viber/22.5.0.2`],
  ["Telegram", `${WEBVIEW} Telegram-Android/11.0.1 (Google Pixel 8; Android 14; SDK 34; HIGH)`],
  ["DingTalk", `${IPHONE} Mobile/15E148 AliApp(DingTalk/7.5.20) com.laiwang.DingTalk/36783417`],
  ["VK", `${WEBVIEW} VKAndroidApp/8.85-21034 (Android 14; SDK 34; arm64-v8a; Google Pixel 8; ru)`],
  ["Reddit", `${IPHONE} Mobile/15E148 Reddit/Version 2024.25.0/Build 615000/iOS Version 17.5 (Build 21F79)`],
  ["Flipboard", `${WEBVIEW} Flipboard/4.3.27/5535,4.3.27.5535`],
  ["Tumblr", `${IPHONE} Mobile/15E148 Tumblr/iPhone/34.9/349011/17.5`],
  ["Quora", `${WEBVIEW} QuoraAndroid/3.2.15 [Quora 3.2.15 rv:3215]`],
  [
    "Steam",
    `${WINDOWS}; Valve Steam Client/default/1718904662) ${BLINK} Chrome/109.0.5414.120 Safari/537.36`,
  ],
  ["Notion", `${WINDOWS}) ${BLINK} Notion/3.9.0 Chrome/124.0.6367.243 Electron/30.1.0 Safari/537.36`],
  ["Slack", `${MAC} ${BLINK} Chrome/126.0.6478.61 Electron/31.0.1 Safari/537.36 Slack_SSB/4.39.89`],
  ["Discord", `${WINDOWS}) ${BLINK} discord/1.0.9151 Chrome/120.0.6099.291 Electron/28.2.10 Safari/537.36`],
  ["Teams", `${WINDOWS}) ${BLINK} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0 Teams/24152.412.2958.916`],
])("the browser inside the app %s is a person's", (_, header) => {
  expect(parseUserAgent(header)).toMatchObject({ isPreview: false, isBot: false });
});

test.each([
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
  "curl/8.5.0",
])("%s fetches no link previews", (header) => {
  expect(parseUserAgent(header).isPreview).toBe(false);
});

test("a header is read up to 1,000 characters", () => {
  const build = (length: number) => "Twitterbot".padStart(length, "a ");
  expect(build(1_000)).toHaveLength(1_000);
  expect([999, 1_000, 1_001].map((length) => parseUserAgent(build(length)).isPreview)).toEqual([
    true,
    true,
    false,
  ]);
});

test("every fetcher of link previews has a public source", () => {
  for (const { name, source } of PREVIEW_FETCHERS) expect(source, name).toMatch(/^https:\/\//);
});
