/** Whether keys that are pressed there mean what they write. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/u.test(target.tagName);
}
