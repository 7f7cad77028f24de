/** Code samples that verify the signature of a delivery, following the Standard Webhooks specification. */

/** Languages of the samples. The first is the default. */
export const LANGUAGES = ["javascript", "python", "go", "php", "ruby"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Record<Language, string> = {
  javascript: "JavaScript",
  python: "Python",
  go: "Go",
  php: "PHP",
  ruby: "Ruby",
};

export const SNIPPETS: Record<Language, string> = {
  javascript: `// headers: with lower-case names; body: the raw request body as text, before parsing
async function isFromSignpost(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": sent, "webhook-signature": given = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - sent) < 300)) return false; // replayed delivery
  const decode = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secretBytes = decode(secret.replace("whsec_", ""));
  const key = await crypto.subtle.importKey("raw", secretBytes, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(\`\${id}.\${sent}.\${body}\`);
  for (const [, signature] of given.matchAll(/v1,([A-Za-z0-9+/]{43}=)/g)) {
    if (await crypto.subtle.verify("HMAC", key, decode(signature), signed)) return true;
  }
  return false;
}`,
  python: `import base64, hashlib, hmac, time

# body: the raw request body, before parsing
def is_from_signpost(headers, body: bytes, secret: str) -> bool:
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False  # replayed delivery
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{sent}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split()
    return any(hmac.compare_digest(signature, expected) for signature in given)`,
  go: `// body: the raw request body, before parsing
func isFromSignpost(header http.Header, body []byte, secret string) bool {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false // replayed delivery
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sent, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  php: `// $body: the raw request body, from php://input
function is_from_signpost(array $headers, string $body, string $secret): bool {
    [$id, $sent] = [$headers['webhook-id'] ?? '', $headers['webhook-timestamp'] ?? ''];
    if (abs(time() - (int) $sent) > 300) return false; // replayed delivery
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $digest = hash_hmac('sha256', "$id.$sent.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) return true;
    }
    return false;
}`,
  ruby: `require "openssl"
require "base64"

# body: the raw request body, before parsing
def from_signpost?(headers, body, secret)
  id, sent = headers["webhook-id"], headers["webhook-timestamp"]
  return false if (Time.now.to_i - sent.to_i).abs > 300 # replayed delivery
  key = Base64.decode64(secret.delete_prefix("whsec_"))
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{sent}.#{body}")
  expected = "v1,#{Base64.strict_encode64(digest)}"
  headers["webhook-signature"].to_s.split.any? do |signature|
    OpenSSL.secure_compare(signature, expected)
  end
end`,
};
