// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in German. */
export const german: VisitorTexts = {
  tag: "de",
  report: "Diesen Link melden",
  link: {
    404: {
      title: "Link nicht gefunden",
      text: "Prüfe die URL auf Tippfehler oder frage die Person, die sie geteilt hat.",
    },
    405: { title: "Nicht unterstützte Anfrage", text: "Öffne diesen Link stattdessen in einem Browser." },
    410: { title: "Dieser Link ist nicht mehr verfügbar", text: "Er wurde deaktiviert oder ist abgelaufen." },
    429: {
      title: "Zu viele Versuche",
      text: "Aus deinem Netzwerk wurden viele Links aufgerufen, die es nicht gibt. Warte einen Moment und versuche es noch einmal.",
    },
    451: {
      title: "Dieser Link ist für dich nicht verfügbar",
      text: "Er ist auf bestimmte Orte oder Geräte beschränkt.",
    },
    banned: {
      title: "Dieser Link wurde gesperrt",
      text: "Der Administrator dieses Dienstes hat ihn wegen Missbrauchs gesperrt.",
    },
    503: {
      title: "Vorübergehend nicht verfügbar",
      text: "Dieser Link kann gerade nicht geladen werden. Versuche es gleich noch einmal.",
    },
  },
  named: {
    404: { title: "{name} hat unter dieser URL keinen Link" },
    410: { text: "{name} hat ihn deaktiviert, oder er ist abgelaufen." },
    451: { text: "{name} hat ihn auf bestimmte Orte oder Geräte beschränkt." },
  },
  password: {
    title: "Dieser Link ist passwortgeschützt",
    wrongTitle: "Falsches Passwort: Dieser Link ist passwortgeschützt",
    hint: "Wenn du das Passwort nicht hast, frage die Person, die diesen Link geteilt hat.",
    label: "Passwort",
    wrong: "Falsches Passwort. Prüfe es und versuche es noch einmal.",
  },
  refusal: {
    403: {
      title: "Diese Anfrage kam von einer anderen Website",
      text: "Öffne diesen Link direkt und gib dort das Passwort ein.",
    },
    413: { title: "Passwort zu lang", text: "Passwörter können höchstens 128 Zeichen haben." },
    415: { title: "Öffne diesen Link in einem Browser", text: "Dort kannst du das Passwort eingeben." },
    429: {
      title: "Zu viele Versuche",
      text: "Warte eine Minute, prüfe das Passwort und versuche es noch einmal.",
    },
  },
  held: {
    title: "Öffne diesen Link in einem Browser",
    text: "Dieser Link lässt sich nur begrenzt oft öffnen. Damit automatische Anfragen nicht mitzählen, wird das Ziel nur in einem Browser angezeigt.",
  },
  confirm: {
    title: "Diesen Link öffnen?",
    text: "Mit der Schaltfläche geht es weiter. Diese Seite verhindert, dass automatische Anfragen den Link öffnen.",
  },
  openLink: "Link öffnen",
  page: {
    404: {
      title: "Seite nicht gefunden",
      text: "Prüfe die URL auf Tippfehler. Vielleicht ist die Seite auch nicht veröffentlicht.",
    },
    405: { title: "Nicht unterstützte Anfrage", text: "Öffne diese Seite stattdessen in einem Browser." },
    429: {
      title: "Zu viele Versuche",
      text: "Aus deinem Netzwerk wurden viele Seiten aufgerufen, die es nicht gibt. Warte einen Moment und versuche es noch einmal.",
    },
    451: {
      title: "Diese Seite wurde gesperrt",
      text: "Der Administrator dieses Dienstes hat sie wegen Missbrauchs gesperrt.",
    },
    503: {
      title: "Vorübergehend nicht verfügbar",
      text: "Diese Seite kann gerade nicht geladen werden. Versuche es gleich noch einmal.",
    },
  },
  file: {
    404: {
      title: "Datei nicht gefunden",
      text: "Prüfe die URL auf Tippfehler. Vielleicht wurde die Datei auch gelöscht.",
    },
    405: { title: "Nicht unterstützte Anfrage", text: "Öffne diese Datei stattdessen in einem Browser." },
    451: {
      title: "Diese Datei wurde gesperrt",
      text: "Der Administrator dieses Dienstes hat sie wegen Missbrauchs gesperrt.",
    },
    503: {
      title: "Vorübergehend nicht verfügbar",
      text: "Diese Datei kann gerade nicht geladen werden. Versuche es gleich noch einmal.",
    },
  },
};
