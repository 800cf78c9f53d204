import { matchAt } from "../../match-at.ts";
import { capturedSpans } from "../captures.ts";
import { entropyBits, looksOrdinary } from "../randomness.ts";
import { noSpans, type Rule } from "../rule.ts";
import { valueAt, valueRule } from "../value-rule.ts";
import { isScrambledAlone } from "./scrambled.ts";
import { isStatedSecret } from "./stated-secret.ts";

/* Secrets in sentences, as people write them to an agent and as programs print them: the secret follows its name. */

const passwordWord =
  "(?:passwor[dt]|(?<![a-z])(?:pwd|pass|pw)(?= is )|passphrase|passcode|kennwort|mot de passe|contrase(?:\u00f1|n\u0303?)a|senha|wachtwoord|passord|adgangskode|heslo)";
const about =
  "(?: (?:for|of|to|on|from|in)(?: (?:the|our|my|this))?(?: [\\w@./'-]{1,60}){1,2}){0,2}(?: \\([^()\\n]{1,40}\\))?";
const value = "[\"'`]?([^\\s\"'`<>(){}\\[\\],;]{6,64})(?=[\"'`]?\\.?(?:[\\s,;!?)]|$))";
const announcement =
  "(?:(?: (?:is|was|will be|changed to|set to|ist|lautet|est|es|[\u00e8\u00e9]|er|je|ge\u00e4ndert auf)|'s)(?: now)?:?|[ \\u00a0]?:| =| (?:[=-]>|\u2192))[ ]{1,2}";
const announced = new RegExp(`${passwordWord}${about}${announcement}${value}`, "iy");
const announcedScrambled = new RegExp(
  `${passwordWord}${about}${announcement}(?:"([^\\s"]{8,128})(?=")|'([^\\s']{8,128})(?=')|\`([^\\s\`]{8,128})(?=\`)|([^\\s"'\`]{8,128}?)(?=[.,;:!?)]{0,3}(?:\\s|$)))`,
  "diy",
);
const setOff = new RegExp(`${passwordWord}${about} ${value}`, "iy");

/*
 * After a verb or a user's name weaker words announce it: `set the password to …`, `user root and password …`. What it
 * was changed from comes first.
 */
const changed = new RegExp(
  `(?<=\\b(?:set|chang\\w{1,3}|reset\\w{0,4}|updat\\w{1,3}|rotat\\w{1,3})\\b[^.,;\\n]{0,40})${passwordWord}(?: (?:for|of|on|in)(?: (?:the|our|my|this))?(?: [\\w@./'-]{1,60}){1,2})?(?: from \\[REDACTED_SECRET\\])? (?:from|to) ${value}`,
  "iy",
);
const withUser = new RegExp(
  `(?<=\\b(?:user(?:name)?|login|account|as)[ :=]{1,3}["'\`]?[\\w.@-]{1,64}["'\`]?(?:,|,? (?:and|with|und|et))(?: the)? |\\b(?:with|using)(?: the)? |\\()${passwordWord} ${value}`,
  "iy",
);

/** A password after the word for it and `is`, a colon, `=` or a blank: `the password for staging is …`. */
export const toldPasswords: Rule = {
  name: "told password",
  triggers: [
    "password ",
    "passwort ",
    "passwort:",
    "passphrase ",
    "passcode ",
    "passcode:",
    ...["password's ", "pwd is ", "pass is "],
    "kennwort",
    "de passe",
    "contrase",
    "senha ",
    "senha:",
    ...["wachtwoord", "passord ", "passord:", "adgangskode", "heslo ", "heslo:"],
  ],
  find(text, at) {
    const word = text.slice(Math.max(0, at - 4), at).toLowerCase() === "mot " ? at - 4 : at;
    const scrambled = matchAt(announcedScrambled, text, word);
    const spans = scrambled === null ? noSpans : capturedSpans(scrambled, isScrambledAlone);
    if (spans.length > 0) return spans;
    for (const pattern of [announced, changed, withUser, setOff]) {
      const found = valueAt(pattern, text, word);
      const password = found?.value.replace(/[.!?]$/, "");
      if (found === undefined || password === undefined || !isStatedSecret(password, pattern !== setOff))
        continue;
      const { start } = found.span;
      return [{ start, end: start + password.length }];
    }
    return noSpans;
  },
};

const pairValue = new RegExp(
  `(?:(?:credentials|creds|log-?in|identifiants|zugangsdaten)(?: (?:are|is|sind):?| ?:)|log ?in with) {1,2}["'\`]?[\\w.@-]{2,64}["'\`]? ?[/:|] ?${value.replace("[^", "(?=[^/])[^")}`,
  "iy",
);

/** The password in a pair: `credentials: admin / …`, `creds are admin:…`. */
export const toldPairs: Rule = valueRule(
  "told pair",
  [
    "credentials",
    "creds",
    "login: ",
    "login is ",
    "login with ",
    "log in with ",
    "identifiants",
    "zugangsdaten",
  ],
  [[pairValue, (each) => isStatedSecret(each.replace(/[.!?]$/, ""), true)]],
);

const usedAs =
  /(?<=\b(?:use|enter|type|try|set|put) ["'`]?([^\s"'`]{6,64})["'`]? as (?:(?:the|your|my|our|a) )?(?:\w{1,12} )?)password/diy;

/** A password before the word for it: `use … as the password`. */
export const usedPasswords: Rule = {
  name: "used password",
  triggers: [" password"],
  find(text, at, floor) {
    const match = matchAt(usedAs, text, at + 1);
    const isPassword = (each: string) => isStatedSecret(each, true);
    return match === null ? noSpans : capturedSpans(match, isPassword).filter(({ start }) => start >= floor);
  },
};

const hexKey =
  /(?:(?:(?<=(?:api|access|secret|private|auth)[ _-]?)key|(?<=client[ _-]?)secret)(?: is| was)?|token (?:is|was))[ \t]{1,4}["'`]?(?=[a-f:-]{0,64}\d)(?=[\d:-]{0,64}[a-f])(?=[a-f\d:-]{16})([a-f\d]{8,64}(?:[:-][a-f\d]{4,64}){0,4})(?=["'`]?\.?(?:[\s,;!?)]|$))/iy;

/** A key or token in hexadecimal digits, or in groups of them, after its name in a sentence; in code they may be a hash. */
export const toldHexKeys: Rule = valueRule(
  "told key of hexadecimal digits",
  ["key ", "secret ", "token is ", "token was "],
  [[hexKey, () => true]],
);

const quotedPhrase =
  /passphrase(?: (?:is|was))?\\{0,7}["'`]?[ \t]{0,4}[:=]?[ \t]{0,4}\\{0,7}["'`]((?:[a-z]{3,10}[ -]){3,9}[a-z]{3,10})(?=\\{0,7}["'`])/iy;
const wordOfText =
  /\b(?:enter|your|this|that|with|used|must|passphrase|password|phrase|key|new|from|when|will|should)\b/;

/** A passphrase of several words in quotes. */
export const quotedPhrases: Rule = valueRule(
  "quoted passphrase",
  ["passphrase"],
  [[quotedPhrase, (value) => !proseWord.test(value) && !wordOfText.test(value)]],
);

const phrase =
  /(?:seed phrase|recovery phrase|secret phrase|mnemonic(?: phrase)?)["'`]?(?: is| was)?[ \t]{0,4}[:=]?[ \t]{0,4}["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/iy;
/* Words of prose that are not among the 2,048 words of seed phrases. */
const proseWord = /\b(?:the|and|for|are|was|not|but|has|its|which|from)\b/;

/** The twelve to twenty-four words of a wallet's seed phrase. */
export const seedPhrases: Rule = valueRule(
  "seed phrase",
  ["seed phrase", "recovery phrase", "secret phrase", "mnemonic"],
  [[phrase, (value) => !proseWord.test(value)]],
);

const userOfUrl = /:\\?\/\\?\/([\w-]{20,255})(?=@[\w.-]{1,255})/y;

/** A token as the user of a URL: `https://TOKEN@host`. */
export const urlTokens: Rule = valueRule(
  "token in a url",
  ["://", ":\\/\\/"],
  [[userOfUrl, (value) => /\d/.test(value) && !looksOrdinary(value) && entropyBits(value) >= 3]],
);
