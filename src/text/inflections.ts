import type { InflectedLanguage } from "./query-language.ts";

/*
 * What inflection appends to a word, in languages other than English, whose words are indexed as they are written.
 * Written as index tokens are: without diacritics. A stem here is what words of one meaning begin with, not what a
 * dictionary would give.
 */

const endings: Readonly<Record<InflectedLanguage, readonly string[]>> = {
  slavic: endingsOf(
    `а я о е ы и у ю ь ам ям ом ем ами ями ах ях ов ев еи ои ию ия ие ии иям иями иях ием ью ои ею ою
    ыи ая яя ое ее ые ого его ому ему ым им ых их ую юю ыми ими
    ать ять ить еть ает ают аем яет яют яем ит ят ет ют ут ал ала ало али ил ила ило или ен ена ено ены ан ана ано аны
    аться яться иться ается аются яется яются ится ятся ался алась алось ались ился илась илось ились
    аем аемыи ающии ающая ающее ающие ающего ающих ающим яющии яющая яющие
    овать ует уют уем овал овала овали уется уются овался овалась овались ован ована овано ованы
    ание ания анию анием аниях ании ение ения ению ением ениях ении ование ования ованию ованием овании
    ка ки ке ку кои ок кам ками ках ци ция ции цию циеи
    і ів ові ості ою ею оі ті`,
  ),
  german: endingsOf(
    "e en em er es s n ns ern erns ens t et st est te ten tet end ende enden ender endes ung ungen ungs",
  ),
  french: endingsOf(
    "e s es x er ez ee ees ent ant ante ants antes a ai as ait aient ons era eront ation ations ement ements",
  ),
  spanish: endingsOf(
    `s es a as o os e ar er ir an en ado ada ados adas ido ida idos idas ando iendo aba aban aron ieron acion aciones
    icion iciones`,
  ),
  portuguese: endingsOf(
    `s es a as o os e ar er ir am em ado ada ados adas ido ida idos idas ando endo ava avam aram acao aco acoes icao ico icoes ao
    oes`,
  ),
  italian: endingsOf(
    `a e i o are ere ire ato ata ati ate uto uta uti ute ito ita iti ite ando endo ano ono iamo ava avano azione azioni
    izione izioni`,
  ),
  dutch: endingsOf("e en s n t te ten de den er ers ing ingen"),
  polish: endingsOf(
    `a e i o u y ie ia iu om em ami ach iami iach iom ow owi ych ego emu ym im ymi imi owa owe owy owych owac uje uja ujemy ac ic al ala
    ali il ila ili any ana ane one ony ona anie ania aniu enie enia eniu acja acji acje`,
  ),
  scandinavian: endingsOf(
    "a e s en et er ar or na erna arna orna erne ene ens ets ade at ede t te ning ningar ninger",
  ),
  turkish: endingsOf(
    `i u in un a e ya ye da de dan den ta te lar ler lari leri larin lerin larini lerini larda lerde si su nin nun ni yi yu
    im um imiz umuz miz`,
  ),
};

function endingsOf(list: string): string[] {
  return list.split(/\s+/).sort((one, other) => other.length - one.length);
}

const shortestStem = 4;
/** Cyrillic words of a single syllable have forms of their own (`лог`, `логи`), and English ones do not look like them. */
const shortestSlavicStem = 3;

/**
 * What a lower-case index token may have as its stem: itself, and what is left without its longest ending; the shorter one
 * first.
 */
export function inflectionStems(language: InflectedLanguage, token: string): readonly string[] {
  const shortest = language === "slavic" ? shortestSlavicStem : shortestStem;
  const ending = endings[language].find(
    (one) => token.endsWith(one) && token.length - one.length >= shortest,
  );
  return ending === undefined ? [token] : [token.slice(0, -ending.length), token];
}

/** Whether two tokens are forms of one word, as far as endings tell. */
export function areInflections(language: InflectedLanguage, one: string, other: string): boolean {
  const stems = inflectionStems(language, one);
  return inflectionStems(language, other).some((stem) => stems.includes(stem));
}
