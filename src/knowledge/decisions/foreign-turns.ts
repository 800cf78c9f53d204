import { slavicLetters } from "../../text/slavic-words.ts";

/*
 * How decisions in other languages turn away from something: the few clear phrases that `replaced-decisions.ts` has for
 * English.
 */

const word = "[^\\s,;:!?()]*[^\\s,;:!?().'’-]";
const article =
  "(?:(?:de[rnm]|die|das|des|unsere[nm]?|la|les|el|los|las|un[ae]?|uma|notre|nuestr[oa]|o|os|as|il|lo|gli) |l['’])?";
/** Up to three words, until a preposition or the end of the clause. */
const thing = `${article}(?<thing>${word}(?: ${word}){0,2}?)`;
const ended =
  "(?= (?:(?:für|in|im|bei|mit|weil|da|denn|und|oder|zu|pour|dans|avec|car|parce|et|ou|para|en|con|porque|y|o|em|no|na|com|pois|e|per|nel|nella)\\b|(?:для|во?|на|со?|при|и|или|потому|так|[узій]|та|бо|через|бер[её]м|беремо|использу(?:ем|й)|храним|ставим|використовуємо) )|[.,;:!?)]|$)";
/** Before words that do not begin with an ASCII letter, which `\b` does not know. */
const begins = `(?<![a-zß-ÿ${slavicLetters}])`;
/** In Chinese and Japanese, no blank ends a name: those in Latin letters and in katakana do. */
const name = "(?<thing>[a-z@][\\w.@/+#-]{0,40}(?<![.-])(?![\\w@/+#])|[ァ-ヶー]{2,20})";
const uses = "(?:verwenden|benutzen|nutzen|nehmen|brauchen)";

export const foreignTurns: readonly string[] = [
  `\\b(?:an)?statt (?:(?:in|auf|mit|bei|über) )?${thing}${ended}`,
  `\\banstelle (?:von )?${thing}${ended}`,
  `\\b${uses} (?:wir )?${thing} nicht mehr\\b`,
  `\\bkein(?:e[nrms]?)? ${thing} mehr\\b`,
  `\\b(?:wechseln|migrieren|umsteigen|steigen|stellen) (?:wir )?(?:${word} ){0,2}?von ${thing} (?:zu|auf|nach)\\b`,
  `\\bersetzen (?:wir )?${thing} durch\\b`,
  `(?:^|[,;:] )${thing} (?:kommt|fliegt|ist) (?:${word} )?raus(?= |[.,;:!?]|$)`,
  `\\bau lieu d(?:e |u |es |['’])${thing}${ended}`,
  `\\bplutôt qu(?:e |['’])${thing}${ended}`,
  `\\bremplac(?:er|ons|e|ez) ${thing} par\\b`,
  `\\b(?:passe[rz]?|passons|migre[rz]?|migrons) de ${thing} (?:à|vers)(?= )`,
  `\\bn['’]utilis(?:e|ez|ons|er) plus ${thing}${ended}`,
  `\\ben (?:lugar|vez) de ${thing}${ended}`,
  `\\breempla(?:zar|zamos|cemos|za) ${thing} (?:por|con)\\b`,
  `\\b(?:pasar|pasamos|migrar|migramos) de ${thing} a\\b`,
  `\\bya no (?:usamos|utilizamos) ${thing}${ended}`,
  `\\b(?:em vez|ao invés) d(?:e |[oa] )${thing}${ended}`,
  `\\bjá não (?:usamos|utilizamos) ${thing}${ended}`,
  `\\bnão (?:usamos|utilizamos) mais ${thing}${ended}`,
  `\\bsubstitu(?:ir|ímos|imos) ${thing} p(?:or|elo|ela)\\b`,
  `\\b(?:pass|mud|migr)(?:ar|amos) d[eo] ${thing} para\\b`,
  `\\b(?:invece|al posto) d(?:i |el |ella |ell['’])${thing}${ended}`,
  `\\bnon (?:usiamo|utilizziamo) più ${thing}${ended}`,
  `\\bsostitui(?:re|amo) ${thing} con\\b`,
  `\\b(?:passiamo|passare|migriamo|migrare) da ${thing} a\\b`,
  `${begins}(?:вместо|замість) ${thing}${ended}`,
  `${begins}(?:больше не (?:используем|применяем|храним в)|більше не (?:використовуємо|застосовуємо)) ${thing}${ended}`,
  `${begins}(?:переходим|перешли|перейти|переезжаем|переходимо|перейшли) (?:со?|із?|зі?) ${thing} на `,
  `${begins}(?:заменяем|заменили|замінюємо|замінили) ${thing} на `,
  `不再(?:使用|用) ?${name}`,
  `(?:而不是|代替|取代) ?${name}`,
  `[从從] ?${name} ?(?:迁移|遷移|切换|切換|换|換)(?:到|成|为|為)`,
  `${name} ?の代わりに`,
  `${name} ?(?:は|を)(?:もう使わない|もう使いません|やめて)`,
  `${name} ?から ?${name.replace("?<thing>", "?:")} ?[にへ](?:移行|切り替え|変更)`,
];

/** One of these words is in every phrase above. */
export const mayTurnElsewhere =
  "statt|anstelle|nicht mehr|\\bmehr\\b|\\bvon\\b|ersetzen|raus|au lieu|plutôt|remplac|passe|passons|migr|plus|lugar|vez d|invés|reempla|pasa|ya no|já não|\\bmais\\b|substitu|mudar|mudamos|invece|posto|più|sostitui|passa|вместо|замість|больше не|більше не|пере|замен|замін|不再|而不是|代替|取代|[从從]|代わり|もう使|やめて|から";

/** Between word boundaries. */
export const deniesElsewhere =
  "(?:nicht|kein(?:e[nrms]?)?|nie|niemals|ohne|pas|jamais|sans|nunca|sin|não|sem|non(?!-)|senza)";
/** The same where letters have no such boundaries. */
export const deniesUnbounded = `${begins}(?:не|ни|ні|нет|нельзя|никогда|ніколи|без)(?![${slavicLetters}])|不|别|別|勿|禁止|ない|ません`;
/** Phrases that deny only what they turn away from. */
export const deniesOnlyElsewhere =
  "\\bya no\\b|\\bjá não\\b|\\bnão (?:usamos|utilizamos) mais\\b|\\bnon (?:usiamo|utilizziamo) più(?= )|больше не|більше не|不再|而不是|もう使(?:わない|いません)";

/** Words that say that something is decided, not what about. */
export const decidingElsewhere =
  "wir nehmen nimm verwenden verwende benutzen benutze nutzen nutze bleiben wechseln ersetzen haben habe hat uns mich für entschieden " +
  "beschlossen geeinigt dann ab jetzt sofort nun statt anstatt anstelle durch von zu auf der die das mehr bitte überall also immer " +
  "kommt fliegt ist wieder raus on nous avons utilise utilisons utiliser prends prenons prendre décidé choisi désormais au lieu de du " +
  "plutôt que par pour le la les un une va usa usar usamos vamos hemos decidido elegido en lugar vez por para el los las nos quedamos con " +
  "ya usamos utilizamos use vamos decidimos já não mais em vez ao invés de do da o os as um uma por pelo passar mudar migrar para agora " +
  "usiamo utilizziamo usa usare abbiamo deciso invece di del della al posto non più il lo la gli passiamo da sostituiamo con per ora " +
  "steigen stellen migrieren um passer passe remplacer remplace remplaçons migrer pasar pasamos migrar migramos reemplazar " +
  "reemplazamos reemplacemos passamos mudamos substituir substituímos passare migrare migriamo sostituire перейти замінили " +
  "мы ми решили вирішили используем используй использовать применяем берём берем беремо ставим храним хранить будем будемо вместо замість " +
  "больше більше не переходим перешли переходимо перейшли заменяем заменили замінюємо на со с із з и в у для теперь тепер " +
  "використовуємо використовувати всегда завжди " +
  "我们用 我們用 我们决定使用 我們決定使用 我们决定采用 我們決定採用 使用 采用 採用 改用 决定用 決定用 不再使用 不再用 而不是 代替 取代 用 我们从 我們從 从 從 迁移到 遷移到 切换到 切換到 换成 換成 " +
  "の代わりに を使う を使います を使用する を使用します を採用する を採用します を採用しました もう使わない は に移行 に移行します から に切り替える";
