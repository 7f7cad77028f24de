// Pure: no I/O, clock or randomness.

/** Program that fetches a page to show a preview where its URL is posted. */
interface PreviewFetcher {
  name: string;
  /** Part of the program's `User-Agent` header, as a case-insensitive regular expression. */
  pattern: string;
  /** Public source of the pattern. */
  source: string;
}

/** Public list of crawlers, used for fetchers without a documented header. */
const CRAWLER_LIST = "https://github.com/monperrus/crawler-user-agents";

/**
 * Known fetchers of link previews. Search engine crawlers such as Googlebot, Applebot and BingPreview aren't
 * included. Apple's Messages sends the names of Facebook's and X's fetchers. Signal sends the name of
 * WhatsApp's fetcher.
 */
export const PREVIEW_FETCHERS: readonly PreviewFetcher[] = [
  {
    name: "Facebook, Instagram, Messenger",
    pattern: "facebookexternalhit",
    source: "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
  },
  {
    name: "WhatsApp",
    pattern: "^whatsapp\\/",
    source: "https://developers.facebook.com/documentation/business-messaging/whatsapp/link-previews/",
  },
  {
    name: "X",
    pattern: "twitterbot",
    source: "https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started",
  },
  { name: "Slack", pattern: "slackbot-linkexpanding|slack-imgproxy", source: "https://api.slack.com/robots" },
  {
    name: "Google Messages",
    pattern: "googlemessages",
    source: "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers",
  },
  { name: "Snapchat", pattern: "snap url preview", source: "https://developers.snap.com/robots" },
  { name: "Iframely", pattern: "iframely", source: "https://iframely.com/docs/about" },
  { name: "Embedly", pattern: "embedly", source: "https://support.embed.ly/" },
  { name: "VK", pattern: "vkshare", source: "https://vk.com/dev/Share" },
  { name: "Discord", pattern: "discordbot", source: CRAWLER_LIST },
  { name: "Telegram", pattern: "telegrambot", source: CRAWLER_LIST },
  { name: "LinkedIn", pattern: "linkedinbot", source: CRAWLER_LIST },
  { name: "Skype, Microsoft Teams", pattern: "skypeuripreview", source: CRAWLER_LIST },
  { name: "Reddit", pattern: "redditbot", source: CRAWLER_LIST },
  { name: "LINE", pattern: "line-poker", source: CRAWLER_LIST },
  { name: "KakaoTalk", pattern: "kakaotalk-scrap", source: CRAWLER_LIST },
  { name: "Bluesky", pattern: "cardyb", source: CRAWLER_LIST },
  { name: "Mastodon", pattern: "mastodon\\/", source: "https://github.com/mastodon/mastodon" },
  { name: "Pleroma", pattern: "pleroma", source: "https://git.pleroma.social/pleroma/pleroma" },
  { name: "Misskey", pattern: "misskey|summalybot", source: "https://github.com/misskey-dev/summaly" },
  { name: "Matrix", pattern: "synapse \\(bot;", source: "https://github.com/element-hq/synapse" },
  { name: "Mattermost", pattern: "mattermost-bot", source: "https://github.com/mattermost/mattermost" },
  { name: "Discourse", pattern: "discourse forum onebox", source: "https://github.com/discourse/discourse" },
];

/** Matches all {@link PREVIEW_FETCHERS}. */
export const PREVIEW_PATTERN = new RegExp(PREVIEW_FETCHERS.map(({ pattern }) => pattern).join("|"), "i");
