import type { Rule } from "../rule.ts";
import { beforeKey, passwordWords, valueFields } from "../secret-words.ts";
import { valueRule } from "../value-rule.ts";
import { type Place, placeRule } from "./place.ts";
import { isStatedSecret } from "./stated-secret.ts";

/*
 * Secrets one level below their name, in JSON and YAML: `{"password": {"value": "…"}}`, as in the outputs of Terraform
 * and in typed records of databases.
 */

const quote = '\\\\{0,7}"';
const sureName = `(?:(?<=(?:${beforeKey})_?)key|(?<=client_?)secret|${passwordWords})`;
const part = `(?:${valueFields.join("|")})`;
const digitAndLetter = '(?=[^\\s"]{0,200}\\d)(?=[^\\s"]{0,200}[a-z])';

const places: readonly Place[] = [
  {
    name: "value below its name in json",
    triggers: [
      ...['passwd"', 'passwd\\"', 'password"', 'password\\"', 'passphrase"', 'passphrase\\"'],
      ...['key"', 'key\\"', 'secret"', 'secret\\"', 'token"', 'token\\"'],
    ],
    pattern: new RegExp(
      `(?:${sureName}|(?:secret|token)(?=[^{]{0,10}\\{[^{}]{0,300}?${quote}${part}${quote}\\s?:\\s?${quote}${digitAndLetter}))${quote}\\s?:\\s?\\{(?:[^{}]{0,300}?[\\s,])?${quote}${part}${quote}\\s?:\\s?${quote}([^\\s"\\\\]{4,4096})${quote}`,
      "diy",
    ),
  },
  {
    name: "value below its name in yaml",
    triggers: ["password:", "passwd:", "passphrase:", "key:", "secret:"],
    pattern: new RegExp(
      `${sureName}:[ \\t]{0,4}\\r?\\n[ \\t]{1,40}${part}:[ \\t]{1,4}(?:"([^"\\n\\\\]{4,4096})"|'([^'\\n]{4,4096})'|([^\\s"'{}[\\]!&*|>][^\\s"']{3,4096})[ \\t]{0,20}(?=\\r?\\n|$))`,
      "diy",
    ),
  },
  {
    // Users and passwords in pairs: {"auth": ["ada", "…"]}, auth: { user: 'ada', pass: '…' }.
    name: "password of a user",
    triggers: ['pass"', "pass'", "pass:", 'pass\\"'],
    pattern:
      /(?<=\buser(?:name)?\\{0,7}["']?\s?:\s?\\{0,7}["'][^"'\n]{1,80}["'],\s{0,80}\\{0,7}["']?)pass\\{0,7}["']?\s?:\s?\\{0,7}["']([^\s"'\\]{4,200})\\{0,7}["']/diy,
  },
];

const lineBelow =
  /(?:password|passwd|passphrase|_pwd|_pass)["']?:[ \t]{0,4}\r?\n[+>-]?[ \t]{1,40}(?:- {1,4})?["']?([^\s"'`<>(){}[\],;:]{6,200})(?=["']?[ \t]{0,8}(?:#[^\n]{0,200})?(?:\r?\n|$))/iy;

/** A password alone on the line below its name, or the first of a list, in YAML. */
const valueBelow: Rule = valueRule(
  "value on the line below its name",
  ["password:", "passwd:", "passphrase:", "_pwd:", "_pass:", 'password":', "password':"],
  [[lineBelow, (value) => isStatedSecret(value, true)]],
);

export const nestedValues: readonly Rule[] = [...places.map(placeRule), valueBelow];
