/** Whether a text holds a `${…}` that a launcher was to put a value in place of, and did not. */
export function hasUnexpandedVariable(text: string): boolean {
  const open = text.indexOf("${");
  return open !== -1 && text.indexOf("}", open) !== -1;
}
