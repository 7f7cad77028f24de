// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in English. */
export const english: VisitorTexts = {
  tag: "en",
  report: "Report this link",
  link: {
    404: { title: "Link not found", text: "Check the URL for typos, or ask the person who shared it." },
    405: { title: "Unsupported request", text: "Open this link in a browser instead." },
    410: { title: "This link is no longer available", text: "It has been disabled or has expired." },
    429: {
      title: "Too many attempts",
      text: "Your network has requested many links that don't exist. Wait a moment and try again.",
    },
    451: { title: "This link isn't available to you", text: "It's restricted by location or device." },
    banned: {
      title: "This link has been blocked",
      text: "The administrator of this service has stopped it because of abuse.",
    },
    503: {
      title: "Temporarily unavailable",
      text: "This link can't be loaded right now. Try again in a moment.",
    },
  },
  named: {
    404: { title: "{name} has no link at this URL" },
    410: { text: "{name} has disabled it, or it has expired." },
    451: { text: "{name} has restricted it by location or device." },
  },
  password: {
    title: "This link is password protected",
    wrongTitle: "Incorrect password: This link is password protected",
    hint: "If you don't have the password, ask the person who shared this link.",
    label: "Password",
    wrong: "Incorrect password. Check it and try again.",
  },
  refusal: {
    403: {
      title: "This request came from another site",
      text: "Open this link directly and enter the password there.",
    },
    413: { title: "Password too long", text: "Passwords can have at most 128 characters." },
    415: { title: "Open this link in a browser", text: "You can enter the password there." },
    429: { title: "Too many attempts", text: "Wait a minute, check the password and try again." },
  },
  held: {
    title: "Open this link in a browser",
    text: "This link can only be opened a limited number of times. To avoid counting automated requests, its destination is only shown in a browser.",
  },
  confirm: {
    title: "Open this link?",
    text: "Select the button to continue. This page keeps automated requests from opening the link.",
  },
  openLink: "Open link",
  page: {
    404: { title: "Page not found", text: "Check the URL for typos. The page may also be unpublished." },
    405: { title: "Unsupported request", text: "Open this page in a browser instead." },
    429: {
      title: "Too many attempts",
      text: "Your network has requested many pages that don't exist. Wait a moment and try again.",
    },
    451: {
      title: "This page has been blocked",
      text: "The administrator of this service has stopped it because of abuse.",
    },
    503: {
      title: "Temporarily unavailable",
      text: "This page can't be loaded right now. Try again in a moment.",
    },
  },
  file: {
    404: { title: "File not found", text: "Check the URL for typos. The file may also have been deleted." },
    405: { title: "Unsupported request", text: "Open this file in a browser instead." },
    451: {
      title: "This file has been blocked",
      text: "The administrator of this service has stopped it because of abuse.",
    },
    503: {
      title: "Temporarily unavailable",
      text: "This file can't be loaded right now. Try again in a moment.",
    },
  },
};
