// Pure: no I/O, clock or randomness.
import type { PageTexts } from "../pages/texts/visitor-texts.ts";
import type { ReportDimension } from "./report-view.ts";

/** Texts of the page of a report in one language. */
export interface ReportTexts {
  scans: string;
  average: string;
  /** Title of the day with the most scans. */
  best: string;
  /** Titles of the chart, by its interval. */
  chart: Record<"day" | "week", string>;
  links: string;
  /** Number of links that the ranking leaves out, as `{count}`. */
  more: string;
  breakdowns: Record<ReportDimension, string>;
  values: Record<"mobile" | "tablet" | "desktop" | "direct" | "unknown" | "other", string>;
  /** Title of the table with the numbers of the chart, and of its first column. */
  numbers: string;
  date: string;
  none: string;
  /** Days of the breakdowns, as `{days}`, if they don't cover the whole range. */
  only: string;
  /** Shown instead of breakdowns, if the data is too large, or kept only for whole months. */
  unavailable: string;
  /** Explains scans, and shows the time of the numbers as `{time}`. */
  about: string;
  /** Page for a report that doesn't exist, has expired or was revoked. */
  gone: PageTexts;
}

const english: ReportTexts = {
  scans: "Scans",
  average: "Average per day",
  best: "Best day",
  chart: { day: "Scans per day", week: "Scans per week" },
  links: "Links",
  more: "Further links: {count}",
  breakdowns: {
    country: "Countries",
    referrer: "Referrers",
    device: "Devices",
    browser: "Browsers",
    os: "Operating systems",
    language: "Languages",
  },
  values: {
    mobile: "Phone",
    tablet: "Tablet",
    desktop: "Desktop",
    direct: "Direct (no referrer)",
    unknown: "Unknown",
    other: "Other",
  },
  numbers: "Show the numbers",
  date: "Date",
  none: "No scans",
  only: "These breakdowns cover {days}.",
  unavailable: "Breakdowns aren't available for this period.",
  about: "Scans include clicks on the links and scans of their QR codes. As of {time} UTC.",
  gone: {
    title: "This report isn't available",
    text: "It has expired or is no longer shared, or the URL has a typo. Ask the person who shared it.",
  },
};

const german: ReportTexts = {
  scans: "Scans",
  average: "Durchschnitt pro Tag",
  best: "Bester Tag",
  chart: { day: "Scans pro Tag", week: "Scans pro Woche" },
  links: "Links",
  more: "Weitere Links: {count}",
  breakdowns: {
    country: "Länder",
    referrer: "Verweise",
    device: "Geräte",
    browser: "Browser",
    os: "Betriebssysteme",
    language: "Sprachen",
  },
  values: {
    mobile: "Telefon",
    tablet: "Tablet",
    desktop: "Computer",
    direct: "Direkt (ohne Verweis)",
    unknown: "Unbekannt",
    other: "Andere",
  },
  numbers: "Zahlen anzeigen",
  date: "Datum",
  none: "Keine Scans",
  only: "Diese Aufteilungen gelten für {days}.",
  unavailable: "Für diesen Zeitraum gibt es keine Aufteilungen.",
  about: "Scans umfassen Klicks auf die Links und Scans ihrer QR-Codes. Stand: {time} UTC.",
  gone: {
    title: "Dieser Bericht ist nicht verfügbar",
    text: "Er ist abgelaufen oder wird nicht mehr geteilt, oder die URL enthält einen Tippfehler. Fragen Sie die Person, die ihn geteilt hat.",
  },
};

const french: ReportTexts = {
  scans: "Scans",
  average: "Moyenne par jour",
  best: "Meilleur jour",
  chart: { day: "Scans par jour", week: "Scans par semaine" },
  links: "Liens",
  more: "Autres liens : {count}",
  breakdowns: {
    country: "Pays",
    referrer: "Sites référents",
    device: "Appareils",
    browser: "Navigateurs",
    os: "Systèmes d’exploitation",
    language: "Langues",
  },
  values: {
    mobile: "Téléphone",
    tablet: "Tablette",
    desktop: "Ordinateur",
    direct: "Direct (sans référent)",
    unknown: "Inconnu",
    other: "Autres",
  },
  numbers: "Afficher les chiffres",
  date: "Date",
  none: "Aucun scan",
  only: "Ces répartitions couvrent la période {days}.",
  unavailable: "Aucune répartition n’est disponible pour cette période.",
  about: "Les scans comprennent les clics sur les liens et les scans de leurs QR codes. État : {time} UTC.",
  gone: {
    title: "Ce rapport n’est pas disponible",
    text: "Il a expiré ou n’est plus partagé, ou l’URL contient une erreur. Demandez à la personne qui l’a partagé.",
  },
};

const spanish: ReportTexts = {
  scans: "Escaneos",
  average: "Media diaria",
  best: "Mejor día",
  chart: { day: "Escaneos por día", week: "Escaneos por semana" },
  links: "Enlaces",
  more: "Otros enlaces: {count}",
  breakdowns: {
    country: "Países",
    referrer: "Sitios de origen",
    device: "Dispositivos",
    browser: "Navegadores",
    os: "Sistemas operativos",
    language: "Idiomas",
  },
  values: {
    mobile: "Teléfono",
    tablet: "Tableta",
    desktop: "Ordenador",
    direct: "Directo (sin origen)",
    unknown: "Desconocido",
    other: "Otros",
  },
  numbers: "Mostrar las cifras",
  date: "Fecha",
  none: "Sin escaneos",
  only: "Estos desgloses abarcan {days}.",
  unavailable: "No hay desgloses disponibles para este periodo.",
  about:
    "Los escaneos incluyen los clics en los enlaces y los escaneos de sus códigos QR. Actualizado: {time} UTC.",
  gone: {
    title: "Este informe no está disponible",
    text: "Ha caducado o ya no se comparte, o la URL tiene una errata. Pregunta a la persona que lo compartió.",
  },
};

const portuguese: ReportTexts = {
  scans: "Leituras",
  average: "Média por dia",
  best: "Melhor dia",
  chart: { day: "Leituras por dia", week: "Leituras por semana" },
  links: "Links",
  more: "Outros links: {count}",
  breakdowns: {
    country: "Países",
    referrer: "Sites de origem",
    device: "Dispositivos",
    browser: "Navegadores",
    os: "Sistemas operacionais",
    language: "Idiomas",
  },
  values: {
    mobile: "Telefone",
    tablet: "Tablet",
    desktop: "Computador",
    direct: "Direto (sem origem)",
    unknown: "Desconhecido",
    other: "Outros",
  },
  numbers: "Mostrar os números",
  date: "Data",
  none: "Nenhuma leitura",
  only: "Estes detalhamentos abrangem {days}.",
  unavailable: "Não há detalhamentos disponíveis para este período.",
  about: "As leituras incluem cliques nos links e leituras dos seus QR codes. Atualizado: {time} UTC.",
  gone: {
    title: "Este relatório não está disponível",
    text: "Ele expirou ou não é mais compartilhado, ou a URL tem um erro de digitação. Pergunte à pessoa que o compartilhou.",
  },
};

const italian: ReportTexts = {
  scans: "Scansioni",
  average: "Media al giorno",
  best: "Giorno migliore",
  chart: { day: "Scansioni al giorno", week: "Scansioni a settimana" },
  links: "Link",
  more: "Altri link: {count}",
  breakdowns: {
    country: "Paesi",
    referrer: "Siti di provenienza",
    device: "Dispositivi",
    browser: "Browser",
    os: "Sistemi operativi",
    language: "Lingue",
  },
  values: {
    mobile: "Telefono",
    tablet: "Tablet",
    desktop: "Computer",
    direct: "Diretto (senza provenienza)",
    unknown: "Sconosciuto",
    other: "Altri",
  },
  numbers: "Mostra i numeri",
  date: "Data",
  none: "Nessuna scansione",
  only: "Queste ripartizioni coprono {days}.",
  unavailable: "Per questo periodo non sono disponibili ripartizioni.",
  about:
    "Le scansioni comprendono i clic sui link e le scansioni dei loro codici QR. Aggiornato: {time} UTC.",
  gone: {
    title: "Questo rapporto non è disponibile",
    text: "È scaduto o non è più condiviso, oppure l’URL contiene un errore. Chiedi alla persona che lo ha condiviso.",
  },
};

const dutch: ReportTexts = {
  scans: "Scans",
  average: "Gemiddeld per dag",
  best: "Beste dag",
  chart: { day: "Scans per dag", week: "Scans per week" },
  links: "Links",
  more: "Overige links: {count}",
  breakdowns: {
    country: "Landen",
    referrer: "Verwijzingen",
    device: "Apparaten",
    browser: "Browsers",
    os: "Besturingssystemen",
    language: "Talen",
  },
  values: {
    mobile: "Telefoon",
    tablet: "Tablet",
    desktop: "Computer",
    direct: "Direct (zonder verwijzing)",
    unknown: "Onbekend",
    other: "Overig",
  },
  numbers: "Cijfers tonen",
  date: "Datum",
  none: "Geen scans",
  only: "Deze uitsplitsingen gelden voor {days}.",
  unavailable: "Voor deze periode zijn geen uitsplitsingen beschikbaar.",
  about: "Scans omvatten kliks op de links en scans van hun QR-codes. Stand: {time} UTC.",
  gone: {
    title: "Dit rapport is niet beschikbaar",
    text: "Het is verlopen of wordt niet meer gedeeld, of de URL bevat een typefout. Vraag het aan de persoon die het heeft gedeeld.",
  },
};

const polish: ReportTexts = {
  scans: "Skany",
  average: "Średnio dziennie",
  best: "Najlepszy dzień",
  chart: { day: "Skany dziennie", week: "Skany tygodniowo" },
  links: "Linki",
  more: "Pozostałe linki: {count}",
  breakdowns: {
    country: "Kraje",
    referrer: "Strony odsyłające",
    device: "Urządzenia",
    browser: "Przeglądarki",
    os: "Systemy operacyjne",
    language: "Języki",
  },
  values: {
    mobile: "Telefon",
    tablet: "Tablet",
    desktop: "Komputer",
    direct: "Bezpośrednio (bez odsyłacza)",
    unknown: "Nieznane",
    other: "Inne",
  },
  numbers: "Pokaż liczby",
  date: "Data",
  none: "Brak skanów",
  only: "Te zestawienia obejmują {days}.",
  unavailable: "Dla tego okresu zestawienia nie są dostępne.",
  about: "Skany obejmują kliknięcia linków i skany ich kodów QR. Stan na {time} UTC.",
  gone: {
    title: "Ten raport jest niedostępny",
    text: "Wygasł lub nie jest już udostępniany albo adres URL zawiera literówkę. Zapytaj osobę, która go udostępniła.",
  },
};

const turkish: ReportTexts = {
  scans: "Taramalar",
  average: "Günlük ortalama",
  best: "En iyi gün",
  chart: { day: "Günlük taramalar", week: "Haftalık taramalar" },
  links: "Bağlantılar",
  more: "Diğer bağlantılar: {count}",
  breakdowns: {
    country: "Ülkeler",
    referrer: "Yönlendiren siteler",
    device: "Cihazlar",
    browser: "Tarayıcılar",
    os: "İşletim sistemleri",
    language: "Diller",
  },
  values: {
    mobile: "Telefon",
    tablet: "Tablet",
    desktop: "Bilgisayar",
    direct: "Doğrudan (yönlendiren yok)",
    unknown: "Bilinmiyor",
    other: "Diğer",
  },
  numbers: "Sayıları göster",
  date: "Tarih",
  none: "Tarama yok",
  only: "Bu dökümler şu günleri kapsar: {days}.",
  unavailable: "Bu dönem için döküm yok.",
  about:
    "Taramalar, bağlantılara yapılan tıklamaları ve QR kodlarının taranmasını içerir. Durum: {time} UTC.",
  gone: {
    title: "Bu rapor kullanılamıyor",
    text: "Süresi dolmuş veya artık paylaşılmıyor ya da URL’de yazım hatası var. Paylaşan kişiye sorun.",
  },
};

const arabic: ReportTexts = {
  scans: "عمليات المسح",
  average: "المتوسط اليومي",
  best: "أفضل يوم",
  chart: { day: "عمليات المسح في اليوم", week: "عمليات المسح في الأسبوع" },
  links: "الروابط",
  more: "روابط أخرى: {count}",
  breakdowns: {
    country: "البلدان",
    referrer: "المواقع المُحيلة",
    device: "الأجهزة",
    browser: "المتصفحات",
    os: "أنظمة التشغيل",
    language: "اللغات",
  },
  values: {
    mobile: "هاتف",
    tablet: "جهاز لوحي",
    desktop: "حاسوب",
    direct: "مباشر (دون إحالة)",
    unknown: "غير معروف",
    other: "أخرى",
  },
  numbers: "عرض الأرقام",
  date: "التاريخ",
  none: "لا توجد عمليات مسح",
  only: "تغطي هذه التفاصيل الفترة {days}.",
  unavailable: "لا تتوفر تفاصيل لهذه الفترة.",
  about: "تشمل عمليات المسح النقرات على الروابط ومسح رموز QR الخاصة بها. حتى {time} UTC.",
  gone: {
    title: "هذا التقرير غير متاح",
    text: "انتهت صلاحيته أو لم تعد مشاركته قائمة، أو يوجد خطأ في عنوان URL. اسأل الشخص الذي شاركه.",
  },
};

const hindi: ReportTexts = {
  scans: "स्कैन",
  average: "प्रतिदिन औसत",
  best: "सबसे अच्छा दिन",
  chart: { day: "प्रतिदिन स्कैन", week: "प्रति सप्ताह स्कैन" },
  links: "लिंक",
  more: "अन्य लिंक: {count}",
  breakdowns: {
    country: "देश",
    referrer: "रेफ़रर",
    device: "डिवाइस",
    browser: "ब्राउज़र",
    os: "ऑपरेटिंग सिस्टम",
    language: "भाषाएँ",
  },
  values: {
    mobile: "फ़ोन",
    tablet: "टैबलेट",
    desktop: "कंप्यूटर",
    direct: "सीधे (बिना रेफ़रर)",
    unknown: "अज्ञात",
    other: "अन्य",
  },
  numbers: "संख्याएँ दिखाएँ",
  date: "तारीख",
  none: "कोई स्कैन नहीं",
  only: "ये विवरण {days} के हैं।",
  unavailable: "इस अवधि के लिए विवरण उपलब्ध नहीं हैं।",
  about: "स्कैन में लिंक पर क्लिक और उनके QR कोड के स्कैन शामिल हैं। {time} UTC तक।",
  gone: {
    title: "यह रिपोर्ट उपलब्ध नहीं है",
    text: "इसकी समय सीमा समाप्त हो गई है, इसे अब साझा नहीं किया जाता, या URL में गलती है। साझा करने वाले व्यक्ति से पूछें।",
  },
};

const japanese: ReportTexts = {
  scans: "スキャン数",
  average: "1日の平均",
  best: "最も多い日",
  chart: { day: "1日あたりのスキャン数", week: "1週間あたりのスキャン数" },
  links: "リンク",
  more: "その他のリンク：{count}",
  breakdowns: {
    country: "国",
    referrer: "参照元",
    device: "デバイス",
    browser: "ブラウザ",
    os: "OS",
    language: "言語",
  },
  values: {
    mobile: "スマートフォン",
    tablet: "タブレット",
    desktop: "パソコン",
    direct: "直接（参照元なし）",
    unknown: "不明",
    other: "その他",
  },
  numbers: "数値を表示",
  date: "日付",
  none: "スキャンはありません",
  only: "これらの内訳の対象期間：{days}",
  unavailable: "この期間の内訳は表示できません。",
  about: "スキャンには、リンクのクリックとQRコードの読み取りが含まれます。{time} UTC 時点。",
  gone: {
    title: "このレポートは表示できません",
    text: "有効期限が切れたか、共有が終了したか、URLに誤りがあります。共有した人にお問い合わせください。",
  },
};

const chinese: ReportTexts = {
  scans: "扫描次数",
  average: "日均",
  best: "最高的一天",
  chart: { day: "每日扫描次数", week: "每周扫描次数" },
  links: "链接",
  more: "其他链接：{count}",
  breakdowns: {
    country: "国家/地区",
    referrer: "来源网站",
    device: "设备",
    browser: "浏览器",
    os: "操作系统",
    language: "语言",
  },
  values: {
    mobile: "手机",
    tablet: "平板电脑",
    desktop: "电脑",
    direct: "直接访问（无来源）",
    unknown: "未知",
    other: "其他",
  },
  numbers: "显示数字",
  date: "日期",
  none: "没有扫描",
  only: "这些明细涵盖 {days}。",
  unavailable: "此期间没有可用的明细。",
  about: "扫描包括对链接的点击和对其二维码的扫描。截至 {time} UTC。",
  gone: {
    title: "此报告不可用",
    text: "报告已过期或不再分享，或网址有误。请询问分享报告的人。",
  },
};

const TEXTS = new Map<string, ReportTexts>(
  Object.entries({
    ...{ en: english, de: german, fr: french, es: spanish, pt: portuguese, it: italian, nl: dutch },
    ...{ pl: polish, tr: turkish, ar: arabic, hi: hindi, ja: japanese, zh: chinese },
  }),
);

/** Returns the texts for the language of a BCP 47 tag, otherwise in English. */
export function getReportTexts(tag: string): ReportTexts {
  return TEXTS.get(tag.split("-", 1)[0] ?? "") ?? english;
}
