import { describe, expect, test } from "vitest";
import { redactText, redactValue } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

describe("plain words in a list or record of secrets are replaced", () => {
  test.each([
    'passwords: ["%", "%"]',
    '{"db_passwords": ["%", "%"]}',
    'const passwords: string[] = ["%", "%"];',
    'var passwords = new string[] { "%", "%" };',
    'passwords := []string{"%", "%"}',
    "passwords:\n  - %\n  - '%'\nport: 1\n",
    "passwords:\n- % # of the old one\n- %\n",
    'settings["passwords"] = { old: "%", fresh: "%" }',
    '"{\\"passwords\\":{\\"db\\":\\"%\\",\\"mail\\":\\"%\\"}}"',
    "passwords:\n  db: %\n  mail: %\n",
    "  passwords:\n    old: %\n    staging:\n      mail: %\n  host: db_2\n",
    "   passwords:\n-    - %\n+    - %\n",
    "    12\tpasswords:\n    13\t  - %\n    14\t  - %\n    15\tport: 1\n",
    'config = {"passwords": {"db": {"main": "%"}, "mail": ["%"]}, "host": "db_2"}',
    '[passwords]\ndb = "%"\nmail = "%"\n\n[other]\na = "correct horse"\n',
  ])("%s", (form) => {
    const values = ["correct horse battery", "sommerregen"];
    const text = form.replaceAll("%", () => values.shift() ?? "");
    const redacted = redactText(text);
    expect(redacted).toBe(form.replaceAll("%", mark));
    expect(redactText(redacted)).toBe(redacted);
  });

  test.each([
    "passwords: % and %",
    "passwords: [%, %] # old",
    "DB_PASSWORDS=%,%",
    'secrets:\n  prod:\n    eu:\n      main: %\n      mail: "%"\n',
    '[secrets.prod]\na = "%"\nb = "%"\n',
    '"{\\"secrets\\":{\\"prod\\":{\\"eu\\":{\\"a\\":\\"%\\",\\"b\\":\\"%\\"}}}}"',
  ])("with a digit where words are common: %s", (form) => {
    const values = ["kd83hf7sqw", "qx74mzt2"];
    const text = form.replaceAll("%", () => values.shift() ?? "");
    expect(redactText(text)).toBe(form.replaceAll("%", mark));
    for (const words of [form.replaceAll("%", "hashed"), form.replaceAll("%", "db_main")])
      expect(redactText(words)).toBe(words);
  });

  test("in values, passwords and other secrets", () => {
    const settings = (word: string, words: string, key: string) => ({
      passwords: [word, words],
      userPasswords: { db: word, port: 1 },
      secrets: { DB_PASSWORD: word, url: "x.example" },
      nested: { secrets: [words, "db_name"], api_keys: [key, "docs"] },
      deeper: { passwords: { old: word, eu: { db: [word, 1] } }, secrets: { a: { b: { c: key, d: "db" } } } },
    });
    expect(redactValue(settings("sommerregen", "correct horse", "zqx9jvkwb7mn"))).toEqual(
      settings(mark, mark, mark),
    );
  });
});

test.each([
  'secrets = ["DB_PASSWORD", "npm-token"]',
  'secrets: ["Rotate all secrets", "manage keys"]',
  "secrets:\n  - db_password\n  - name: regcred\n",
  '"secrets": {"provider": "env", "status": "healthy"}',
  '"passwords": {"sent": "We have emailed your link.", "user": "no such person"}',
  '"passwords": {"save": "Save", "old": "current"}',
  '"passwords": {"type": "array", "items": "string"}',
  '"passwords": {"version": 1, "syncID": "geheimes"}',
  'passwords: ["mot de passe", "password", "authentification"]',
  "forgotten passwords:\n- ask an administrator\n- sommerregen\n",
  "Passwords:\n- correct horse\n",
  "passwords:\n- at least eight characters\n- no words\n",
  "passwords:\n  min_length: 12\n  hash: argon2\n  expiry: 90days\n",
  "secrets:\n  vault:\n    address: https://vault2.example:8200\n    name: prod_db_v2\n",
  "passwords: sha256, rsa2048\n",
  "passwords: hashed, salted, peppered\n",
  "const secrets = { passwords: users2, tokens: tokens12 };",
  "secrets:\n  db_password:\n    file: ./db_password2.txt\n",
  '"secrets": {"db": {"type": "azure vault", "title": "Main store"}}',
  "passwords = [line.strip() for line in open('words.txt')]",
  'api_keys: ["production", "staging"]',
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});

describe("a password in the environment of a container may be words", () => {
  test.each([
    "environment:\n  - DB_PASSWORD=% # local\n",
    'environment:\n  - "DB_PASSWORD=%"\n',
    'environment: ["A=b", "DB_PASSWORD=%"]\n',
    "environment:\n  DB_USER: ada\n  DB_PASSWORD: %\n",
    "env:\n  DB_PASS: '%'\n",
  ])("%s", (form) => {
    expect(redactText(form.replace("%", "hunter two"))).toBe(form.replace("%", mark));
  });

  test.each([
    "labels:\n  RESET_PASSWORD: Reset it\n",
    "env:\n  DB_PASSWORD: {{ inputs.word }}\n",
    '"start": "A=b DB_PASSWORD=$WORD node x.js"',
  ])("is kept: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
