import { expect, test } from "vitest";
import { redactText, redactValue } from "../redact.ts";

const mark = "[REDACTED_SECRET]";
const hex = "6629fae49393a05397450978507c4ef1";

test.each([
  [`Authorization: Digest username="ada", nonce="${hex}", uri="/", response="`, hex, '", opaque="a1"'],
  [`Proxy-Authorization: Digest username=\\"ada\\", nonce=\\"x\\", response=\\"`, hex, '\\"'],
  [`curl -H 'Authorization: Digest username="ada", response="`, hex, `"' x`],
  ["Authorization: AWS4-HMAC-SHA256 SignedHeaders=host;range, Signature=", hex + hex, ""],
  [`curl -H "Authorization: AWS4-HMAC-SHA256 SignedHeaders=host,Signature=`, hex + hex, `" x`],
  ['Authorization: Signature keyId="ada",algorithm="hmac-sha256",signature="', `${hex}+/==`, '"'],
  ['Authorization: Hawk id="ada", ts="1353832234", nonce="j4h3g2", mac="', `${hex}+/=`, '"'],
  ["Authorization: Negotiate ", "YIIJvwYGKwYBBQUCoIIJszCCCa", "\n"],
  ["Authorization: NTLM ", "TlRMTVNTUAADAAAAGAAYAHIAAAA", "\n"],
  ['Authorization: Token token="', "geh3imes", '"'],
  ["authorization: Key ", "geh3imes:abc", "\n"],
  ['{"authorization":"SSWS ', "geh3imes", '"}'],
])("%s…", (before, secret, after) => {
  expect(redactText(before + secret + after)).toBe(before + mark + after);
});

test("the key id of a signed request is replaced too, also in a parsed header", () => {
  const header = (id: string, signature: string) => ({
    authorization: `AWS4-HMAC-SHA256 Credential=${id}, SignedHeaders=host, Signature=${signature}`,
  });
  const id = `AK${"IA"}IOSFODNN7EXAMPLE`;
  expect(redactValue(header(id, hex + hex))).toEqual(header(mark, mark));
});

test.each([
  `WWW-Authenticate: Digest realm="x", nonce="${hex}", opaque="${hex}"`,
  `the digest of response="${hex}"`.replace("digest of ", ""),
  "Authorization: Token required; see Negotiate and NTLM",
  "Signature=v1, mac=00:1a:2b:3c:4d:5e",
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
