/** How many code points a text has; a lone half of a pair is one. */
export function countCodePoints(text: string): number {
  let codePoints = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isPair(text, index)) {
      codePoints--;
      index++;
    }
  }
  return codePoints;
}

/** The first `max` code points of a text; never half a character. */
export function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let index = 0;
  for (let taken = 0; taken < max && index < text.length; taken++) index += isPair(text, index + 1) ? 2 : 1;
  return text.slice(0, index);
}

/** Whether the code units before and at `index` are one character. */
function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}
