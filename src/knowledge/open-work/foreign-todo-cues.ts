import { slavicInfinitive, slavicLetters } from "../../text/slavic-words.ts";

/*
 * Phrases that say that something is left to do, in languages other than English: few and clear ones, which no
 * description of a program has. For texts in lower case.
 */

const letter = `[a-zß-ÿœ${slavicLetters}]`;

/** Where nothing but the work follows. */
const beforeWork = "(?=[*_]*\\s*(?:[:—–]|$))";

const spaced = [
  "noch (?:offen|zu (?:tun|erledigen)|nicht (?:fertig|erledigt|gemacht|begonnen|umgesetzt|implementiert)|fehl(?:t|en))",
  "fehl(?:t|en) noch|steh(?:t|en) noch aus|als nächstes|nächste schritte|offene (?:punkte|aufgaben)",
  "reste(?:nt)? (?:encore )?à|à faire|prochaines? étapes?|pas encore (?:fait|terminé|implémenté)e?s?",
  "por hacer|pendientes?|próximos? pasos?|quedan? por|faltan? por",
  "por fazer|pendentes?|próximos? passos?|ficam? por|ainda faltam?|faltam? ainda",
  "falta (?:fazer|implementar|testar|escrever|terminar|corrigir)",
  "ainda não (?:está |estão |foi |foram )?(?:feit|terminad|implementad|testad|concluíd)[oa]s?",
  "(?:resta|restano|rimane|rimangono|ancora) da (?:fare|finire|implementare|testare|scrivere|completare)",
  "(?<!(?:facil[ei]|difficil[ei]|semplic[ei]) )da fare|manca(?:no)? ancora|ancora manca(?:no)?|prossim[io] pass[io]",
  "non (?:è |sono )?ancora (?:fatt|finit|implementat|testat|completat)[oaie]",
  `оста(?:лось|лись|ётся|ется) (?:(?:ещё|еще|только|лишь) ){0,2}${slavicInfinitive}|осталось${beforeWork}`,
  `(?:нужно|надо) (?:будет|(?:ещё|еще|потом|позже)) ${slavicInfinitive}|(?:ещё|еще|потом|позже) (?:нужно|надо) ${slavicInfinitive}`,
  "(?:нужно|надо|необходимо|предстоит) (?:доделать|дописать|доработать|закончить|завершить)",
  "(?:пока|ещё|еще) не (?:сделан|реализован|готов|закончен|завершен|завершён|проверен|протестирован|исправлен)[аоы]?",
  "следующи[ей] шаги?|открытые (?:вопросы|задачи)|(?:отложен[аоы]?|оставлен[аоы]?|отложил[аи]?|оставил[аи]?) на потом",
  `зали(?:шилося|шилось|шається) (?:(?:ще|лише|тільки) ){0,2}${slavicInfinitive}|зали(?:шилося|шилось)${beforeWork}`,
  `(?:потрібно|треба) (?:буде|ще|потім|пізніше) ${slavicInfinitive}|(?:ще|потім|пізніше) (?:потрібно|треба) ${slavicInfinitive}`,
  "ще не (?:зроблен|реалізован|готов|завершен|перевірен|протестован|виправлен)[аоиі]?й?",
  "наступн(?:і кроки|ий крок)|відкриті (?:питання|завдання)|(?:відкладено|залишено|відклав|відклала) на потім",
];

/** Chinese and Japanese. */
const unspaced = [
  "[还還]需要?(?:做|完成|[实實]现|[实實]現|[补補]充|[测測][试試]|[处處]理|添加|修[复復])|[还還]需要?(?=[:：])",
  "待[办辦](?:事[项項]|[:：]|$)|剩[下余餘]的?(?:工作|任[务務]|部分)|下一步(?!按[钮鈕])|[后後][续續]工作",
  "(?:尚未|[还還](?:[没沒]有?|未))(?:做|完成|[实實][现現]|提交|[测測][试試]|[处處]理|修[复復])",
  "残りは|残りの?(?:作業|タスク|課題)|残(?:作業|課題|タスク)|次のステップ|今後の課題|未実装|未対応|未着手",
  "(?:作業|課題|タスク)が残って|まだ[^。！？\\n]{0,20}てい?(?:ません|ない)",
  "(?:あとで|後で)[^。！？\\n]{0,20}(?:必要|対応(?:する|します)|実装(?:する|します)|追加(?:する|します)|直(?:す|します))",
].join("|");

export const cueElsewhere = `(?:(?<!${letter})(?:${spaced.join("|")})(?!${letter})|${unspaced})`;

const nothing =
  "(?:nichts|keine?|rien|aucune?|nada|ningun[oa]|nenhuma?|niente|nulla|nessun[oa]?|ничего|нет|нічого|немає|[无無]|[没沒]有|なし|ありません)";

/** Phrases with such a cue that say that nothing is left. */
export const nothingLeftElsewhere: readonly string[] = [
  `(?<!${letter})${nothing}(?: ${letter}+){0,2} ${cueElsewhere}`,
  `${cueElsewhere}[*_]*\\s?[:：][\\s*_]*${nothing}(?!${letter})`,
  `(?:[没沒]有|[无無])(?:任何|其他)?(?:${unspaced})`,
  `(?:${unspaced})(?:[はが]?(?:もう|特に)?)(?:ありません|なし|ないです)`,
];

export const allDoneElsewhere = [
  "\\b(?:alles (?:erledigt|fertig)|tout est (?:fait|fini|terminé)|todo (?:está )?(?:hecho|listo|terminado))",
  "\\b(?:tudo (?:está )?(?:feito|pronto|terminado)|tutto (?:è )?(?:fatto|finito|pronto))",
  `(?<!${letter}|не )(?:вс[её] (?:готово|сделано)|усе (?:готово|зроблено))`,
  "(?<![未没沒]|[没沒]有)全部完成|(?:すべて|全て)完了し(?:ました|た)",
].join("|");
