import { lowerCase } from "./lower-case.ts";
import { withPlainLetters } from "./plain-letters.ts";
import { onlyAscii } from "./scripts.ts";
import { stopWords } from "./stop-words.ts";
import { withoutMarks } from "./tokens.ts";

/* Which language other than English a query is in. Function words are written as index tokens are: without diacritics. */

interface Marks {
  /** Function words that are no words of English or of code. */
  readonly telling: ReadonlySet<string>;
  /** Function words that mean something in English, too, or in most of the other languages. */
  readonly ambiguous: ReadonlySet<string>;
  /** Letters that hardly any other of the languages has. */
  readonly letters: RegExp;
}

const marksOf = {
  german: marks(
    `der das den dem des und oder aber ist sind wird werden wurde wurden haben nicht kein keine von vom zum zur fur
    bei beim aus auf nach uber unter durch ohne gegen ein eine einen einem einer eines wie wo wann warum wieso welche
    welcher welches wer wir ihr sie ich unser unsere auch noch nur wenn dass ob sich`,
    "mit die hat im es man",
    /[äöüß]/,
  ),
  french: marks(
    `le les des du une et ou dans pour avec sous vers chez sont etait nous vous ils elles notre nos votre vos ce
    cette ces qui que quoi quel quelle quels quelles comment quand pourquoi au aux ne`,
    "sans est la de un en par sur pas plus se sa ses son",
    /[éèêëœ]/,
  ),
  spanish: marks(
    `el los las del unos unas por para sobre entre esta estan nosotros nuestro nuestra nuestros cual cuales quien como
    cuando donde porque su sus esto este esa ese`,
    "con al la de un una y en sin que lo es son fue se",
    /[ñ¿¡]/,
  ),
  portuguese: marks(
    `uma uns umas das nas nos sem sao estao foi nosso nossa nossos qual quais quem quando onde ao aos pela
    pelo pelas pelos seu sua isso essa esse`,
    "os dos com em o e de da do na no um as que por para como sobre entre se este esta",
    /[ãõ]/,
  ),
  italian: marks(
    `il gli dei degli della delle dello dal dalla nel nella nei nelle sul sulla ed chi cui quale quali quando dove perche
    sono noi voi nostro nostra nostri questo questa questi senza tra fra`,
    "la le lo di da del un una e i che come con per non si era",
    /[ìò]/,
  ),
  dutch: marks(
    `het een voor naar bij uit onder zonder tegen tussen zijn wordt worden werd heeft hebben niet geen wij jij zij onze ons
    hoe waar wanneer waarom welke wie dit deze ook als maar`,
    "de en van met over die dat wat nog om op",
    /ij(?=[knst]\b)/,
  ),
  polish: marks(
    `nie przez przy bez nad przed oraz lub albo ale jest byl byla bylo byly jak gdzie kiedy dlaczego ktory ktora ktore kto
    czy ten nasz nasza nasze sie dla`,
    "na z ze od pod w u i a o to do po co sa ta te my",
    /[łąęśźżćń]/,
  ),
  scandinavian: marks(
    `och att inte ett pa fran hos utan mellan som hur varfor vilken vilket vilka vem vad vi vart vara og ikke et til fra
    uden uten mellom hvordan hvor hvornar hvorfor hvilken hvilket hvem hva hvad vores eller blir blev skal`,
    "av det den nar en med ni var er ar har",
    /[åø]/,
  ),
  turkish: marks(
    `ve veya bir icin ile nasil nerede neden hangi kim gibi kadar sonra degil biz siz onlar bizim olan olarak`,
    "bu ne da de mi",
    /[ğşı]/,
  ),
} as const satisfies Record<string, Marks>;

/** Of Russian and Ukrainian, which their letters tell. */
const slavicFunctionWords: ReadonlySet<string> = new Set(
  `на не со ко об от до из за по для при без через между но что как где когда почему зачем какои какая какое какие кто это
  этот эта эти мы вы он она они наш наша наши ли же бы то так уже еще был была было были быть есть нас нам та те тот що
  де коли чому якии яка яке яки це цеи ця ци ми ви вин вона вони та або із зі від`.split(/\s+/),
);

function marks(telling: string, ambiguous: string, letters: RegExp): Marks {
  return { telling: new Set(telling.split(/\s+/)), ambiguous: new Set(ambiguous.split(/\s+/)), letters };
}

export type LatinLanguage = keyof typeof marksOf;
export type InflectedLanguage = LatinLanguage | "slavic";

/** A language, and how many of its marks a query has beyond its English words. */
export interface ToldLanguage {
  readonly language: LatinLanguage;
  readonly lead: number;
}

const latinLanguages = Object.keys(marksOf) as readonly LatinLanguage[];
const latinWord = /[a-z]+/g;

/**
 * The language of a query in Latin letters, if it shows that it is one of the known ones: by more function words than it
 * has English ones, or by letters that English lacks.
 */
export function latinLanguage(query: string): ToldLanguage | undefined {
  const text = lowerCase(query);
  const folded = onlyAscii.test(text) ? text : withPlainLetters(withoutMarks(text));
  const words = [...new Set(folded.match(latinWord))];
  let best: ToldLanguage | undefined;
  for (const language of latinLanguages) {
    const { telling, ambiguous, letters } = marksOf[language];
    const told = words.filter((word) => telling.has(word)).length + (letters.test(text) ? 1 : 0);
    const isEnglish = (word: string) => stopWords.has(word) && !telling.has(word) && !ambiguous.has(word);
    const lead = told - words.filter(isEnglish).length;
    if (lead > (best?.lead ?? 0)) best = { language, lead };
  }
  return best;
}

/** Whether a word, written as an index token, only joins others in the language. */
export function isFunctionWord(language: InflectedLanguage, word: string): boolean {
  if (language === "slavic") return slavicFunctionWords.has(word);
  const { telling, ambiguous } = marksOf[language];
  return telling.has(word) || ambiguous.has(word);
}
