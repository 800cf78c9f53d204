/** What people say to have an agent go on. */
const assent = new Set(
  (
    "ok okay k yes yeah yep yup sure no nope fine good great nice perfect cool thanks thank you please lgtm right " +
    "correct agreed exactly go on ahead continue proceed next do it so that then now and sounds looks makes sense done"
  ).split(" "),
);

/** Whether a prompt, such as `ok, go on`, tells nothing without what it answers. */
export function isShortReply(prompt: string): boolean {
  if (prompt.includes("?")) return false;
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => assent.has(word));
}
