// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Portuguese. */
export const portuguese: VisitorTexts = {
  tag: "pt",
  report: "Denunciar este link",
  link: {
    404: {
      title: "Link não encontrado",
      text: "Verifique se há erros de digitação na URL ou pergunte à pessoa que a compartilhou.",
    },
    405: { title: "Solicitação não suportada", text: "Em vez disso, abra este link em um navegador." },
    410: { title: "Este link não está mais disponível", text: "Ele foi desativado ou expirou." },
    429: {
      title: "Muitas tentativas",
      text: "Sua rede solicitou muitos links que não existem. Aguarde um momento e tente novamente.",
    },
    451: {
      title: "Este link não está disponível para você",
      text: "Ele é restrito por localização ou dispositivo.",
    },
    banned: { title: "Este link foi bloqueado", text: "O administrador deste serviço o bloqueou por abuso." },
    503: {
      title: "Temporariamente indisponível",
      text: "Não é possível carregar este link agora. Tente novamente em alguns instantes.",
    },
  },
  named: {
    404: { title: "{name} não tem nenhum link nesta URL" },
    410: { text: "{name} o desativou, ou ele expirou." },
    451: { text: "{name} o restringiu por localização ou dispositivo." },
  },
  password: {
    title: "Este link é protegido por senha",
    wrongTitle: "Senha incorreta: este link é protegido por senha",
    hint: "Se você não tem a senha, peça à pessoa que compartilhou este link.",
    label: "Senha",
    wrong: "Senha incorreta. Verifique e tente novamente.",
  },
  refusal: {
    403: {
      title: "Esta solicitação veio de outro site",
      text: "Abra este link diretamente e digite a senha nele.",
    },
    413: { title: "Senha longa demais", text: "As senhas podem ter no máximo 128 caracteres." },
    415: { title: "Abra este link em um navegador", text: "Lá você pode digitar a senha." },
    429: { title: "Muitas tentativas", text: "Aguarde um minuto, verifique a senha e tente novamente." },
  },
  held: {
    title: "Abra este link em um navegador",
    text: "Este link só pode ser aberto um número limitado de vezes. Para que acessos automáticos não sejam contados, o destino só é mostrado em um navegador.",
  },
  confirm: {
    title: "Abrir este link?",
    text: "Toque no botão para continuar. Esta página impede que acessos automáticos abram o link.",
  },
  openLink: "Abrir link",
  page: {
    404: {
      title: "Página não encontrada",
      text: "Verifique se há erros de digitação na URL. Também é possível que a página não esteja publicada.",
    },
    405: { title: "Solicitação não suportada", text: "Em vez disso, abra esta página em um navegador." },
    429: {
      title: "Muitas tentativas",
      text: "Sua rede solicitou muitas páginas que não existem. Aguarde um momento e tente novamente.",
    },
    451: { title: "Esta página foi bloqueada", text: "O administrador deste serviço a bloqueou por abuso." },
    503: {
      title: "Temporariamente indisponível",
      text: "Não é possível carregar esta página agora. Tente novamente em alguns instantes.",
    },
  },
  file: {
    404: {
      title: "Arquivo não encontrado",
      text: "Verifique se há erros de digitação na URL. Também é possível que o arquivo tenha sido excluído.",
    },
    405: { title: "Solicitação não suportada", text: "Em vez disso, abra este arquivo em um navegador." },
    451: { title: "Este arquivo foi bloqueado", text: "O administrador deste serviço o bloqueou por abuso." },
    503: {
      title: "Temporariamente indisponível",
      text: "Não é possível carregar este arquivo agora. Tente novamente em alguns instantes.",
    },
  },
};
