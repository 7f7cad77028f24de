// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in French. */
export const french: VisitorTexts = {
  tag: "fr",
  report: "Signaler ce lien",
  link: {
    404: {
      title: "Lien introuvable",
      text: "Vérifiez que l’URL ne contient pas de faute de frappe ou demandez-la à nouveau à la personne qui l’a partagée.",
    },
    405: { title: "Requête non prise en charge", text: "Ouvrez plutôt ce lien dans un navigateur." },
    410: { title: "Ce lien n’est plus disponible", text: "Il a été désactivé ou a expiré." },
    429: {
      title: "Trop de tentatives",
      text: "De nombreux liens inexistants ont été demandés depuis votre réseau. Patientez un instant, puis réessayez.",
    },
    451: {
      title: "Ce lien n’est pas disponible pour vous",
      text: "Il est réservé à certains lieux ou appareils.",
    },
    banned: {
      title: "Ce lien a été bloqué",
      text: "L’administrateur de ce service l’a bloqué pour cause d’abus.",
    },
    503: {
      title: "Temporairement indisponible",
      text: "Ce lien ne peut pas être chargé pour le moment. Réessayez dans un instant.",
    },
  },
  named: {
    404: { title: "{name} n’a aucun lien à cette URL" },
    410: { text: "{name} l’a désactivé, ou il a expiré." },
    451: { text: "{name} l’a réservé à certains lieux ou appareils." },
  },
  password: {
    title: "Ce lien est protégé par un mot de passe",
    wrongTitle: "Mot de passe incorrect : ce lien est protégé par un mot de passe",
    hint: "Si vous n’avez pas le mot de passe, demandez-le à la personne qui a partagé ce lien.",
    label: "Mot de passe",
    wrong: "Mot de passe incorrect. Vérifiez-le et réessayez.",
  },
  refusal: {
    403: {
      title: "Cette requête provient d’un autre site",
      text: "Ouvrez ce lien directement et saisissez-y le mot de passe.",
    },
    413: {
      title: "Mot de passe trop long",
      text: "Un mot de passe peut comporter 128 caractères au maximum.",
    },
    415: { title: "Ouvrez ce lien dans un navigateur", text: "Vous pourrez y saisir le mot de passe." },
    429: {
      title: "Trop de tentatives",
      text: "Patientez une minute, vérifiez le mot de passe et réessayez.",
    },
  },
  held: {
    title: "Ouvrez ce lien dans un navigateur",
    text: "Ce lien ne peut être ouvert qu’un nombre limité de fois. Pour ne pas compter les requêtes automatiques, sa destination ne s’affiche que dans un navigateur.",
  },
  confirm: {
    title: "Ouvrir ce lien ?",
    text: "Appuyez sur le bouton pour continuer. Cette page empêche les requêtes automatiques d’ouvrir le lien.",
  },
  openLink: "Ouvrir le lien",
  page: {
    404: {
      title: "Page introuvable",
      text: "Vérifiez que l’URL ne contient pas de faute de frappe. Il se peut aussi que la page ne soit pas publiée.",
    },
    405: { title: "Requête non prise en charge", text: "Ouvrez plutôt cette page dans un navigateur." },
    429: {
      title: "Trop de tentatives",
      text: "De nombreuses pages inexistantes ont été demandées depuis votre réseau. Patientez un instant, puis réessayez.",
    },
    451: {
      title: "Cette page a été bloquée",
      text: "L’administrateur de ce service l’a bloquée pour cause d’abus.",
    },
    503: {
      title: "Temporairement indisponible",
      text: "Cette page ne peut pas être chargée pour le moment. Réessayez dans un instant.",
    },
  },
  file: {
    404: {
      title: "Fichier introuvable",
      text: "Vérifiez que l’URL ne contient pas de faute de frappe. Il se peut aussi que le fichier ait été supprimé.",
    },
    405: { title: "Requête non prise en charge", text: "Ouvrez plutôt ce fichier dans un navigateur." },
    451: {
      title: "Ce fichier a été bloqué",
      text: "L’administrateur de ce service l’a bloqué pour cause d’abus.",
    },
    503: {
      title: "Temporairement indisponible",
      text: "Ce fichier ne peut pas être chargé pour le moment. Réessayez dans un instant.",
    },
  },
};
