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
 * Known fetchers of link previews. Their names are parts of headers that browsers don't send: browsers inside
 * the same apps have names such as `Pinterest/iOS` and `MetaIAB Facebook`. Apple's Messages sends the names of
 * Facebook's and X's fetchers. Signal sends the name of WhatsApp's fetcher.
 */
export const PREVIEW_FETCHERS: readonly PreviewFetcher[] = [
  {
    name: "Facebook, Instagram, Messenger",
    pattern: "facebookexternalhit|meta-externalhit\\/|facebot",
    source: "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
  },
  {
    name: "WhatsApp",
    pattern: "^whatsapp(?:\\/|$)",
    source: "https://developers.facebook.com/documentation/business-messaging/whatsapp/link-previews/",
  },
  {
    name: "X",
    pattern: "twitterbot",
    source: "https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started",
  },
  { name: "Slack", pattern: "slackbot-linkexpanding|slack-imgproxy", source: "https://api.slack.com/robots" },
  {
    name: "Microsoft Teams, Outlook",
    pattern: "microsoftpreview\\/",
    source: "https://aka.ms/MicrosoftPreview",
  },
  {
    name: "Google Messages",
    pattern: "googlemessages",
    source: "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers",
  },
  {
    name: "Snapchat",
    pattern: "snap url preview|snapurlpreview",
    source: "https://developers.snap.com/robots",
  },
  { name: "Pinterest", pattern: "pinterest\\.com\\/bot", source: "https://www.pinterest.com/bot.html" },
  { name: "Iframely", pattern: "iframely", source: "https://iframely.com/docs/about" },
  { name: "Embedly", pattern: "embedly", source: "https://support.embed.ly/" },
  { name: "VK", pattern: "vkshare|vkrobot", source: "https://vk.com/dev/Share" },
  { name: "Flipboard", pattern: "flipboardproxy", source: "https://about.flipboard.com/browserproxy/" },
  { name: "Discord", pattern: "discordbot", source: CRAWLER_LIST },
  { name: "Telegram", pattern: "telegrambot", source: CRAWLER_LIST },
  { name: "LinkedIn", pattern: "linkedinbot", source: CRAWLER_LIST },
  { name: "Skype", pattern: "skypeuripreview", source: CRAWLER_LIST },
  { name: "Reddit", pattern: "redditbot", source: CRAWLER_LIST },
  { name: "LINE", pattern: "line-poker", source: CRAWLER_LIST },
  { name: "KakaoTalk", pattern: "kakaotalk-scrap", source: CRAWLER_LIST },
  { name: "Viber", pattern: "^viber(?:\\/|$)", source: CRAWLER_LIST },
  { name: "Steam", pattern: "steamchaturllookup", source: CRAWLER_LIST },
  { name: "Notion", pattern: "^notion\\/", source: CRAWLER_LIST },
  { name: "Tumblr", pattern: "^tumblr\\/", source: CRAWLER_LIST },
  { name: "Bluesky", pattern: "cardyb|^bluesky\\/|blueskypreviewbot", source: CRAWLER_LIST },
  { name: "Odnoklassniki", pattern: "odklbot\\/", source: CRAWLER_LIST },
  { name: "Xing", pattern: "xing bot", source: CRAWLER_LIST },
  { name: "GroupMe", pattern: "groupmebot", source: CRAWLER_LIST },
  { name: "Keybase", pattern: "keybasebot", source: CRAWLER_LIST },
  { name: "DingTalk", pattern: "dingtalkbot-linkservice", source: CRAWLER_LIST },
  { name: "Gadu-Gadu", pattern: "gg peekbot", source: CRAWLER_LIST },
  { name: "Hatena Bookmark", pattern: "hatenabookmark\\/", source: CRAWLER_LIST },
  { name: "Evernote", pattern: "evernoterichlinkbot", source: CRAWLER_LIST },
  { name: "Medium", pattern: "mediumbot-metatagfetcher", source: CRAWLER_LIST },
  { name: "Quora", pattern: "quora-bot\\/", source: CRAWLER_LIST },
  { name: "Goodreads", pattern: "compatible; goodreads", source: CRAWLER_LIST },
  { name: "Coda", pattern: "codabot\\/", source: CRAWLER_LIST },
  { name: "ListGem", pattern: "listgembot\\/", source: CRAWLER_LIST },
  { name: "Loomly", pattern: "loomlybot", source: CRAWLER_LIST },
  { name: "EveryoneSocial", pattern: "everyonesocialbot", source: CRAWLER_LIST },
  { name: "OpenGraph.io", pattern: "opengraph\\.io\\/", source: CRAWLER_LIST },
  {
    name: "Arena, Buffer, Chatwork, ClickUp, Orlo, Yahoo",
    pattern: "link ?preview|linkunfurl|unfurlbot",
    source: CRAWLER_LIST,
  },
  { name: "Mastodon", pattern: "mastodon\\/", source: "https://github.com/mastodon/mastodon" },
  { name: "Lemmy", pattern: "^lemmy\\/", source: "https://github.com/LemmyNet/lemmy" },
  { name: "Friendica", pattern: "^friendica ", source: "https://github.com/friendica/friendica" },
  { name: "Pleroma", pattern: "pleroma", source: "https://git.pleroma.social/pleroma/pleroma" },
  { name: "Misskey", pattern: "misskey|summalybot", source: "https://github.com/misskey-dev/summaly" },
  { name: "Matrix", pattern: "synapse \\(bot;", source: "https://github.com/element-hq/synapse" },
  { name: "Mattermost", pattern: "mattermost-bot", source: "https://github.com/mattermost/mattermost" },
  { name: "Discourse", pattern: "discourse forum onebox", source: "https://github.com/discourse/discourse" },
];

/**
 * Programs that are often listed as preview fetchers but get no preview, by reason. The names are parts of
 * their headers.
 */
export const OTHER_FETCHERS: readonly { reason: string; names: readonly string[] }[] = [
  {
    reason: "A browser inside an app, used by a person",
    names: ["MetaIAB Facebook"],
  },
  {
    reason: "Crawls pages for a search engine or a feed",
    names: [
      ...["BingPreview", "Google Web Preview", "Linespider", "TikTokSpider", "meta-webindexer"],
      ...["Hatena Antenna", "Hatena::Fetcher", "Hatena::Russia", "Hatena::Scissors", "(dbot)"],
    ],
  },
  {
    reason: "Fetches pages for an AI model",
    names: ["meta-externalagent", "meta-externalfetcher"],
  },
  {
    reason: "Fetches images or files, not pages",
    names: [
      ...["GoogleImageProxy", "github-camo", "YahooMailProxy", "FastmailUA", "Shortwave Image Fetcher"],
      ...["TwilioProxy", "AASA-Bot", "Hatena-Favicon"],
    ],
  },
  {
    reason: "Shows nothing where a URL is posted",
    names: ["Slackbot 1.0", "bluesky-domain-status-classifier"],
  },
  {
    reason: "Purpose not documented",
    names: ["Dazzle BlueSky Bot", "Supabase Paired Crawler", "NING"],
  },
  {
    reason: "Discontinued",
    names: ["TweetmemeBot", "AddThis", "NewShareCounts", "Jetslide"],
  },
];

/** Matches all {@link PREVIEW_FETCHERS}. */
export const PREVIEW_PATTERN = new RegExp(PREVIEW_FETCHERS.map(({ pattern }) => pattern).join("|"), "i");
