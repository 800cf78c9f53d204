import { type CuePatterns, gapWithout, wordCue } from "./cue-patterns.ts";

/* Polish, Czech, Swedish, Danish, Norwegian and Turkish. */

const cue = (parts: readonly string[]) => wordCue("[a-zß-ɏ]", parts);
const gap = gapWithout("nie|jeszcze|ještě|inte|ännu|ikke|enda|endnu|henüz");

const polish =
  "(?:używamy|używaj(?:my|cie)?|używać|użyj(?:my|cie|emy)?|stosujemy|stosuj(?:my|cie)?|bierzemy|weźmy)";
const czech = "(?:používáme|používej(?:te|me)?|používat|použij(?:te|me|eme)?|bereme|vezmeme)";
const swedish = "(?:använd(?:er|a)?|kör|tar)";
const norse = "(?:brug(?:er|e)?|bruk(?:er|e)?)";
const insteadInSwedish = "(?:istället|i stället) för";
const insteadInNorse = "(?:i stedet for|istedenfor|istedet for|fremfor)";
const turkish = "kullan(?:ıyoruz|acağız|alım|ın)?";

const fromNow =
  "od (?:teraz|dziś|dzisiaj)|odtąd|od teď|odteď|ode dneška|från och med (?:nu|idag|i dag)|hädanefter|fra nu af|fra nå av|fra og med n[uå]|bundan (?:sonra|böyle)|şu andan itibaren";

export const northEastCues: CuePatterns = {
  decision: cue([
    "(?<!nie )(?:zdecydowali(?:śmy|smy)|zdecydował[ea]m|zdecydowano|postanowili(?:śmy|smy)|postanowił[ea]m|postanowiono|ustaliliśmy|wybraliśmy)",
    "zostajemy przy",
    `przechodzimy (?:z ${gap(2)})?na`,
    "już nie używamy|nie używamy już",
    `${polish} ${gap(6)}zamiast`,
    `zamiast ${gap(5)}${polish}`,
    "(?:zawsze|nigdy nie) (?:używaj|uruchamiaj|pisz|rób|dodawaj|commituj|pushuj)",
    "(?:rozhodli|dohodli|domluvili) jsme(?: se)?|rozhodla? jsem(?: se)?|js(?:me|em) se (?:rozhod(?:li|la?)|dohodli|domluvili)|vybrali jsme|bylo rozhodnuto",
    "zůstáváme u|zůstaneme u",
    `přecházíme (?:z ${gap(2)})?na`,
    "už nepoužíváme|nepoužíváme už",
    `${czech} ${gap(6)}(?:místo|namísto)`,
    `(?:místo|namísto) ${gap(5)}${czech}`,
    "(?:vždy|vždycky) (?:používej|spouštěj|piš|dělej)|nikdy (?:nepoužívej|nespouštěj|nedělej|nepushuj|nepřidávej)",
    "(?:vi|jag) (?:har )?(?:beslutat|bestämt|beslutade|bestämde|valt|valde|enats om|kommit överens om)|har (?:vi|jag) (?:beslutat|bestämt|valt)",
    "vi (?:stannar|håller oss) (?:på|vid|kvar|till)",
    `(?:vi byter|byter vi|vi går över|vi migrerar) (?:från ${gap(2)})?till`,
    "använder (?:vi )?inte längre",
    `${swedish} ${gap(6)}${insteadInSwedish}`,
    `${insteadInSwedish} ${gap(5)}${swedish}`,
    "(?:använd|kör|skriv|gör|pusha|committa) (?:alltid|aldrig)",
    "(?:vi|jeg) (?:har )?(?:besluttet|bestemt|besluttede|bestemte|vedtatt|vedtaget|valgt|valgte|avtalt|aftalt)|har (?:vi|jeg) (?:besluttet|bestemt|valgt)|(?:ble|blev) det (?:besluttet|vedtatt|vedtaget|bestemt)",
    "vi (?:bliver|blir|holder oss?) (?:ved|til|på)",
    `(?:vi (?:bytter|skifter|går over|migrerer)|(?:bytter|skifter) vi) (?:fra ${gap(2)})?til`,
    "(?:bruger|bruker) (?:vi )?ikke (?:længere|lenger|mere?)",
    `${norse} ${gap(6)}${insteadInNorse}`,
    `${insteadInNorse} ${gap(5)}${norse}`,
    "(?:brug|bruk|kør|kjør|skriv|push|gør|gjør) (?:altid|alltid|aldrig?)",
    "karar (?:ver(?:dik|dim|ildi)|aldık|kıldık)|kararlaştır(?:dık|ıldı)",
    `yerine ${gap(5)}${turkish}`,
    `artık ${gap(4)}kullan(?:mıyoruz|mayacağız|acağız)`,
    "(?:her zaman|daima) (?:önce )?[^\\s.!?;:]{1,40} (?:kullan|çalıştır)(?:ın|alım)?",
    `asla ${gap(4)}(?:kullanma|yapma|ekleme|gönderme|pushlama)(?:yın|yin)?`,
    fromNow,
  ]),
  forGood: cue(["zawsze|nigdy|vždy|vždycky|nikdy|alltid|aldrig|altid|aldri|her zaman|daima|asla", fromNow]),
  preference: cue([
    "(?:wolę|wolimy|preferuję|preferujemy|wolałbym|wolałabym)",
    "proszę,? (?:nie )?używa(?:j|ć)|(?<!nigdy )nie (?:używaj|dodawaj|pisz)(?:cie)?",
    "dává(?:m|me) přednost|preferuj(?:i|eme)|prosím,? používej(?:te)?|(?<!nikdy )ne(?:používej|přidávej)(?:te)?",
    "(?:jag|vi) föredrar|(?:jag|vi) vill hellre|(?:använd|skriv) (?:inte|inga)|lägg inte till|snälla använd",
    "(?:jeg|vi) (?:foretrækker|foretrekker)|(?:jeg|vi) vil(?:le)? hellere?|(?:brug|bruk|skriv) (?:ikke|ingen)(?! (?:længere|lenger))",
    "pamiętaj(?:cie)?,? że|przed każdym commitem|pamatuj(?:te)? si,? že|před každým commitem",
    "kom ihåg att|före varje commit|husk,? at|før hver commit|unutma|her commit(?:'ten|ten)? önce",
    `tercih ed(?:iyorum|iyoruz|erim|eriz)|lütfen ${gap(4)}kullan(?:ın|ma|mayın)?`,
  ]),
};
