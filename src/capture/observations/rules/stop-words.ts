import { stopWords as functionWords } from "../../../text/stop-words.ts";

/**
 * Words that say nothing about a topic: English function words, small talk of prompts, and keywords and basic types of
 * common programming languages, which would lead every word count of source text.
 */
export const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...`able above according across actually afterwards against almost along already although always among another
    anybody anyone anything anyway anywhere around away back basically became become becomes behind below beside
    besides best better beyond bring came cannot change changed changes different done down enough even ever every
    everyone everything exactly file files find first following gave gets getting give given gives goes going gone
    good great hello help hence inside instead keep kept know known last later least less like likely little look
    looking looks made make makes making many maybe mean means mine moreover mostly much namely near need needed
    needs never nevertheless next nobody none nothing nowhere often okay onto others otherwise over perhaps please
    possible probably quite rather really right said says seem seemed seems seen several show since somebody someone
    something sometimes somewhere soon still stuff sure take taken thank thanks thence therefore thing things think
    throughout time together told took toward towards tried tries true trying twice unless used useful uses using
    usually want wanted wants well went whatever whence whenever whereas wherever whither whoever whole within
    without wont year years yeah redacted truncated characters monday tuesday wednesday thursday friday saturday
    sunday today tonight tomorrow yesterday week weeks month months three four five seven eight nine third fourth
    fifth come comes coming finds found noted understand understood async await bool boolean const constructor
    defmodule defp elif elsif endif enum except extends extern finally func function impl implements instanceof
    lambda null number protected readonly return self signed sizeof static string struct super throw throws trait
    type typedef typeof undefined unsigned void volatile yield false`.split(/\s+/),
]);

/** Keywords and style properties in source text that are topics when somebody says them. */
export const sourceWords: ReadonlySet<string> = new Set(
  (
    "export import default case break continue catch switch class public private interface package require assert alias " +
    "style color background border margin padding display width height flex font"
  ).split(" "),
);
