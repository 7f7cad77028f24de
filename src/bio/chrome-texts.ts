// Pure: no I/O, clock or randomness.

/** Texts that Signpost adds to a bio page. The accessible names of its lists aren't visible. */
export interface ChromeTexts {
  /** BCP 47 tag of the language. */
  tag: string;
  madeWith: string;
  socials: string;
  links: string;
}

const TEXTS: readonly (readonly [tag: string, madeWith: string, socials: string, links: string])[] = [
  ["en", "Made with Signpost", "Social media", "Links"],
  ["de", "Erstellt mit Signpost", "Soziale Medien", "Links"],
  ["fr", "Créé avec Signpost", "Réseaux sociaux", "Liens"],
  ["es", "Creado con Signpost", "Redes sociales", "Enlaces"],
  ["pt", "Feito com Signpost", "Redes sociais", "Links"],
  ["it", "Creato con Signpost", "Social media", "Link"],
  ["nl", "Gemaakt met Signpost", "Sociale media", "Links"],
  ["pl", "Utworzono w Signpost", "Media społecznościowe", "Linki"],
  ["tr", "Signpost ile hazırlandı", "Sosyal medya", "Bağlantılar"],
  ["ar", "أُنشئت باستخدام Signpost", "وسائل التواصل الاجتماعي", "الروابط"],
  ["hi", "Signpost से बनाया गया", "सोशल मीडिया", "लिंक"],
  ["ja", "Signpost で作成", "ソーシャルメディア", "リンク"],
  ["zh", "使用 Signpost 制作", "社交媒体", "链接"],
];

const BY_TAG = new Map(
  TEXTS.map(([tag, madeWith, socials, links]) => [tag, { tag, madeWith, socials, links }]),
);
const ENGLISH = BY_TAG.get("en") as ChromeTexts;

/** Returns the texts in a page's language, otherwise in English. */
export function getChromeTexts(language: string): ChromeTexts {
  return BY_TAG.get(language.toLowerCase().split("-", 1)[0] ?? "") ?? ENGLISH;
}
