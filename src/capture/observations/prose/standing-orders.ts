/*
 * English phrases by which a user says how work is to be done in general, beyond the present task. Gaps are bounded, so
 * that matching is linear.
 */

const gap = (most: number) => `[^.!?;\\n]{0,${most}}?`;
const anywhere = (parts: readonly string[]) => new RegExp(String.raw`\b(?:${parts.join("|")})\b`, "i");
/** At the start of a sentence or of a part of one: `stop adding emojis`, but not `it does not stop adding rows`. */
const opening = (parts: readonly string[]) =>
  new RegExp(
    String.raw`(?:^|[.!?,;:(—–-]\s|\b(?:please|and|but|so|also|then|ok|okay)[,:]? )(?:${parts.join("|")})\b`,
    "im",
  );

/** The start of what an agent does again and again, `stop using`. */
const habit =
  "add|apologi[sz]|assum|ask|chang|comment|commit|creat|delet|edit|explain|generat|guess|invent|mak|mock|push|put|refactor|reformat|remov|renam|repeat|run|touch|us|writ|over-?engineer|over-?complicat";
const forbidden =
  "add|assume|call|change|commit|create|delete|deploy|edit|generate|hard-?code|import|install|introduce|log|merge|mix|mock|modify|push|put|rely|rename|repeat|store|swallow|touch|write";
const notDone =
  "use|add|allow|call|commit|create|deploy|do|hard-?code|import|log|merge|mock|push|put|rely|ship|store|support|test|touch|write";
const chore = "run|update|add|check|write|format|lint|build|test|bump|sign|squash|rebase|tag|review";
const occasion =
  "commit|push|merge|release|deploy(?:ment)?|PR|pull request|change|migration|step|session|feature|edit";
const named =
  "commit messages?|pull requests?|branch(?:es| names?)|comments|docstrings|identifiers|(?:file|variable|function|class|test|field|column|table|package) ?names?|private (?:fields|methods|members)";
const fragment = "[\\w@/.+#-]{2,30}(?: [\\w@/.+#-]{2,30})?";
const ends = "(?= *(?:[.,;!]|$))";

const rules = anywhere([
  `I(?:['’]d| would) rather (?!${gap(60)}(?:first|now))[a-z]+`,
  "for the record|ask before|let['’]s not (?:use|add)",
  "(?:keep|bear) in mind(?=:|,| that)|you keep (?:forgetting|ignoring)|told you (?:already|before|not to|to|that)",
  `we (?:don['’]t|do not) (?:${notDone})`,
  `(?:${named}) (?:should|shall|have to|need to|start|begin|go in|are (?:always |in (?:english|german|french|spanish|chinese|japanese|upper|lower|camel|snake|kebab|imperative|past|present)|written |named |upper|lower|camel|snake|kebab|plural|singular|prefixed))`,
  `(?:belongs?|goes|go|lives?) ${gap(60)}, not`,
]);
const reminder = opening([
  `(?:always )?remember(?=:| that|, | to ${gap(80)}(?:every|each|before|after|when))`,
  "(?:don['’]t|do not) forget(?=:| that|, )",
]);
/** Orders, if nothing marks them as ones for the present task. */
const orders = opening([
  `(?:stop|quit) (?:${habit})[a-z]{0,2}ing`,
  `(?:don['’]t|do not) (?:ever )?(?:${forbidden})`,
  "only use|(?<!and )avoid (?!the|an?)[\\w-]+",
  "use (?!(?:the|an?) )[^.,;!?\\n]{1,40} instead(?! of)",
  `(?:${chore})\\b(?!${gap(60)} (?:that|which|hook|script|job)\\b)${gap(60)} (?:before|after|with|for|on) (?:every|each|any) (?:[\\w-]+ )?(?:${occasion})`,
  `(?:all|every) (?:(?!(?:you|we|i|they|of|to) )[\\w-]+ ){1,4}(?:should|needs?|has to|have to|belongs?|goes|go|gets?)(?! ${gap(40)}(?:pass|green|work|fix|again))`,
  "no[,.:!]? (?:please )?(?:use(?! of)|take)|please,? no",
  "no (?!thanks?|problem|worries|idea|need|rush|hurry|wait|longer|one|matter|big)[\\w-]+(?: [\\w-]+){0,5},? please(?= *(?:[.,;!]|$))",
  `(?!(?:the|there|it) )(?:no, )?${fragment}, not (?!(?:yet|now|the|an?|in|on|at|only|sure|really)\\b)${fragment}${ends}`,
  `(?!(?:the|there|it) )[\\w@/.+-]{2,40} instead${ends}`,
]);
const present =
  /\b(?:this|that(?= ?[.,;!]|$)|these|those|yet|now|here|today|just|only (?:fix|change|do)|anything|it|it['’]s|until|unless|when|while|if)\b/i;

/** Whether a sentence tells how work is done in general. */
export function isStandingOrder(sentence: string): boolean {
  return (
    rules.test(sentence) || reminder.test(sentence) || (orders.test(sentence) && !present.test(sentence))
  );
}
