/**
 * English words that say nothing about a text's subject, and remnants of contractions. Words that are also names in
 * code (`new`, `get`, `set`, `off`, `up`) are not included.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `about after again all also am an and any are aren as at be because been before being between both but by can
   could couldn did didn do does doesn doing don during each either else etc few for from further had hadn has
   hasn have haven having he her here hers herself him himself his how however if in into is isn it its itself
   just ll me might more most must my myself neither no nor not of on once only or other ought our ours ourselves
   out own same shall she should shouldn so some such than that the their theirs them themselves then there these
   they this those though through thus to too under until upon us ve very was wasn we were weren what when where
   whether which while who whom whose why will with would wouldn yet you your yours yourself yourselves`.split(
    /\s+/,
  ),
);
