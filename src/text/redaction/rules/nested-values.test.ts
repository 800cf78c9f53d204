import { expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

test.each([
  ['{"password":{"value":"', '"}}'],
  ['{\\"apiKey\\":{\\"secret\\":\\"', '\\"}}'],
  ['{\n  "db_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "', '"\n  }\n}'],
  ['{"password": {"S": "', '"}}'],
  ["password:\n  value: ", "\nport: 1"],
  ["api_key:\n    plaintext: '", "'\n"],
  ['"auth":{"user":"ada","pass":"', '"}'],
  ["auth: { user: 'ada', pass: '", "' }"],
])("a secret below its name is replaced: %s…", (before, after) => {
  expect(redactText(`${before}geheimes${after}`)).toBe(before + mark + after);
});

test.each([
  ['{"token": {"value": "', '"}}'],
  ["requests.get(url, auth=['ada', '", "'])"],
  ['{"auth":["ada","', '"]}'],
  ["get({ auth: ['ada', '", "'] })"],
])("a secret with a digit is replaced where words are common: %s…", (before, after) => {
  expect(redactText(`${before}geh3imes${after}`)).toBe(before + mark + after);
  expect(redactText(`${before}geheimes${after}`)).toBe(`${before}geheimes${after}`);
});

test.each([
  '{"password": {"type": "string", "format": "password", "minLength": 8}}',
  '{"password": {"value": "$PASSWORD"}}',
  '{"auth": ["basic", "oauth2"], "login": ["oauth", "password1"]}',
  '{"auth": ["md5", "scram-sha-256"]}',
  "password:\n  value: !vault |\n",
  "password:\n  minimum: 8\n",
  "{ user: string, pass: string }",
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
