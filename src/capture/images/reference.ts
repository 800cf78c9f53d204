/** The form of an image reference: the SHA-256 of its bytes in hex. Also used in events and answers. */
export const imageReference = /^[0-9a-f]{64}$/u;

export function isImageReference(text: string): boolean {
  return imageReference.test(text);
}
