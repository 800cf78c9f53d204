/** Whether a text contains a `${…}` that a launcher should have replaced by a value. */
export function hasUnexpandedVariable(text: string): boolean {
  const open = text.indexOf("${");
  return open !== -1 && text.indexOf("}", open) !== -1;
}
