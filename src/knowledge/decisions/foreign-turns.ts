/*
 * How German, French and Spanish decisions turn away from something: the few clear phrases that `replaced-decisions.ts`
 * has for English. The languages are those of the cues for decisions (`foreign-cues.ts`).
 */

const word = "[^\\s,;:!?()]*[^\\s,;:!?().'’-]";
const article = "(?:(?:de[rnm]|die|das|des|unsere[nm]?|la|les|el|los|las|l['’]|un[ae]?|notre|nuestr[oa]) ?)?";
/** Up to three words, until a preposition or the end of the clause. */
const thing = `${article}(?<thing>${word}(?: ${word}){0,2}?)`;
const ended =
  "(?= (?:für|in|im|bei|mit|weil|da|denn|und|oder|zu|pour|dans|avec|car|parce|et|ou|para|en|con|porque|y|o)\\b|[.,;:!?)]|$)";
const uses = "(?:verwenden|benutzen|nutzen|nehmen|brauchen)";

export const foreignTurns: readonly string[] = [
  `\\b(?:an)?statt (?:(?:in|auf|mit|bei|über) )?${thing}${ended}`,
  `\\banstelle (?:von )?${thing}${ended}`,
  `\\b${uses} (?:wir )?${thing} nicht mehr\\b`,
  `\\bkein(?:e[nrms]?)? ${thing} mehr\\b`,
  `\\b(?:wechseln|migrieren|umsteigen) (?:wir )?(?:${word} ){0,2}?von ${thing} (?:zu|auf|nach)\\b`,
  `\\bersetzen (?:wir )?${thing} durch\\b`,
  `(?:^|[,;:] )${thing} (?:kommt|fliegt|ist) (?:${word} )?raus(?= |[.,;:!?]|$)`,
  `\\bau lieu d(?:e |u |es |['’])${thing}${ended}`,
  `\\bplutôt qu(?:e |['’])${thing}${ended}`,
  `\\bremplac(?:er|ons|e|ez) ${thing} par\\b`,
  `\\b(?:passer|passons|migrer|migrons) de ${thing} (?:à|vers)(?= )`,
  `\\bn['’]utilis(?:e|ez|ons|er) plus ${thing}${ended}`,
  `\\ben (?:lugar|vez) de ${thing}${ended}`,
  `\\breempla(?:zar|zamos|cemos|za) ${thing} (?:por|con)\\b`,
  `\\b(?:pasar|pasamos|migrar|migramos) de ${thing} a\\b`,
  `\\bya no (?:usamos|utilizamos) ${thing}${ended}`,
];

/** One of these words is in every phrase above. */
export const mayTurnElsewhere =
  "statt|anstelle|nicht mehr|\\bmehr\\b|\\bvon\\b|ersetzen|raus|au lieu|plutôt|remplac|passer|passons|migr|plus|lugar|vez de|reempla|pasa|ya no";

export const deniesElsewhere = "(?:nicht|kein(?:e[nrms]?)?|nie|niemals|ohne|pas|jamais|sans|nunca|sin)\\b";

/** Words that say that something is decided, not what about. */
export const decidingElsewhere =
  "wir nehmen nimm verwenden verwende benutzen benutze nutzen nutze bleiben wechseln ersetzen haben habe hat uns mich für entschieden " +
  "beschlossen geeinigt dann ab jetzt sofort nun statt anstatt anstelle durch von zu auf der die das mehr bitte überall also immer " +
  "kommt fliegt ist wieder raus on nous avons utilise utilisons utiliser prends prenons prendre décidé choisi désormais au lieu de du " +
  "plutôt que par pour le la les un une va usa usar usamos vamos hemos decidido elegido en lugar vez por para el los las nos quedamos con";
