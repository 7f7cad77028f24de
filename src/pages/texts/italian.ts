// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Italian. */
export const italian: VisitorTexts = {
  tag: "it",
  report: "Segnala questo link",
  link: {
    404: {
      title: "Link non trovato",
      text: "Controlla che l’URL non contenga errori o chiedi alla persona che l’ha condiviso.",
    },
    405: { title: "Richiesta non supportata", text: "Apri invece questo link in un browser." },
    410: { title: "Questo link non è più disponibile", text: "È stato disattivato o è scaduto." },
    429: {
      title: "Troppi tentativi",
      text: "Dalla tua rete sono stati richiesti molti link inesistenti. Attendi un momento e riprova.",
    },
    451: {
      title: "Questo link non è disponibile per te",
      text: "È limitato a determinati luoghi o dispositivi.",
    },
    banned: {
      title: "Questo link è stato bloccato",
      text: "L’amministratore di questo servizio lo ha bloccato per abuso.",
    },
    503: {
      title: "Temporaneamente non disponibile",
      text: "Al momento non è possibile caricare questo link. Riprova tra poco.",
    },
  },
  named: {
    404: { title: "{name} non ha alcun link a questo URL" },
    410: { text: "{name} lo ha disattivato, oppure è scaduto." },
    451: { text: "{name} lo ha limitato a determinati luoghi o dispositivi." },
  },
  password: {
    title: "Questo link è protetto da password",
    wrongTitle: "Password errata: questo link è protetto da password",
    hint: "Se non hai la password, chiedila alla persona che ha condiviso questo link.",
    label: "Password",
    wrong: "Password errata. Controllala e riprova.",
  },
  refusal: {
    403: {
      title: "Questa richiesta proviene da un altro sito",
      text: "Apri direttamente questo link e inserisci lì la password.",
    },
    413: { title: "Password troppo lunga", text: "Le password possono avere al massimo 128 caratteri." },
    415: { title: "Apri questo link in un browser", text: "Lì puoi inserire la password." },
    429: { title: "Troppi tentativi", text: "Attendi un minuto, controlla la password e riprova." },
  },
  held: {
    title: "Apri questo link in un browser",
    text: "Questo link può essere aperto solo un numero limitato di volte. Per non contare le richieste automatiche, la destinazione viene mostrata solo in un browser.",
  },
  confirm: {
    title: "Aprire questo link?",
    text: "Premi il pulsante per continuare. Questa pagina impedisce alle richieste automatiche di aprire il link.",
  },
  openLink: "Apri link",
  page: {
    404: {
      title: "Pagina non trovata",
      text: "Controlla che l’URL non contenga errori. È anche possibile che la pagina non sia pubblicata.",
    },
    405: { title: "Richiesta non supportata", text: "Apri invece questa pagina in un browser." },
    429: {
      title: "Troppi tentativi",
      text: "Dalla tua rete sono state richieste molte pagine inesistenti. Attendi un momento e riprova.",
    },
    451: {
      title: "Questa pagina è stata bloccata",
      text: "L’amministratore di questo servizio l’ha bloccata per abuso.",
    },
    503: {
      title: "Temporaneamente non disponibile",
      text: "Al momento non è possibile caricare questa pagina. Riprova tra poco.",
    },
  },
  file: {
    404: {
      title: "File non trovato",
      text: "Controlla che l’URL non contenga errori. È anche possibile che il file sia stato eliminato.",
    },
    405: { title: "Richiesta non supportata", text: "Apri invece questo file in un browser." },
    451: {
      title: "Questo file è stato bloccato",
      text: "L’amministratore di questo servizio lo ha bloccato per abuso.",
    },
    503: {
      title: "Temporaneamente non disponibile",
      text: "Al momento non è possibile caricare questo file. Riprova tra poco.",
    },
  },
};
