// Pure: no I/O, clock or randomness.

/** Completes URLs of links and social profiles that users type. */

/** Adds a missing scheme: `mailto:` to email addresses, `tel:` to phone numbers, `https:` to the rest. */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  if (/^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+$/.test(text)) return `mailto:${text}`;
  if (/^\+[0-9][0-9 ()-]{4,}$/.test(text)) return `tel:${text.replace(/[ ()-]/g, "")}`;
  return /^[^\s/:?#@]+\.[^\s/:?#@]+(?:[/?#:]|$)/.test(text) ? `https://${text}` : text;
}

/** Profile URLs by network. Users often only type the name. */
const PROFILES: Readonly<Record<string, string>> = {
  bandcamp: "https://NAME.bandcamp.com",
  behance: "https://www.behance.net/NAME",
  bluesky: "https://bsky.app/profile/NAME",
  codeberg: "https://codeberg.org/NAME",
  dribbble: "https://dribbble.com/NAME",
  facebook: "https://www.facebook.com/NAME",
  github: "https://github.com/NAME",
  gitlab: "https://gitlab.com/NAME",
  instagram: "https://www.instagram.com/NAME",
  kofi: "https://ko-fi.com/NAME",
  letterboxd: "https://letterboxd.com/NAME",
  linkedin: "https://www.linkedin.com/in/NAME",
  medium: "https://medium.com/@NAME",
  patreon: "https://www.patreon.com/NAME",
  pinterest: "https://www.pinterest.com/NAME",
  reddit: "https://www.reddit.com/user/NAME",
  snapchat: "https://www.snapchat.com/add/NAME",
  soundcloud: "https://soundcloud.com/NAME",
  substack: "https://NAME.substack.com",
  telegram: "https://t.me/NAME",
  threads: "https://www.threads.com/@NAME",
  tiktok: "https://www.tiktok.com/@NAME",
  twitch: "https://www.twitch.tv/NAME",
  x: "https://x.com/NAME",
  youtube: "https://www.youtube.com/@NAME",
};

/** Returns the URL of a profile: the network's URL with the typed name, or the typed URL, completed. */
export function completeProfile(network: string, typed: string): string {
  const text = typed.trim();
  const profile = Object.hasOwn(PROFILES, network) ? PROFILES[network] : undefined;
  const [, name] = /^@?([\w-]+|[\w-]+(?:\.[\w-]+)+)$/.exec(text) ?? [];
  // A name with dots looks like a host. It only counts as a name after "@", or on Bluesky, where names are
  // hosts.
  const isName = name !== undefined && (text.startsWith("@") || !name.includes(".") || network === "bluesky");
  return profile !== undefined && isName ? profile.replace("NAME", name) : completeAddress(text);
}

/** Returns the placeholder of the profile field of a network. */
export function describeProfile(network: string): string {
  return Object.hasOwn(PROFILES, network) ? "Username or full URL" : "https://…";
}
