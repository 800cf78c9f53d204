import { indexTokens } from "../../text/tokens.ts";
import { asksOpenWork } from "./asked-open-work.ts";

/*
 * What a query asks for that names a time and else only a kind of event: "what did we decide last week". What is left to
 * do may be asked for without a time.
 */

type KindOfEvent = "decisions" | "errors" | "commits" | "changes";
export type AskedKind = KindOfEvent | "open";

const alone = (words: string) => new RegExp(`(?<![\\wà-ÿа-яёіїєґ])(?:${words})(?![\\wà-ÿа-яёіїєґ])`, "gi");

/** In each, words of English, German, Spanish, French, Russian and Ukrainian; then of Chinese and Japanese. */
const wordsOfKinds: Readonly<Record<KindOfEvent, readonly [words: string, unspaced?: string]>> = {
  decisions: [
    "decide[ds]?|decisions?|agreed?|choose|chosen?|entschieden|entscheidung(?:en)?|beschlossen|decidi(?:mos|do|ó)|decisi(?:ón|ones)|décid(?:é|ons)|décisions?",
  ],
  errors: [
    [
      "errors?|fail(?:s|ed|ing|ures?)?|broke|broken|breaks?|crash(?:es|ed)?|wrong|problems?|bugs?",
      "fehler[ns]?|fehlermeldung(?:en)?|fehlgeschlagen|fehlschläge|schief(?:gelaufen|gegangen)?|kaputt(?:gegangen)?|gescheitert|abgestürzt|abst(?:urz|ürze)|probleme?",
      "error(?:es)?|fall(?:os?|ó|aron)|problemas?|mal",
      "erreurs?|échou(?:é|ée|és|ées|ent)|échecs?|planté|cassée?s?|problèmes?",
      "ошиб(?:к[аи]|ок)|упал[аио]?|сломал(?:ось|ся|ась|ись)|сбо[йи]|сбоев|проблем[аы]?|не так",
      "помил(?:к[аи]|ок)|впа(?:в|л[аио])|зламал(?:ося|ася|ися|ось)|збо[йї]|збоїв|проблем[аи]?",
    ].join("|"),
    "[错錯][误誤]|[报報出][错錯]|失[败敗]|异常|異常|崩[溃潰]|エラー|失敗|不具合|障害",
  ],
  commits: [
    "commits?|committed|committet|eingecheckt|commité[es]?|коммит(?:ы|ов|ил|или)?|за?коммитил[аи]?|коміт(?:и|ів|ив|или)?|за?комітил[аи]?",
    "提交|コミット",
  ],
  // Of files; "what changed" asks for all that happened.
  changes: [
    [
      "files?|edit(?:s|ed)?|modif(?:y|ied)",
      "dateien?|bearbeitet|verändert",
      "archivos?|ficheros?|edit(?:é|ó|amos|aron)|modifi(?:qué|có|camos|caron|cados?)",
      "fichiers?|modifi(?:é|ée|és|ées|ons)",
      "файл(?:ы|ов)?|меня(?:л|ла|ли)|правил[аи]?|редактировал[аи]?",
      "файл(?:и|ів)?|міня(?:в|ла|ли)|правив|правил[аи]|редагува(?:в|ла|ли)",
    ].join("|"),
    "文件|檔案|改过|改過|修改|ファイル|編集",
  ],
};

/** Words that say nothing more beside those. */
const beside = [
  "which|tests?|builds?|made|list|all|any|ran|into|run",
  "welche[rsnm]?|gelaufen|gegangen|aufgetreten|gehabt",
  "hubo|hubieron|tuvimos|cu[áa]les|pruebas|salió|fueron",
  "quel(?:le)?s?|eu|il|y|sont|étaient",
  "как(?:ие|ой)|были|тесты|пошло",
  "був|були|тести|пішло",
].join("|");

const patterns = new Map<KindOfEvent, readonly RegExp[]>();

/** Made at first use, because few queries name a time. */
function patternsOf(kind: KindOfEvent): readonly RegExp[] {
  const known = patterns.get(kind);
  if (known !== undefined) return known;
  const [words, unspaced] = wordsOfKinds[kind];
  const made = [alone(words), ...(unspaced === undefined ? [] : [new RegExp(unspaced, "g")])];
  patterns.set(kind, made);
  return made;
}

/** The kind of event that is all that the words beside a time ask for. */
export function kindAsked(words: string): AskedKind | undefined {
  for (const kind of Object.keys(wordsOfKinds) as KindOfEvent[]) {
    const others = patternsOf(kind).reduce((text, pattern) => text.replace(pattern, " "), words);
    if (others !== words && indexTokens(others.replace(alone(beside), " ")).length === 0) return kind;
  }
  return asksOpenWork(words, { besideTime: true }) ? "open" : undefined;
}
