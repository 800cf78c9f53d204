/** `Good. Now let me write the plan.`, `Let me know if …`: at most a few short words before it. */
const opening = String.raw`(?:\p{L}{2,12}[.,!:—-]+ |(?:now|next|first|then|so|and|okay?|jetzt|nun|also|bueno|ahora|bien|maintenant|теперь|тепер),? ){0,3}`;
const announcing = [
  "let me",
  "I['’]ll now",
  "now I['’]ll",
  "lass(?:en Sie)? mich",
  "laissez?-moi",
  "d[eé]jame",
  "(?:дай(?:те)?|позволь(?:те)?) мне",
  "дозволь(?:те)? мені",
].join("|");
const nextStep = new RegExp(
  String.raw`^${opening}(?:(?:${announcing})(?!\p{L})|(?:现在|現在|接下来|接下來|好的?[，,。]?)*[让讓]我)`,
  "iu",
);

/** Whether a sentence only announces what its agent does next, or offers more. */
export function announcesNextStep(sentence: string): boolean {
  return nextStep.test(sentence);
}
