/** What names a kept image, also in events and answers: the SHA-256 of its bytes in hexadecimal digits. */
export const imageReference = /^[0-9a-f]{64}$/u;

export function isImageReference(text: string): boolean {
  return imageReference.test(text);
}
