// Pure: no I/O, clock or randomness.
import type { VisitorTexts } from "./visitor-texts.ts";

/** Texts of visitors' pages in Simplified Chinese. */
export const chinese: VisitorTexts = {
  tag: "zh-Hans",
  report: "举报此链接",
  link: {
    404: { title: "找不到链接", text: "请检查网址是否有误，或询问分享链接的人。" },
    405: { title: "不支持的请求", text: "请改用浏览器打开此链接。" },
    410: { title: "此链接已不可用", text: "链接已被停用或已过期。" },
    429: { title: "尝试次数过多", text: "您的网络请求了许多不存在的链接。请稍候再试。" },
    451: { title: "您无法使用此链接", text: "此链接受地区或设备限制。" },
    banned: { title: "此链接已被封锁", text: "本服务的管理员因滥用行为将其封锁。" },
    503: { title: "暂时不可用", text: "目前无法加载此链接。请稍后再试。" },
  },
  named: {
    404: { title: "{name} 在此网址没有链接" },
    410: { text: "{name} 已停用此链接，或链接已过期。" },
    451: { text: "{name} 对此链接设置了地区或设备限制。" },
  },
  password: {
    title: "此链接受密码保护",
    wrongTitle: "密码错误：此链接受密码保护",
    hint: "如果您没有密码，请向分享此链接的人索取。",
    label: "密码",
    wrong: "密码错误。请检查后重试。",
  },
  refusal: {
    403: { title: "此请求来自其他网站", text: "请直接打开此链接，然后输入密码。" },
    413: { title: "密码过长", text: "密码最多可包含 128 个字符。" },
    415: { title: "请在浏览器中打开此链接", text: "您可以在浏览器中输入密码。" },
    429: { title: "尝试次数过多", text: "请等待一分钟，检查密码后重试。" },
  },
  held: {
    title: "请在浏览器中打开此链接",
    text: "此链接的打开次数有限。为避免计入自动请求，仅在浏览器中显示目标网址。",
  },
  confirm: {
    title: "要打开此链接吗？",
    text: "请点按按钮继续。此页面可防止自动请求打开该链接。",
  },
  openLink: "打开链接",
  page: {
    404: { title: "找不到页面", text: "请检查网址是否有误。页面也可能尚未发布。" },
    405: { title: "不支持的请求", text: "请改用浏览器打开此页面。" },
    429: { title: "尝试次数过多", text: "您的网络请求了许多不存在的页面。请稍候再试。" },
    451: { title: "此页面已被封锁", text: "本服务的管理员因滥用行为将其封锁。" },
    503: { title: "暂时不可用", text: "目前无法加载此页面。请稍后再试。" },
  },
  file: {
    404: { title: "找不到文件", text: "请检查网址是否有误。文件也可能已被删除。" },
    405: { title: "不支持的请求", text: "请改用浏览器打开此文件。" },
    451: { title: "此文件已被封锁", text: "本服务的管理员因滥用行为将其封锁。" },
    503: { title: "暂时不可用", text: "目前无法加载此文件。请稍后再试。" },
  },
};
