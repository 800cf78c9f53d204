import { foreignStopWords } from "../../capture/observations/rules/foreign-stop-words.ts";
import { stopWords } from "../../capture/observations/rules/stop-words.ts";
import { lowerCase } from "../../text/lower-case.ts";

/** Words with which decisions and orders are said, whatever they are about. */
const saying: ReadonlySet<string> = new Set(
  `decide decided agree agreed choose chose chosen pick picked use prefer prefers preferred must avoid stick switch
  switched switching move moved remember stop settled
  uns mich mir dir statt entschieden entschlossen beschlossen geeinigt anstatt anstelle nie niemals sofort nehmen nimm verwenden verwende
  benutzen benutze nutzen nutze bleiben wechseln ersetzen
  décidé choisi convenu désormais utiliser utilise utilisons prends prendre lieu plutôt toujours jamais partir
  decidido acordado elegido optado decidimos acordamos usar usa usamos uses utilizar utiliza lugar vez nunca jamás
  siempre adelante ahora vamos sempre agora deciso scelto usare usiamo utilizzare invece mai
  решили решено договорились используем использовать вместо всегда никогда больше будем
  вирішили використовуємо замість завжди ніколи
  决定 決定 使用 采用 採用 改用 代替 一律 不要 不再 必须 必須 我们 我們`.split(/\s+/),
);

/** Whether a term says what a statement is about: statements that share only others have nothing in common. */
export function isTellingTerm(term: string): boolean {
  const word = lowerCase(term);
  return !saying.has(word) && !stopWords.has(word) && !foreignStopWords.has(word);
}
