// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Spanish. */
export const spanish: VisitorTexts = {
  tag: "es",
  report: "Denunciar este enlace",
  link: {
    404: {
      title: "Enlace no encontrado",
      text: "Comprueba que la URL no tenga errores o pregunta a la persona que la compartió.",
    },
    405: { title: "Solicitud no admitida", text: "Abre este enlace en un navegador." },
    410: { title: "Este enlace ya no está disponible", text: "Se ha desactivado o ha caducado." },
    429: {
      title: "Demasiados intentos",
      text: "Desde tu red se han solicitado muchos enlaces que no existen. Espera un momento e inténtalo de nuevo.",
    },
    451: {
      title: "Este enlace no está disponible para ti",
      text: "Está restringido por ubicación o dispositivo.",
    },
    banned: {
      title: "Este enlace está bloqueado",
      text: "El administrador de este servicio lo ha bloqueado por abuso.",
    },
    503: {
      title: "No disponible temporalmente",
      text: "Este enlace no se puede cargar en este momento. Inténtalo de nuevo dentro de un momento.",
    },
  },
  named: {
    404: { title: "{name} no tiene ningún enlace en esta URL" },
    410: { text: "{name} lo ha desactivado o ha caducado." },
    451: { text: "{name} lo ha restringido por ubicación o dispositivo." },
  },
  password: {
    title: "Este enlace está protegido con contraseña",
    wrongTitle: "Contraseña incorrecta: este enlace está protegido con contraseña",
    hint: "Si no tienes la contraseña, pídesela a la persona que compartió este enlace.",
    label: "Contraseña",
    wrong: "Contraseña incorrecta. Compruébala e inténtalo de nuevo.",
  },
  refusal: {
    403: {
      title: "Esta solicitud procede de otro sitio",
      text: "Abre este enlace directamente e introduce ahí la contraseña.",
    },
    413: {
      title: "Contraseña demasiado larga",
      text: "Las contraseñas pueden tener 128 caracteres como máximo.",
    },
    415: { title: "Abre este enlace en un navegador", text: "Ahí puedes introducir la contraseña." },
    429: {
      title: "Demasiados intentos",
      text: "Espera un minuto, comprueba la contraseña e inténtalo de nuevo.",
    },
  },
  held: {
    title: "Abre este enlace en un navegador",
    text: "Este enlace solo se puede abrir un número limitado de veces. Para no contar las solicitudes automáticas, su destino solo se muestra en un navegador.",
  },
  confirm: {
    title: "¿Abrir este enlace?",
    text: "Pulsa el botón para continuar. Esta página evita que las solicitudes automáticas abran el enlace.",
  },
  openLink: "Abrir enlace",
  page: {
    404: {
      title: "Página no encontrada",
      text: "Comprueba que la URL no tenga errores. También es posible que la página no esté publicada.",
    },
    405: { title: "Solicitud no admitida", text: "Abre esta página en un navegador." },
    429: {
      title: "Demasiados intentos",
      text: "Desde tu red se han solicitado muchas páginas que no existen. Espera un momento e inténtalo de nuevo.",
    },
    451: {
      title: "Esta página está bloqueada",
      text: "El administrador de este servicio la ha bloqueado por abuso.",
    },
    503: {
      title: "No disponible temporalmente",
      text: "Esta página no se puede cargar en este momento. Inténtalo de nuevo dentro de un momento.",
    },
  },
  file: {
    404: {
      title: "Archivo no encontrado",
      text: "Comprueba que la URL no tenga errores. También es posible que el archivo se haya eliminado.",
    },
    405: { title: "Solicitud no admitida", text: "Abre este archivo en un navegador." },
    451: {
      title: "Este archivo está bloqueado",
      text: "El administrador de este servicio lo ha bloqueado por abuso.",
    },
    503: {
      title: "No disponible temporalmente",
      text: "Este archivo no se puede cargar en este momento. Inténtalo de nuevo dentro de un momento.",
    },
  },
};
