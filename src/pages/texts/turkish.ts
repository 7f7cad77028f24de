// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Turkish. */
export const turkish: VisitorTexts = {
  tag: "tr",
  report: "Bu bağlantıyı bildir",
  link: {
    404: {
      title: "Bağlantı bulunamadı",
      text: "URL’de yazım hatası olup olmadığını kontrol edin veya bağlantıyı paylaşan kişiye sorun.",
    },
    405: { title: "Desteklenmeyen istek", text: "Bu bağlantıyı bir tarayıcıda açın." },
    410: {
      title: "Bu bağlantı artık kullanılamıyor",
      text: "Bağlantı devre dışı bırakılmış veya süresi dolmuş.",
    },
    429: {
      title: "Çok fazla deneme",
      text: "Ağınızdan var olmayan çok sayıda bağlantı istendi. Biraz bekleyip yeniden deneyin.",
    },
    451: {
      title: "Bu bağlantı sizin için kullanılamıyor",
      text: "Bağlantı belirli konumlar veya cihazlarla sınırlı.",
    },
    banned: {
      title: "Bu bağlantı engellendi",
      text: "Bu hizmetin yöneticisi bağlantıyı kötüye kullanım nedeniyle engelledi.",
    },
    503: {
      title: "Geçici olarak kullanılamıyor",
      text: "Bu bağlantı şu anda yüklenemiyor. Birazdan yeniden deneyin.",
    },
  },
  named: {
    404: { title: "Bu URL’de {name} için bir bağlantı yok" },
    410: { text: "{name} bağlantıyı devre dışı bırakmış veya bağlantının süresi dolmuş." },
    451: { text: "{name} bağlantıyı belirli konumlar veya cihazlarla sınırlamış." },
  },
  password: {
    title: "Bu bağlantı parola korumalı",
    wrongTitle: "Yanlış parola: Bu bağlantı parola korumalı",
    hint: "Parolanız yoksa bu bağlantıyı paylaşan kişiden isteyin.",
    label: "Parola",
    wrong: "Yanlış parola. Kontrol edip yeniden deneyin.",
  },
  refusal: {
    403: {
      title: "Bu istek başka bir siteden geldi",
      text: "Bu bağlantıyı doğrudan açın ve parolayı orada girin.",
    },
    413: { title: "Parola çok uzun", text: "Parolalar en fazla 128 karakter olabilir." },
    415: { title: "Bu bağlantıyı bir tarayıcıda açın", text: "Parolayı orada girebilirsiniz." },
    429: { title: "Çok fazla deneme", text: "Bir dakika bekleyin, parolayı kontrol edip yeniden deneyin." },
  },
  held: {
    title: "Bu bağlantıyı bir tarayıcıda açın",
    text: "Bu bağlantı yalnızca sınırlı sayıda açılabilir. Otomatik istekler sayılmasın diye hedefi yalnızca tarayıcıda gösterilir.",
  },
  confirm: {
    title: "Bu bağlantı açılsın mı?",
    text: "Devam etmek için düğmeyi kullanın. Bu sayfa, otomatik isteklerin bağlantıyı açmasını önler.",
  },
  openLink: "Bağlantıyı aç",
  page: {
    404: {
      title: "Sayfa bulunamadı",
      text: "URL’de yazım hatası olup olmadığını kontrol edin. Sayfa yayında olmayabilir.",
    },
    405: { title: "Desteklenmeyen istek", text: "Bu sayfayı bir tarayıcıda açın." },
    429: {
      title: "Çok fazla deneme",
      text: "Ağınızdan var olmayan çok sayıda sayfa istendi. Biraz bekleyip yeniden deneyin.",
    },
    451: {
      title: "Bu sayfa engellendi",
      text: "Bu hizmetin yöneticisi sayfayı kötüye kullanım nedeniyle engelledi.",
    },
    503: {
      title: "Geçici olarak kullanılamıyor",
      text: "Bu sayfa şu anda yüklenemiyor. Birazdan yeniden deneyin.",
    },
  },
  file: {
    404: {
      title: "Dosya bulunamadı",
      text: "URL’de yazım hatası olup olmadığını kontrol edin. Dosya silinmiş olabilir.",
    },
    405: { title: "Desteklenmeyen istek", text: "Bu dosyayı bir tarayıcıda açın." },
    451: {
      title: "Bu dosya engellendi",
      text: "Bu hizmetin yöneticisi dosyayı kötüye kullanım nedeniyle engelledi.",
    },
    503: {
      title: "Geçici olarak kullanılamıyor",
      text: "Bu dosya şu anda yüklenemiyor. Birazdan yeniden deneyin.",
    },
  },
};
