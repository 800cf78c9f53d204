/** The tag of sessions that an event created. */
export const implicitTag = "implicit";
/** The tag of sessions that were created by importing a transcript. */
export const importTag = "jsonl-import";
/** The tag of sessions that were abandoned for want of activity. */
export const sweptTag = "swept";

const originTags: readonly string[] = [implicitTag, importTag, sweptTag];

/** The tags of a session that do not tell how it came about, such as the program of its agent. */
export function givenTags({ tags }: { readonly tags: readonly string[] }): string[] {
  return tags.filter((tag) => !originTags.includes(tag));
}
