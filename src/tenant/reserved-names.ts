// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../core/time.ts";

/** Time for which no other workspace can have a removed name. The trigger on `domains` repeats it. */
export const HELD_MS = 365 * DAY_MS;

/**
 * Labels that workspaces can't add below `SHORT_DOMAIN`, because visitors would take the host for a service of
 * the operator or for another company. Administrators add and release names with `npm run admin -- name`.
 */

/** Names that services use by convention: web, mail (RFC 2142, RFC 6186, RFC 8461), DNS and accounts. */
const SERVICES =
  "abuse account accounts admin administrator alerts api app assets auth autoconfig autodiscover billing bimi bio blog bounce cdn checkout contact cpanel dashboard demo dev developer dmarc dns docs download email feedback forum ftp git help hostmaster id imap info internal invoice localhost login logout m mail mailer mcp mobile mta-sts mx newsletter noreply no-reply notifications ns ns1 ns2 ns3 ns4 oauth openid office pay payment payments phishing pop pop3 portal postmaster privacy profile public root scim secure security service services signin signup sip smtp spf ssl sso staff staging static status store support sysadmin system terms tls update updates upload uploads verify vpn webdisk webmail webmaster well-known wiki wpad ww www www1 www2";

/** Brands that phishing pages imitate often, after the rankings of Check Point Research and Vade. */
const BRANDS =
  "adidas adobe airbnb alibaba aliexpress amazon amazonpay amex americanexpress apple appleid att bankofamerica barclays binance bitcoin bitly blockchain booking bradesco capitalone chase chatgpt cibc citi citibank coinbase commbank costco creditagricole dhl discord docusign dpd dropbox ebay edf facebook fb fedex github gitlab gmail google halifax hermes hotmail hsbc icloud ing instagram interac intuit irs itau linkedin lloyds mastercard metamask meta microsoft microsoft365 microsoftonline natwest netflix nike nubank office365 onedrive openai orange outlook paypal paypall playstation poste postbank rakuten royalmail roblox santander sharepoint societegenerale spotify stripe steam swisscom telegram tesco tiktok trezor twitter uber ups usps venmo visa vodafone wa walmart wellsfargo wetransfer whatsapp yahoo youtube zelle zoom";

const LABELS: ReadonlySet<string> = new Set([...SERVICES.split(" "), ...BRANDS.split(" ")]);

/** Returns true if the label is reserved unless an administrator has released it. */
export function isReservedLabel(label: string): boolean {
  return LABELS.has(label);
}
