// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Dutch. */
export const dutch: VisitorTexts = {
  tag: "nl",
  report: "Deze link melden",
  link: {
    404: {
      title: "Link niet gevonden",
      text: "Controleer de URL op typefouten of vraag het aan degene die de link heeft gedeeld.",
    },
    405: { title: "Niet-ondersteund verzoek", text: "Open deze link in een browser." },
    410: { title: "Deze link is niet meer beschikbaar", text: "De link is uitgeschakeld of verlopen." },
    429: {
      title: "Te veel pogingen",
      text: "Vanaf je netwerk zijn veel links opgevraagd die niet bestaan. Wacht even en probeer het opnieuw.",
    },
    451: {
      title: "Deze link is niet beschikbaar voor jou",
      text: "De link is beperkt tot bepaalde locaties of apparaten.",
    },
    banned: {
      title: "Deze link is geblokkeerd",
      text: "De beheerder van deze dienst heeft de link geblokkeerd wegens misbruik.",
    },
    503: {
      title: "Tijdelijk niet beschikbaar",
      text: "Deze link kan nu niet worden geladen. Probeer het zo meteen opnieuw.",
    },
  },
  named: {
    404: { title: "{name} heeft geen link op deze URL" },
    410: { text: "{name} heeft de link uitgeschakeld, of de link is verlopen." },
    451: { text: "{name} heeft de link beperkt tot bepaalde locaties of apparaten." },
  },
  password: {
    title: "Deze link is beveiligd met een wachtwoord",
    wrongTitle: "Onjuist wachtwoord: deze link is beveiligd met een wachtwoord",
    hint: "Heb je het wachtwoord niet? Vraag het dan aan degene die deze link heeft gedeeld.",
    label: "Wachtwoord",
    wrong: "Onjuist wachtwoord. Controleer het en probeer het opnieuw.",
  },
  refusal: {
    403: {
      title: "Dit verzoek kwam van een andere site",
      text: "Open deze link rechtstreeks en voer daar het wachtwoord in.",
    },
    413: { title: "Wachtwoord te lang", text: "Wachtwoorden mogen maximaal 128 tekens hebben." },
    415: { title: "Open deze link in een browser", text: "Daar kun je het wachtwoord invoeren." },
    429: {
      title: "Te veel pogingen",
      text: "Wacht een minuut, controleer het wachtwoord en probeer het opnieuw.",
    },
  },
  held: {
    title: "Open deze link in een browser",
    text: "Deze link kan maar een beperkt aantal keren worden geopend. Om automatische verzoeken niet mee te tellen, is de bestemming alleen in een browser te zien.",
  },
  confirm: {
    title: "Deze link openen?",
    text: "Gebruik de knop om door te gaan. Deze pagina voorkomt dat automatische verzoeken de link openen.",
  },
  openLink: "Link openen",
  page: {
    404: {
      title: "Pagina niet gevonden",
      text: "Controleer de URL op typefouten. Het kan ook zijn dat de pagina niet gepubliceerd is.",
    },
    405: { title: "Niet-ondersteund verzoek", text: "Open deze pagina in een browser." },
    429: {
      title: "Te veel pogingen",
      text: "Vanaf je netwerk zijn veel pagina’s opgevraagd die niet bestaan. Wacht even en probeer het opnieuw.",
    },
    451: {
      title: "Deze pagina is geblokkeerd",
      text: "De beheerder van deze dienst heeft de pagina geblokkeerd wegens misbruik.",
    },
    503: {
      title: "Tijdelijk niet beschikbaar",
      text: "Deze pagina kan nu niet worden geladen. Probeer het zo meteen opnieuw.",
    },
  },
  file: {
    404: {
      title: "Bestand niet gevonden",
      text: "Controleer de URL op typefouten. Het kan ook zijn dat het bestand verwijderd is.",
    },
    405: { title: "Niet-ondersteund verzoek", text: "Open dit bestand in een browser." },
    451: {
      title: "Dit bestand is geblokkeerd",
      text: "De beheerder van deze dienst heeft het bestand geblokkeerd wegens misbruik.",
    },
    503: {
      title: "Tijdelijk niet beschikbaar",
      text: "Dit bestand kan nu niet worden geladen. Probeer het zo meteen opnieuw.",
    },
  },
};
