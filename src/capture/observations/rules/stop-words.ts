/**
 * Words of four letters and more that say nothing about a topic: English function words, small talk of
 * prompts, and keywords and basic types of common programming languages, which would lead every word count of
 * source text.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `able about above according across actually after afterwards again against almost along already also although always
  among another anybody anyone anything anyway anywhere around away back basically became because become becomes been
  before behind being below beside besides best better between beyond both bring came cannot change changed changes
  could couldn didn different does doesn doing done down during each either else enough even ever every everyone
  everything exactly file files find first following from further gave gets getting give given gives goes going gone
  good great hadn hasn have haven having hello help hence here herself himself however inside instead into isn itself
  just keep kept know known last later least less like likely little look looking looks made make makes making many
  maybe mean means might mine more moreover most mostly much must myself namely near need needed needs neither never
  nevertheless next nobody none nothing nowhere often okay once only onto other others otherwise ours ourselves over
  perhaps please possible probably quite rather really right said same says seem seemed seems seen several shall should
  shouldn show since some somebody someone something sometimes somewhere soon still stuff such sure take taken than
  thank thanks that their theirs them themselves then thence there therefore these they thing things think this those
  though through throughout thus time together told took toward towards tried tries true trying twice under unless until
  upon used useful uses using usually very want wanted wants wasn well went were weren what whatever when whence
  whenever where whereas wherever whether which while whither whoever whole whom whose will with within without won
  wont would wouldn year years yeah your yours yourself redacted truncated characters
  monday tuesday wednesday thursday friday saturday sunday today tonight tomorrow yesterday week weeks month months
  three four five seven eight nine third fourth fifth come comes coming finds found noted understand understood
  async await bool boolean const constructor defmodule defp elif elsif endif enum except extends extern finally func function impl
  implements instanceof lambda null number protected readonly return self signed sizeof static string struct super throw
  throws trait type typedef typeof undefined unsigned void volatile yield false`
    .trim()
    .split(/\s+/),
);

/** Keywords and style properties in source text that are topics when somebody says them. */
export const sourceWords: ReadonlySet<string> = new Set(
  (
    "export import default case break continue catch switch class public private interface package require assert alias " +
    "style color background border margin padding display width height flex font"
  ).split(" "),
);
