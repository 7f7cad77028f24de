// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Polish. */
export const polish: VisitorTexts = {
  tag: "pl",
  report: "Zgłoś ten link",
  link: {
    404: {
      title: "Nie znaleziono linku",
      text: "Sprawdź, czy w adresie URL nie ma literówek, lub zapytaj osobę, która go udostępniła.",
    },
    405: { title: "Nieobsługiwane żądanie", text: "Otwórz ten link w przeglądarce." },
    410: { title: "Ten link nie jest już dostępny", text: "Został wyłączony lub wygasł." },
    429: {
      title: "Zbyt wiele prób",
      text: "Z Twojej sieci wysłano wiele żądań do linków, które nie istnieją. Poczekaj chwilę i spróbuj ponownie.",
    },
    451: {
      title: "Ten link nie jest dla Ciebie dostępny",
      text: "Jest ograniczony do wybranych lokalizacji lub urządzeń.",
    },
    banned: {
      title: "Ten link został zablokowany",
      text: "Administrator tej usługi zablokował go z powodu nadużycia.",
    },
    503: {
      title: "Chwilowo niedostępne",
      text: "Tego linku nie można teraz wczytać. Spróbuj ponownie za chwilę.",
    },
  },
  named: {
    404: { title: "{name} nie ma linku pod tym adresem URL" },
    410: { text: "Został wyłączony przez właściciela ({name}) lub wygasł." },
    451: { text: "Właściciel ({name}) ograniczył go do wybranych lokalizacji lub urządzeń." },
  },
  password: {
    title: "Ten link jest chroniony hasłem",
    wrongTitle: "Nieprawidłowe hasło: ten link jest chroniony hasłem",
    hint: "Jeśli nie masz hasła, poproś o nie osobę, która udostępniła ten link.",
    label: "Hasło",
    wrong: "Nieprawidłowe hasło. Sprawdź je i spróbuj ponownie.",
  },
  refusal: {
    403: {
      title: "To żądanie pochodzi z innej strony",
      text: "Otwórz ten link bezpośrednio i tam wpisz hasło.",
    },
    413: { title: "Hasło jest za długie", text: "Hasło może mieć najwyżej 128 znaków." },
    415: { title: "Otwórz ten link w przeglądarce", text: "Tam możesz wpisać hasło." },
    429: { title: "Zbyt wiele prób", text: "Poczekaj minutę, sprawdź hasło i spróbuj ponownie." },
  },
  held: {
    title: "Otwórz ten link w przeglądarce",
    text: "Ten link można otworzyć tylko ograniczoną liczbę razy. Aby nie liczyć automatycznych żądań, jego cel jest pokazywany tylko w przeglądarce.",
  },
  confirm: {
    title: "Otworzyć ten link?",
    text: "Użyj przycisku, aby przejść dalej. Ta strona zapobiega otwieraniu linku przez automatyczne żądania.",
  },
  openLink: "Otwórz link",
  page: {
    404: {
      title: "Nie znaleziono strony",
      text: "Sprawdź, czy w adresie URL nie ma literówek. Możliwe też, że strona nie jest opublikowana.",
    },
    405: { title: "Nieobsługiwane żądanie", text: "Otwórz tę stronę w przeglądarce." },
    429: {
      title: "Zbyt wiele prób",
      text: "Z Twojej sieci wysłano wiele żądań do stron, które nie istnieją. Poczekaj chwilę i spróbuj ponownie.",
    },
    451: {
      title: "Ta strona została zablokowana",
      text: "Administrator tej usługi zablokował ją z powodu nadużycia.",
    },
    503: {
      title: "Chwilowo niedostępne",
      text: "Tej strony nie można teraz wczytać. Spróbuj ponownie za chwilę.",
    },
  },
  file: {
    404: {
      title: "Nie znaleziono pliku",
      text: "Sprawdź, czy w adresie URL nie ma literówek. Możliwe też, że plik został usunięty.",
    },
    405: { title: "Nieobsługiwane żądanie", text: "Otwórz ten plik w przeglądarce." },
    451: {
      title: "Ten plik został zablokowany",
      text: "Administrator tej usługi zablokował go z powodu nadużycia.",
    },
    503: {
      title: "Chwilowo niedostępne",
      text: "Tego pliku nie można teraz wczytać. Spróbuj ponownie za chwilę.",
    },
  },
};
