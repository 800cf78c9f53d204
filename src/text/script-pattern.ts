import { plainText } from "./scripts.ts";

/*
 * Patterns with Unicode classes. V8 builds such a class in up to half a millisecond: when the pattern is created, and
 * again when it is executed for the first and the second time. A command runs for 50 ms, and most of its texts are
 * plain. So each pattern is made when a text needs it: with its classes, or, for plain texts, with their members there.
 */

/** What each class has of the characters of plain texts, as contents of a character class. */
const plainMembers: Readonly<Record<string, string>> = {
  L: "A-Za-z",
  Lu: "A-Z",
  Ll: "a-z",
  N: "0-9",
  M: "",
  Cf: "",
  Ps: "(\\[{\u201a",
  Pe: ")\\]}",
  Pi: "\u2018\u201b\u201c",
  Pf: "\u2019\u201d",
  EMod: "",
  Extended_Pictographic: "",
  "Script=Latin": "A-Za-z",
  "Script=Greek": "",
  "Script=Cyrillic": "",
  "Script=Han": "",
  "Script=Hiragana": "",
  "Script=Katakana": "",
  "Script=Hangul": "",
  "Script=Thai": "",
  "Script=Lao": "",
  "Script=Khmer": "",
  "Script=Myanmar": "",
};

/** The pattern to use for a text. Its flags are the given ones and `u`. */
type ScriptPattern = (text: string) => RegExp;

export function scriptPattern(source: string, flags = ""): ScriptPattern {
  let plain: RegExp | undefined;
  let whole: RegExp | undefined;
  return (text) => {
    if (plainText.test(text)) {
      plain ??= new RegExp(withPlainMembers(source), `${flags}u`);
      return plain;
    }
    whole ??= new RegExp(source, `${flags}u`);
    return whole;
  };
}

function withPlainMembers(source: string): string {
  let isInClass = false;
  return source.replace(/\\p\{([^}]+)\}|\\.|[[\]]/gsu, (found: string, name?: string) => {
    if (found === "[") isInClass = true;
    if (found === "]") isInClass = false;
    if (name === undefined) return found;
    const members = plainMembers[name];
    if (members === undefined) throw new Error(`nobody has said what plain texts have of \\p{${name}}`);
    return isInClass ? members : `[${members}]`;
  });
}
