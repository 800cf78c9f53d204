import type { Rule } from "../rule.ts";
import { valueRule } from "../value-rule.ts";
import { placeRule } from "./place.ts";
import { isLiteral } from "./placeholder.ts";

/*
 * What was typed at a prompt for a password, where a terminal showed it: `Enter passphrase for key '…': …`. The prompt
 * begins its line, and the answer ends it. Mostly the answer was not shown, and a message of the program follows.
 */

const lineStart = "(?<=(?:^|\\n|\\\\n)[ \\t>]{0,4}";
const lineEnd = "[ \\t]{0,8}(?=\\r?\\n|\\\\[nr]|[\"']?$)";
const answer = "((?:(?!\\\\[nr])\\S){4,128}?)";
const word = "(?:password|passphrase|pass phrase|passcode|passwort|kennwort)";

/* The prompts of programs: sudo, ssh, su, psql, mysql, passwd, ssh-keygen, openssl, keytool, gpg, ansible. */
const asked = new RegExp(
  `${lineStart}(?:(?:verifying - )?(?:re-?)?enter [\\w ]{0,30}|(?:new|current|old|retype|repeat|confirm|retype new|repeat new|confirm new|become|ssh|sudo|vault|key|keystore|admin|master) |\\? [\\w ]{0,30}|\\(current\\) unix |\\[sudo\\] |[\\w.-]{1,64}@[\\w.-]{1,255}'s ))${word}(?: (?:again|for|of|to)(?: (?:user|key|new user|your)?){0,2}(?: ?["']?[\\w@:/.~+-]{1,200}["']?)?)?(?: \\([^()\\n]{1,60}\\))?: {1,2}${answer}${lineEnd}`,
  "iy",
);
/* The name of a user on the line before, or whom the password is for. */
const afterUser = new RegExp(
  `(?<=(?:^|\\n|\\\\n)[ \\t>]{0,4}(?:[Uu]ser ?name|[Uu]ser|[Ll]ogin|E-?[Mm]ail|Benutzername)(?: for ["'\\w:/.@-]{1,200})?:[ \\t]{1,4}\\S{0,100}[^\\s,;][ \\t]{0,8}(?:\\r?\\n|\\\\n)[ \\t>]{0,4})(?:Password|Passphrase|Passwort|Kennwort):[ \\t]{1,4}${answer}${lineEnd}`,
  "y",
);
const forUser = new RegExp(
  `${lineStart})${word} for (?:user )?["']?[\\w@:/.~+-]{1,200}["']?: ${answer}${lineEnd}`,
  "iy",
);
const phraseFor = new RegExp(
  `${lineStart}enter )passphrase for (?:key )?["']?[\\w@:/.~+-]{1,200}["']?: ((?:[a-z\\d-]{2,20} ){2,11}[a-z\\d-]{2,20})${lineEnd}`,
  "iy",
);

/* The beginnings of messages that follow a prompt on its line, and the end of the text around the prompt. */
const message =
  /^(?:error|warning|sorry|denied|failed|failure|incorrect|invalid|wrong|ok|okay|yes|hidden|updated|changed|unchanged|accepted|skipped|cancell?ed|aborted|required|correct|verified|done|success|successful)\b|[:,;]$|\.{1,3}$|^[[(<*•●"'`\\-]|["'`](?:[,:;)}\]+]|$)/i;
const proseWord =
  /\b(?:the|and|for|are|was|not|but|has|by|from|try|again|denied|permission|connection|closed)\b/;

const isAnswer = (value: string) => isLiteral(value) && !message.test(value);

/** What was typed at a prompt for a password. */
export const answeredPrompts: Rule = valueRule(
  "answer to a prompt",
  [
    ...["password: ", "passphrase", "pass phrase: ", "passcode: ", "passwort: ", "kennwort: "],
    ...["password for ", "password again: "],
  ],
  [
    [asked, isAnswer],
    [afterUser, isAnswer],
    [forUser, isAnswer],
    [phraseFor, (value) => !proseWord.test(value)],
  ],
);

/** What a script sends after it waited for a prompt for a password: `expect "assword:"` and `send "…\r"`. */
export const sentToPrompts: Rule = placeRule({
  name: "answer sent to a prompt",
  triggers: ["send ", "sendline("],
  pattern:
    /(?<=\b(?:assw(?:or)?d|assphrase|password|passphrase)[^\n]{0,80}(?:\n[^\n]{0,40})?)(?:send (?:-- )?"([^"\n$[\]\\]{4,200})\\[rn]"|(?<=\.)sendline\(["']([^"'\n]{4,200})["']\))/diy,
});
