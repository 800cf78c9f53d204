import { entropyBits, looksOrdinary } from "../randomness.ts";
import { noSpans, type Rule } from "../rule.ts";
import { valueAt, valueRule } from "../value-rule.ts";
import { isStatedSecret } from "./stated-secret.ts";

/* Secrets in sentences, as people write them to an agent and as programs print them: the secret follows its name. */

const passwordWord =
  "(?:passwor[dt]|passphrase|passcode|kennwort|mot de passe|contrase(?:\u00f1|n\u0303?)a|senha)";
const about =
  "(?: (?:for|of|to|on|from|in)(?: (?:the|our|my|this))?(?: [\\w@./'-]{1,60}){1,2}){0,2}(?: \\([^()\\n]{1,40}\\))?";
const value = "[\"'`]?([^\\s\"'`<>(){}\\[\\],;]{6,64})(?=[\"'`]?\\.?(?:[\\s,;!?)]|$))";
const announcement =
  "(?: (?:is|was|will be|changed to|set to|ist|lautet|est|es|\u00e9)(?: now)?|[ \\u00a0]?:| =)[ ]{1,2}";
const announced = new RegExp(`${passwordWord}${about}${announcement}${value}`, "iy");
const setOff = new RegExp(`${passwordWord}${about} ${value}`, "iy");

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
    "kennwort",
    "de passe",
    "contrase",
    "senha ",
    "senha:",
  ],
  find(text, at) {
    const word = text.slice(Math.max(0, at - 4), at).toLowerCase() === "mot " ? at - 4 : at;
    for (const pattern of [announced, setOff]) {
      const found = valueAt(pattern, text, word);
      const password = found?.value.replace(/[.!?]$/, "");
      if (found === undefined || password === undefined || !isStatedSecret(password, pattern === announced))
        continue;
      const { start } = found.span;
      return [{ start, end: start + password.length }];
    }
    return noSpans;
  },
};

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
