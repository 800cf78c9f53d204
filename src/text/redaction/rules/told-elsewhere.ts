import { noSpans, type Rule } from "../rule.ts";
import { valueAt } from "../value-rule.ts";
import { isStatedSecret } from "./stated-secret.ts";

/*
 * A password after the word for it in languages with non-ASCII letters: `пароль от базы: …`, `密码是…`. The value is
 * ASCII, so that it ends where a text without blanks continues.
 */

/** Without the first letter if that may be a capital; the rest is specific enough. */
const rare = [
  "ароль",
  "パスワード",
  "비밀번호",
  "كلمة المرور",
  "كلمة السر",
  "סיסמה",
  "סיסמא",
  "पासवर्ड",
  "ật khẩu",
  "asło",
  "ösenord",
];
/** Words that texts often contain, or parts of others: looked at only where the value is announced. */
const frequent = ["密码", "密碼", "ifre", "arola"];
const about = "(?: [^\\s:=,;.!?]{1,40}){0,3}";
const announcement =
  "(?:[ \u00a0]?[:：=]|[ \u00a0]?(?:是|为|為|は|는|은|это|—|là|הוא|היא|هي|है))[ \u00a0\u3000]{0,2}";
const value = "[\"'`「“]?([!#-&*+\\-./0-9:=?-Z^_a-z|~]{6,64})(?=[\"'`]?\\.?(?:[\\s,;!?)\\u0080-\\uffff]|$))";
const told = new RegExp(`(?:${[...rare, ...frequent].join("|")})${about}${announcement}${value}`, "y");

export const toldElsewhere: Rule = {
  name: "password told in another language",
  triggers: [
    ...rare,
    ...["密码是", "密码为", "密码:", "密码：", "密碼是", "密碼為", "密碼:", "密碼：", "ifre:", "arola:"],
  ],
  find(text, at) {
    const found = valueAt(told, text, at);
    const password = found?.value.replace(/[.!?:]$/, "");
    if (found === undefined || password === undefined || !isStatedSecret(password, true)) return noSpans;
    const { start } = found.span;
    return [{ start, end: start + password.length }];
  },
};
