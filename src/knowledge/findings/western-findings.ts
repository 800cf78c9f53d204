import { wordCue } from "../../capture/observations/prose/cue-patterns.ts";
import { type FindingPatterns, within } from "./finding-patterns.ts";

/* German, French, Spanish, Portuguese and Italian. */

const letter = "[a-zß-ÿœ]";
const cue = (parts: readonly string[]) => wordCue(letter, parts);

const german = "(?:ursache|grund|auslöser|schuldige|übeltäter)";
const germanTrouble =
  "(?:schlug|schlugen|schlägt|schlagen|fehlgeschlagen|scheiter(?:te|ten|t)|stürz(?:te|ten|t)|abgestürzt|hing|hingen|hängt|brach|bricht|kaputt|fehlte[n]?|langsam|leer|falsch|doppelt|verloren|abgelehnt|blockiert[e]?|(?:lief|liefen|läuft|funktioniert|funktionierte|ging|startet|startete|fand|findet|kam|kamen|baute|kompilierte|wurde|wurden)(?: [^\\s.!?;:]{1,40}){0,5} nicht)";
const spanishTrouble =
  "(?:fall(?:ó|aba|aban|aron|a)|se (?:rompió|rompía|colg(?:ó|aba)|ca(?:yó|ía)|bloque(?:ó|aba)|perd(?:ió|ía)n?|duplica(?:ba|ban))|no (?:funcion(?:ó|aba)|arranc(?:ó|aba)|encontr(?:ó|aba)|carg(?:ó|aba)|compil(?:ó|aba)|conect(?:ó|aba)|lleg(?:ó|aban?))|tardaba|daba error|devolv(?:ió|ía)|lent[oa]|vací[oa]|incorrect[oa])";
const frenchTrouble =
  "(?:échouait|échouaient|a échoué|ont échoué|échoue|plantait|a planté|ne (?:marchait|fonctionnait|démarrait|compilait|trouvait|répondait) (?:pas|plus)|bloquait|bloquée?|lente?|vide|renvoyait|se perdait|cassée?|perdue?s?)";
const portugueseTrouble =
  "(?:falh(?:ava|avam|ou|aram|a)|quebr(?:ou|ava)|trav(?:ou|ava)|não (?:funcion(?:ou|ava)|arranc(?:ou|ava)|inici(?:ou|ava)|encontr(?:ou|ava)|carreg(?:ou|ava)|compil(?:ou|ava))|demorava|dava erro|devolv(?:eu|ia)|retorn(?:ou|ava)|lent[oa]|vazi[oa]|errad[oa])";
const italianTrouble =
  "(?:fall(?:iva|ivano|ì|ito|ita|isce)|si (?:bloccava|rompeva|è rotto|è bloccato)|non (?:funzionava|partiva|trovava|compilava|rispondeva)|andava in crash|lent[oa]|vuot[oa]|sbagliat[oa])";

export const westernFindings: FindingPatterns = {
  cause: cue([
    `${german}(?: (?:für|dafür|des|der|dieses|hierfür)${within(100)})? (?:war|waren|ist|lag|liegt|bestand|besteht)`,
    `${german},? (?:warum|weshalb|dafür|für)${within(80)}:`,
    `(?<!wir |ich )(?:war|waren|wurden?|kam|kamen|lief|liefen|ging|gingen|blieb|blieben|stieg|stiegen|sank|fiel|fielen|verschwand|verlor|wuchs|brach|fror|[a-zäöüß]{3,20}te)(?! (?:wir|ich)\\b)(?![^.!?;:,\\n]{0,80}?(?:gewählt|geändert|hinzugefügt|entfernt|umbenannt|verschoben|nötig|notwendig|gewollt|absicht|verwendet|genommen|entschieden|ersetzt|erfolgreich|grün))${within(80)}, weil`,
    `(?:konnten?|wurden?|war|waren|kam|kamen|gingen?|sah|sahen|hatten?)${within(80)}(?:nicht|keine?[nr]?|nie|doppelt|falsch|leer)${within(40)}, (?:weil|da|denn)`,
    `${german}:|schuld(?: daran)? (?:war|waren|ist|hatte)|entst(?:and|anden|eht) (?:dadurch|weil|durch)`,
    "(?:es|das|dies) (?:lag|liegt) (?:nur |allein |schlicht )?(?:an|am|daran)|(?:lag|liegt) (?:es )?(?:daran|nur daran)",
    `(?:problem|fehler|bug)(?: (?:bei|mit|in|im|beim) ${within(60)})? (?:war|lag|bestand|steckte|ist|liegt|kam|entstand)`,
    "stellte? sich (?:dann |am ende )?heraus|wie sich (?:dann )?(?:herausstellte|zeigte)|hat sich herausgestellt",
    `(?:wurde|wurden|war|waren) ${within(80)}(?:verursacht|ausgelöst)`,
    `${germanTrouble}${within(120)}(?:, (?:weil|da|denn)|wegen|aufgrund)`,
    `(?:kam|kamen|rührte|rührten) ${within(30)}(?:daher|davon|vom|von)`,
    `(?:cause|raison|coupable|origine)(?: ${within(80)})? (?:était|étaient|est|fut|vient|venait)`,
    `cause(?: racine)? ?:`,
    "(?:problème|bug|souci|erreur|bogue)(?: [^.!?;:]{1,60}?)? (?:était|venait|vient|est qu(?:e|['’][a-zß-ÿœ]+)|provenait|provient|résidait)",
    "il s['’]av(?:ère|érait)|il s['’]est avéré|en (?:fait|réalité),? c['’]était",
    "(?:venait|venaient|provenait|provenaient) d(?:e|u|es|['’][a-zß-ÿœ]+)",
    "(?:était|étaient|est|sont) d(?:ûe?s?|ues?) (?:à|au|aux)",
    "(?:était|étaient|a été|ont été) (?:causée?s?|provoquée?s?) par",
    `(?!utilis|voul|pouv|dev|fall|préfér)[^\\s.!?;:]{2,20}(?:ait|aient)(?! (?:voulue?|choisie?|nécessaire|prévue?))${within(100)}parce qu(?:e|['’][a-zß-ÿœ]+)`,
    `n(?:e |['’])(?!utilis|voul)[^\\s.!?;:]{2,20}(?:ait|aient) (?:pas|plus|jamais|rien)${within(100)}(?:parce qu(?:e|['’][a-zß-ÿœ]+)|car)`,
    `${frenchTrouble}${within(120)}(?:parce qu(?:e|['’][a-zß-ÿœ]+)|car|à cause d(?:e|u|es|['’][a-zß-ÿœ]+)|puisqu(?:e|['’][a-zß-ÿœ]+)|en raison d(?:e|u|es|['’][a-zß-ÿœ]+))`,
    `(?:causa|culpa|razón|motivo|culpable)(?: (?:raíz|principal|real))?(?: (?:del?|dos?|das?|por)${within(80)})? (?:era|eran|fue|fueron|es|estaba|está|foi|é|estava)`,
    `causa(?: raíz| raiz)?:`,
    "el (?:problema|error|fallo|bug)(?: [^.!?;:]{1,60}?)? (?:era|fue|estaba|venía|viene|se debía|se debe|se debió|provenía|proviene|es que)",
    "resulta que|resultó que|resultó ser|(?:se debía|se debe|se debió) a",
    "(?:fue|era|estaba|fueron|foi|foram|eram) (?:causad|provocad)[oa]s? (?:por|pel[oa]s?)",
    `(?!us|utiliz|quer|deb|pod|hac|necesit|prefer)[^\\s.!?;:]{2,20}(?:aban?|ían?)${within(100)}porque`,
    `no (?:se )?(?!us|utiliz|quis)[^\\s.!?;:]{1,20}(?:ía|ían|aba|aban|ó|aron|ieron)${within(100)}porque`,
    `${spanishTrouble}${within(120)}(?:porque|ya que|debido a|debido al|por culpa del?|puesto que|a causa del?)`,
    "o (?:problema|erro|bug|defeito)(?: [^.!?;:]{1,60}?)? (?:era|foi|estava|está|vinha|vem|devia-se|deveu-se|é que)",
    "acontece que|afinal,? (?:era|o|a|os|as)|(?:devia|deveu|deve)-se (?:a|ao|à|aos|às)|descobri(?:mos)? que",
    `(?!us|utiliz|quer|dev|pod|faz|precis|prefer)[^\\s.!?;:]{2,20}(?:avam?|iam?)${within(100)}porque`,
    `não (?:se )?(?!us|utiliz|quis)[^\\s.!?;:]{1,20}(?:ava|avam|ia|iam|ou|eu|aram|eram)${within(100)}(?:porque|pois)`,
    `${portugueseTrouble}${within(120)}(?:porque|pois|já que|devido (?:a|ao|à)|por causa d[eoa]s?)`,
    `(?:causa|colpa|motivo)(?: (?:del|della|dell)${within(80)})? (?:era|è|è stat[oa])`,
    "il (?:problema|bug)(?: [^.!?;:]{1,60}?)? (?:era|stava|veniva|è che|derivava)|l['’]errore (?:era|veniva|derivava)",
    `${italianTrouble}${within(120)}(?:perché|poiché|dato che|a causa d(?:i|el|ella|ell))|è stat[oa] causat[oa] da|si è scoperto che`,
  ]),
  unproven: new RegExp(
    `(?<!${letter})(?:${[
      "vermutlich|wahrscheinlich|vielleicht|möglicherweise|eventuell|womöglich|mutmaßlich|anscheinend|scheinbar|offenbar",
      "könnte[n]?|dürfte[n]?|vermute[n]?|schätze|glaube|scheint|unklar|unbekannt|verdacht|mögliche[rsn]? (?:ursache|grund)",
      `(?:lag|liegt|war|ist|kam|waren) (?:[^\\s.!?;:]{1,40} )?nicht(?!.*sondern)(?= (?:an|am|daran|der|die|das|vom|von))|noch (?:offen|unklar|nicht (?:klar|bekannt|gefunden|geklärt|verstanden))|keine ursache|nach der ursache`,
      "probablemente|quizás?|tal vez|puede (?:que|ser)|podría|posiblemente|supongo|sospecho|parece|creo que|posible causa|seguramente",
      "provavelmente|talvez|possivelmente|pode ser|poderia|suponho|suspeito|acho que|possível causa",
      "(?:peut-être|probablement|sans doute|semble|semblerait|pourrait|possible|suppose|soupçonne|je (?:pense|crois)|apparemment)",
      "probabilmente|forse|potrebbe|sembra|credo che|sospetto",
      "(?:causa|problema|culpa|motivo|razón|error|fallo|erro|razão) (?:no|não) (?:era|fue|es|está|estaba|venía|foi|é|estava|vinha)(?!.*(?:sino|mas sim))|no se deb[ií]a|no (?:hay|sé)|não se deve",
      "(?:ce|cause|problème|bug|raison|coupable) n['’](?:était|est) pas(?!.*mais)|n['’](?:était|est|étaient) pas (?:d(?:û|ue|us|ues)|causée?)|ne (?:venait|vient|provenait|venaient) pas",
      "(?:causa|problema|motivo|errore) non (?:era|è|è stat[oa])(?!.*ma )",
      "(?:causa|razón|cause|raison|motivo)(?: [^.!?;:]{1,60}?)? (?:aún|todavía|sigue|ainda|encore|reste|inconnue|desconocida|desconhecida|no está clara)",
      "(?:busc(?:o|ar|aré|ando)|procur(?:o|ar|ando|arei)|cherch(?:e|er|ons)|averigu(?:o|ar)|investig(?:o|ar|ando|aré)|descobrir (?:a|o|por)) ",
    ].join(
      "|",
    )})(?!${letter})|^(?:falls|wenn|ich (?:suche|untersuche|prüfe|schaue|muss|werde|will)|als nächstes|lass mich|laut |si |s['’]il|se |voy a|vamos a|vou |je vais|il faut|hay que|según |selon |segundo |d['’]après |segons )`,
  ),
  fix: new RegExp(
    `(?<!${letter})(?:${[
      "behoben|repariert|korrigiert|ergänzt|hinzugefügt|entfernt|ersetzt|verschoben|umgestellt|angepasst|geändert|gesetzt|(?:ich|wir) (?:habe|haben)|jetzt|nun|lösung",
      "corregí|corregido|corregimos|añadí|añadido|moví|movido|quité|cambié|cambiado|reemplacé|arreglé|arreglado|solución|ahora",
      "corrigée?s?|ajoutée?s?|déplacée?s?|supprimée?s?|remplacée?s?|changée?s?|réglée?s?|résolue?s?|désormais|maintenant|j['’]ai|solution",
      "corrigi|corrigido|adicionei|movi|removi|mudei|troquei|substituí|resolvi|solução|agora",
      "corretto|aggiunto|spostato|rimosso|sostituito|cambiato|risolto|soluzione|adesso|ora",
    ].join("|")})(?!${letter})`,
  ),
};
