import { type CuePatterns, gapWithout, wordCue } from "./cue-patterns.ts";

/* German, French, Spanish, Portuguese and Italian. */

const gap = gapWithout("nicht|noch|pas|encore|no");

const letter = "[a-zß-ÿœ]";

/**
 * `It has no uses in the tests` is English: there such a word or the end of the sentence follows, and no
 * noun.
 */
const englishAfterUses =
  "(?:of|for|in|at|on|to|by|from|left|remain(?:ing|s)?|found|yet|any(?:where|more)|elsewhere|outside|inside|within|and|or|but|so|because|since|as|that|which|are|were|is|was|now|here|there|other|beyond|except|besides|after|when|if)";

const cue = (parts: readonly string[]) => wordCue(letter, parts);

const german = "(?:verwende|benutze|nutze|nimm|verwenden|benutzen|nutzen|nehmen)";
const french = "(?:utilise[rz]?|utilisons|prends|prenez|prenons|prendre)";
const portuguese = "(?:us(?:a|e|ar|amos|aremos)|utiliz(?:a|e|ar|amos|aremos))";
const italian = "(?:us(?:a|are|iamo|eremo)|utilizz(?:a|are|iamo|eremo))";
const spanish = "(?:us(?:a|ar|amos|aremos|emos|e)|utiliz(?:a|ar|amos|aremos)|utilicemos|utilice)";

const decision = cue([
  `(?:uns|mich) ${gap(8)}(?:entschieden|entschlossen|geeinigt)`,
  "(?<!nicht )(?:haben|habe|wurde) (?:wir |ich )?(?:entschieden|beschlossen)",
  `(?:haben|habe|wurde) ${gap(5)}beschlossen`,
  // `nehmen wir an` means `let us suppose`.
  `(?:wir nehmen|nehmen wir)(?! ${gap(3)}an(?:[ ,.!]|$))`,
  "wir bleiben bei",
  `(?:wir wechseln|wechseln wir) (?:von ${gap(3)})?(?:zu|auf)`,
  `(?:wir ersetzen|ersetzen wir) ${gap(4)}durch`,
  `(?:wir (?:verwenden|benutzen|nutzen|nehmen)|(?:verwenden|benutzen|nutzen|nehmen) wir) ${gap(4)}nicht mehr`,
  `fliegt ${gap(1)}raus|kommt wieder raus`,
  "(?:ab|von) (?:jetzt|sofort|nun)(?: an)?",
  "bitte (?:nie|niemals|immer(?! noch))",
  "(?<=[,;:] )niemals(?! ge)",
  `(?:an)?statt ${gap(5)}${german}`,
  `${german} ${gap(6)}(?:anstatt|statt|anstelle)`,
  `(?:on a|nous avons|j['’]ai|il a été) ${gap(1)}(?:décidé|choisi|convenu)`,
  "c['’]est décidé",
  "(?:on part|nous partons|partons) sur",
  `(?:on va|nous allons) (?:utiliser|prendre|garder|partir sur)`,
  "désormais",
  "dorénavant",
  "à partir de maintenant",
  "(?:toujours|ne jamais) utiliser",
  "(?:utilise[rz]? toujours|n['’]utilise[rz]? jamais)",
  "(?:on n['’]utilise|nous n['’]utilisons) plus",
  `${french} ${gap(6)}(?:au lieu d(?:es?|u)|plutôt que)`,
  `${french} ${gap(6)}(?:au lieu d|plutôt qu)['’]${letter}+`,
  "(?<!no )(?:hemos|he|se ha) (?:decidido|acordado|elegido|optado)",
  "(?<!(?:no|não) )(?:decidimos|acordamos|optamos por|se decidió)",
  "nos quedamos con",
  "ya no (?:usamos|utilizamos)",
  `vamos a (?:usar|utilizar|quedarnos con)`,
  "a partir de ahora",
  "de ahora en adelante",
  "(?:nunca|jamás|siempre) (?:uses|utilices|usa|utiliza|usar|utilizar|hagas)",
  `${spanish} ${gap(6)}en (?:lugar|vez) de`,
  "(?<!não )(?:ficou|foi|está) decidido",
  "(?<!não )(?:optámos por|combinamos|combinámos)",
  "vamos (?:usar|utilizar|adotar|adoptar|ficar com)",
  "de agora em diante|daqui em diante|a partir de agora",
  "já não usamos|não usamos mais",
  "(?:nunca|sempre) (?:use|utilize|usem|utilizem|faça|façam)",
  `${portuguese} ${gap(6)}(?:em vez de|ao invés de)`,
  "(?<!non )(?:abbiamo|ho|è stato) (?:deciso|scelto|concordato)",
  "d['’]ora in (?:poi|avanti)|da ora in (?:poi|avanti)|da adesso in poi",
  "non usiamo più",
  "(?:usa|usate|usare|utilizza|utilizzare) sempre|non (?:usare|usate|utilizzare) mai",
  `${italian} ${gap(6)}(?:invece d|al posto d)(?:i|el|ella)`,
]);

const forGood = cue([
  "(?:ab|von) (?:jetzt|sofort|nun)",
  "nie|niemals|immer(?! noch)",
  "désormais|dorénavant|à partir de maintenant",
  "toujours|jamais",
  "a partir de ahora|de ahora en adelante",
  "nunca|jamás|siempre|sempre",
  "de agora em diante|daqui em diante|a partir de agora",
  "d['’]ora in (?:poi|avanti)|da ora in (?:poi|avanti)|da adesso in poi|mai",
]);

/** At the start of a sentence or of a part of one. */
const opens = "(?<=^|[.!?,;:\\n]\\s{0,2})";

/** Orders that hold beyond the present task: what to remember, what never to do, how names and texts are written. */
const standingOrder = cue([
  "merke? dir|denke? (?:bitte )?(?:daran|dran)|vergiss nicht, dass|bitte beachten?, dass",
  "vor jedem (?:commit|push|merge|release)",
  `${opens}(?:nie|niemals) (?!wieder|mehr)(?:[^\\s.!?;:]{1,40} ){0,8}[a-zß-ÿ]{2,30}(?:en|ern|eln)(?=\\s*(?:[.!,;]|$))`,
  `${opens}keine?n? (?:[^\\s.!?;:,]{1,40} ){1,5}bitte(?=\\s*(?:[.!,;]|$))`,
  `${opens}immer (?:erst|zuerst|vorher)`,
  "(?:immer|nur|bitte) (?:auf|in) (?:deutsch|englisch|französisch|spanisch)",
  `wir sind (?:jetzt )?(?:auf|zu) ${gap(3)}(?:umgestiegen|gewechselt|umgezogen)`,
  `${opens}nein,? nicht ${gap(2)}[^\\s.!?;:]{1,40},? sondern`,
  `${opens}hör(?:t)? (?:bitte )?auf`,
  "(?:retiens(?: bien)?|n['’]oublie[sz]? pas|note[sz]? bien|rappelle-toi)(?= qu)|garde[sz]? à l['’]esprit",
  `${opens}(?:ne [^\\s.!?;:]{2,30}|n['’](?!utilise)[^\\s.!?;:]{2,30}) jamais`,
  "toujours en (?:anglais|français|espagnol|allemand)",
  "avant chaque (?:commit|push|merge)",
  "(?:nous sommes|on est) passés? (?:à|sur)",
  `${opens}(?:arrête|arrêtez) d(?:e |['’])`,
  "(?:recuerda|recordad|no olvides|no olvidéis) que|(?:ten|tened) en cuenta|recuerda:",
  `${opens}(?:por favor,? )?(?:nunca|jamás) (?!uses|utilices|hagas|antes|has|vas|eres|puedes|sabes|tienes|quieres|estás)[a-zß-ÿ]{3,30}(?:es|as|éis|áis)`,
  `${opens}(?:por favor,? )?no (?:toques|modifiques|edites|añadas|agregues|pongas|escribas|crees|hagas|borres|subas|instales|mezcles)(?! (?:nada|esto|eso|todavía|aún))`,
  "siempre en (?:inglés|español|minúsculas|mayúsculas)|sempre (?:em inglês|em português|in inglese|in italiano)",
  "antes de cada (?:commit|push|merge)|prima di ogni (?:commit|push|merge)",
  "(?:hemos|nos hemos) (?:migrado|pasado) a",
  `${opens}deja de [a-zß-ÿ]{2,30}r`,
  "lembra-te (?:de )?que|lembre-se (?:de )?que|tenha em (?:conta|mente)",
  "ricorda(?:ti)? che|tieni (?:presente|conto)",
]);

const wish = cue([
  `(?:ich|wir) ${gap(2)}(?:lieber|bevorzugen?)`,
  `(?:bevorzuge ich|bevorzugen wir)`,
  `mir (?:ist|wäre|sind|wären) ${gap(4)}lieber`,
  "bitte (?:verwende|benutze|nutze|nimm)",
  "(?:verwende|benutze|nutze|nimm) (?:bitte )?(?:keine?n?|nicht|nie)",
  "bitte keine?n?",
  `(?:bitte|immer) ${gap(2)}auf (?:deutsch|englisch) (?:antworten|schreiben)`,
  "antworte(?:n sie)?(?: (?:mir|bitte|immer|nur))* auf (?:deutsch|englisch)",
  "(?:je préfère|je préfèrerais|je préférerais|on préfère|nous préférons)",
  "j['’]aimerais mieux",
  "(?<!on )n['’]utilise[rz]? (?:pas|plus)",
  "évitez? d['’]utiliser",
  "répond(?:s|ez)(?:-moi)?(?: toujours)? en (?:français|anglais)",
  "merci d(?:e ne (?:pas|plus|jamais)|['’]utiliser)",
  "(?:s['’]il (?:te|vous) pla[iî]t|stp|svp),? utilisez?",
  "(?:prefiero|preferimos|preferiría|preferiríamos)",
  `no (?:uses(?= ${letter})(?! ${englishAfterUses}(?!${letter}))|utilices|usar|utilizar)`,
  "por favor,? (?:usa|utiliza|usad|utilizad)",
  "resp[oó]nd(?:e|a)(?:me)?(?: siempre)? en (?:español|inglés)",
  "respond[ea](?:-me)?(?: sempre)? em (?:português|inglês)",
  "rispondi(?:mi)?(?: sempre)? in (?:italiano|inglese)",
  "(?:prefiro|preferimos|não (?:use|utilize|usem))",
  "por favor,? (?:use|utilize|usem|utilizem)",
  "(?:preferisco|preferiamo|preferirei)",
  "non (?:usare|usate|utilizzare)(?! (?:più|mai))",
  "per favore,? (?:usa|usate|utilizza)",
]);

const preference = new RegExp(`${wish.source}|${standingOrder.source}`);

export const westernCues: CuePatterns = { decision, forGood, preference };
