import { lowerCase } from "../../../text/lower-case.ts";

/** Words with which people tell an agent to go on or to stop, and with which texts of several parts begin. */
const sayNothingAlone = new Set(
  (
    "ok okay k yes yeah yep yup sure no nope fine good great nice perfect cool thanks thank you please lgtm right " +
    "ty thx cheers wow awesome amazing excellent brilliant wonderful lol haha correct agreed exactly go on ahead " +
    "continue keep proceed next do it so that then now and sounds looks makes sense done " +
    "i see you re absolutely understood found got interesting " +
    "both all two three few one more thing things stop wait hmm oh sorry bye nein stopp halt moment leg los mach das super passt " +
    "ja bitte danke genau gerne gut klar weiter oui merci parfait d accord sí si vale claro gracias perfecto " +
    "sigue sim obrigado obrigada continua да хорошо отлично спасибо продолжай дальше ок evet tamam teşekkürler devam et " +
    "vâng cảm ơn tiếp tục نعم حسنا شكرا تابع כן תודה המשך हाँ ठीक है धन्यवाद 好 好的 好吧 可以 对 是的 继续 请继续 没问题 谢谢 對 對的 对的 嗯 是 繼續 請繼續 沒問題 謝謝 請 请 " +
    "fertig erledigt geschafft terminé fini voilà listo hecho pronto feito fatto gedaan klaar gotowe klart färdig tamamlandı " +
    "готово сделано выполнено конечно понял виконано зроблено 完成 已完成 完成了 完了 完了です できました 완료 완료했습니다 " +
    "はい お願いします ありがとう 続けて 네 좋아요 계속 계속해 감사합니다"
  ).split(" "),
);

/** The letter or number of something that was offered to choose from: `b`, `option 2`. */
const choice = /^(?:options?|variants?|[a-z]|\d)$/;
const objection = /^\W{0,3}(?:no|nope|wrong|stop|wait|nein|falsch|non)\b/;
/** An objection with more words than that says what to do. */
const mostObjected = 2;

/** Whether a prompt, such as `ok, go on`, says nothing without what it answers. */
export function isShortReply(prompt: string): boolean {
  return tellingWords(prompt)?.length === 0;
}

const thankWords = "thanks?|thx|bye|danke?|merci|gracias|obrigad[oa]";
const praiseWords =
  "great|good|perfect[oa]?|perfekt|parfait|nice|cool|super|lgtm|passt|ok(?:ay)?|genial|excelente|looks (?:good|great|fine)|well done|that['’]s (?:it|all)";
const besideWords = "you|so much|a lot|very much|very|sehr|vielen|beaucoup|muchas|all|now";
const closing = new RegExp(`\\b(?:${thankWords}|${praiseWords})\\b`, "i");
const polite = new RegExp(`\\b(?:${thankWords}|${praiseWords}|${besideWords})\\b`, "gi");

/** Whether a prompt only thanks, praises or says goodbye, so that it waits for no answer. */
export function isFarewell(prompt: string): boolean {
  const asks = /[\p{L}\p{N}?？]/u;
  // Some people only send a thumb.
  return (closing.test(prompt) || !asks.test(prompt)) && !asks.test(prompt.replace(polite, ""));
}

/** `Good, I have the full picture.`, `Now I have enough context.` */
const readEnough =
  /^(?:\p{L}+\W{1,3}){0,2}I(?: now|['’]ve)? (?:have|got)(?: (?:an?|the|all|enough|full|clear|good|complete|whole|of)){0,4} (?:context|information|overview|patterns|picture|understanding)(?: now| I need)?\W*$/iu;

/**
 * Whether a sentence says little without the next one: a short reply, a mere objection (`no, not npm!`), or that
 * enough was read.
 */
export function needsNext(sentence: string): boolean {
  if (readEnough.test(sentence)) return true;
  const telling = tellingWords(sentence);
  if (telling === undefined) return false;
  return telling.length === 0 || (telling.length <= mostObjected && objection.test(lowerCase(sentence)));
}

/** The words that say something by themselves; undefined for a question and for a text without words. */
function tellingWords(text: string): string[] | undefined {
  if (/[?？؟]/.test(text)) return undefined;
  const words = lowerCase(text).match(/[\p{L}\p{N}\p{M}]+/gu);
  return words?.filter((word) => !sayNothingAlone.has(word) && !choice.test(word));
}
