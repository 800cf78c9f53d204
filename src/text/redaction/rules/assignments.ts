import { entropyBits, looksChosen, looksOrdinary, looksRandom, namesMethod } from "../randomness.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { type ValueForm, valueAt, valueRule } from "../value-rule.ts";
import { beforeLiteral, betweenNameAndValue, declaredType } from "../vendor-rule.ts";
import { isLiteral, isPlaceholder } from "./placeholder.ts";
import { isScrambled, isScrambledAlone } from "./scrambled.ts";

/* A name may continue after the trigger, as in `secretAccessKey`, and end with a quote, as in JSON. */
const name = "[\\w.-]{1,64}";
const endOfName = "[\\\\\"'`\\])]{0,5}[ \\t]{0,16}";
const startOfValue = `[ \\t]{0,16}${beforeLiteral}[\\\\]{0,3}(?:"""|'''|["'\`])?`;

/* YAML's `key: |`, with the value on the next line, which may have a line number from a listing. */
const blockScalar =
  "(?:[ \\t]{0,4}[|>][+-]?[ \\t]{0,4}(?:\\r?\\n|\\\\n)(?:[ \\t]{1,40}|[ \\t]{0,8}\\d{1,5}[\\u2192\\t][ \\t]{1,40}))?";

const namedValue = new RegExp(
  `${name}${endOfName}${declaredType}(?:=>|:=|=|%3[AD]|:${blockScalar})${startOfValue}(?:base64:)?(?!django-insecure-)([A-Za-z0-9_./+=-]{20,})`,
  "iy",
);

/** The values (20 or more token characters) after names that contain a word for secrets. */
export const namedSecrets: Rule = {
  name: "named secret",
  triggers: ["key", "secret", "token", "password", "passwd", "credential", "auth"],
  find(text, at) {
    const found = valueAt(namedValue, text, at);
    if (found === undefined || isPlaceholder(found.value)) return noSpans;
    return isExpression(text, found.value, found.span) ? noSpans : [found.span];
  },
};

/*
 * Whether a value in code is an expression, not a literal: unquoted names joined by dots, as in `key =
 * options.cache.keyOf`, or a call, as in `key = x25519.X25519PrivateKey.generate()`. But in `NAME=value`, without
 * blanks around, it is a literal of an environment.
 */
function isExpression(text: string, value: string, { start, end }: Span): boolean {
  const before = text.charAt(start - 1);
  if (before === '"' || before === "'" || before === "`") return false;
  if (before === "=" && /^(?:[\s"'&;\\]|$)/.test(text.slice(end, end + 1))) return false;
  const isCall = text.charAt(end) === "(" && /^[A-Za-z_]/.test(value);
  return /^[\w.]+$/.test(value) && (isCall || looksOrdinary(value));
}

const looseValue = new RegExp(
  `(?:key|api|secret|token|passw(?:or)?d?|credential|creds|auth|access)${betweenNameAndValue}([\\w.=-]{10,150}(?:![\\w.]{30,150})?|[a-z0-9][a-z0-9+/]{11,150}={0,3})(?![\\w+/(-])`,
  "iy",
);

/** Shorter values, or values after other operators, if they look random. */
export const likelySecrets: Rule = valueRule(
  "likely secret",
  ["key", "api", "secret", "token", "passw", "credential", "creds", "auth", "access"],
  [[looseValue, isIrregular]],
);

const spacedValue =
  /(?:key(?:(?<=(?:api|access|secret|private|auth)[ _-]?key) (?:is|was))?|(?:secret|token|passw(?:or)?d|passphrase)(?: is| was)?)[ \t]{1,16}(?:[|│][ \t]{1,16})?["'`]?((?:[\w-]{11,64}\.)?[\w+/=-]{16,150})(?=["'`]?(?:[\s\\;,.)]|$))/iy;

/** Random-looking values after a blank, or after the column rule of a table: `--token …`. */
export const spacedSecrets: Rule = valueRule(
  "secret after a blank",
  [
    ...["key ", "key\t", "secret ", "secret\t", "token ", "token\t"],
    ...["passwd ", "password ", "password\t", "passphrase "],
  ],
  [[spacedValue, isIrregular]],
);

/* Types of keys in libraries: `Ed25519PublicKey`. */
const keyType = /(?:Public|Private)Key$/;

function isIrregular(value: string): boolean {
  return (
    !keyType.test(value) &&
    /[0-9]/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    !looksOrdinary(value) &&
    entropyBits(value) >= leastEntropyBits
  );
}

/* Bits per character. A random value of 10 characters with two repeated ones has 2.9; names in code stay below 3.5. */
const leastEntropyBits = 2.9;

/*
 * `pass` and `pw` count only as separate words or after what a password is for: `DEPLOY_PW`, `dbPass`, but not
 * `bypass`. Test runners print `--- PASS: TestName`.
 */
const passwordName =
  "(?:password|passwd|pwd|secret_?key|(?<=(?:client|app|jwt|session|webhook|shared)_?)secret|(?:(?<![A-Za-z])|(?<=db|user|admin|root|smtp|mail|ftp|ssh|redis|mysql))(?:pass|pw)(?!:[ \\t]{1,4}test))";
const passwordValue = "([^\\s\"'`<>(){}\\[\\],;\\\\$]{8,64})";
const operator = "(?:[=-]>|[:?]=|\\|\\||\\u2192|[=:])";
const assignment = `[\\\\"'\`\\]]{0,4}[ \\t]{0,40}${operator}[ \\t]{0,4}`;
const quotedPassword = new RegExp(
  `${passwordName}${betweenNameAndValue}(?<=["'\`])${passwordValue}(?=\\\\{0,3}["'\`](?!\\s{0,4}:))`,
  "iy",
);
const plainPassword = new RegExp(
  `${passwordName}[\\w.-]{0,20}${assignment}${passwordValue}(?![^\\s\\\\,;&])`,
  "iy",
);
/* YAML allows a tag or an anchor before the value: `!!str`, `&pw`. */
const yamlMark = "(?:(?:!{1,2}\\w{1,20}|&\\w{1,40}) )?";
const literalStart = `${blockScalar}[ \\t]{0,4}${yamlMark}${beforeLiteral}\\\\{0,3}`;
const chosenPassword = new RegExp(
  `${passwordName}\\d{0,2}(?:%22|[\\\\"'\`\\]]{0,4})[ \\t]{0,40}${declaredType}(?:%3[AD](?:%20)?(?:%22)?|${operator})${literalStart}["'\`]{0,3}([^\\s"'\`\\\\,;(){}[\\]<>]{6,64}?)(?=\\\\?["'\`]|%2[26C]|%7D|[\\s\\\\,;}]|$)`,
  "iy",
);
/* Name and value as arguments of a call: `os.Setenv("DB_PASSWORD", "…`, `page.fill("#password", '…`. */
const givenPassword = new RegExp(
  `(?<=(?:set|put|add|append|env|default|define|fetch|get|variable|property|fill)\\w{0,8}\\([ \\t]{0,4}["'\`][\\w.#-]{0,64})${passwordName}["'\`],\\s{1,4}(?:\\w{1,12} ?= ?)?${beforeLiteral}["'\`]([^\\s"'\`\\\\]{6,64})(?=["'\`])`,
  "iy",
);
/* A quoted value after a blank: `#define WIFI_PASSWORD "…"`, Gradle's `storePassword '…'`. */
const quotedNext = new RegExp(`${passwordName}[ \\t]{1,8}["'\`]([^\\s"'\`\\\\]{6,64})(?=["'\`])`, "iy");
/* Whatever signs it contains, where its quotes or its line tell where it ends. */
const scrambledPassword = new RegExp(
  `${passwordName}${betweenNameAndValue}(?<=["'\`])([^\\s"'\`\\\\]{8,128})(?=\\\\{0,3}["'\`](?!\\s{0,4}:))`,
  "iy",
);
const scrambledToEnd = new RegExp(
  `${passwordName}[\\w.-]{0,20}${assignment}([^\\s"'\`\\\\]{8,128})(?=[ \\t]{0,8}(?:\\r?\\n|\\\\[nr]|$))`,
  "iy",
);
const isChosen = (value: string) => looksChosen(value) && isLiteral(value);
const isGenerated = (value: string) =>
  /[A-Za-z]/.test(value) && looksRandom(value) && !isPlaceholder(value) && !namesMethod(value);
const passwordForms: readonly ValueForm[] = [
  [scrambledToEnd, isScrambledAlone],
  [chosenPassword, isChosen],
  [givenPassword, isChosen],
  [quotedNext, isChosen],
  [quotedPassword, isGenerated],
  [plainPassword, (value) => /[0-9]/.test(value) && isGenerated(value)],
  [scrambledPassword, isScrambled],
];

/** Passwords of 6 to 64 characters after a name that means password, unless they look like a name. */
export const namedPasswords: Rule = valueRule(
  "named password",
  [
    ...["password", "passwd", "pwd", "secret"],
    ...["pass:", "pass=", 'pass"', "pass'", "pass ", "pass\\", "pass#"],
    ...["pw:", "pw=", 'pw"', "pw'", "pw ", "pw\\", "pw#"],
  ],
  passwordForms,
);
