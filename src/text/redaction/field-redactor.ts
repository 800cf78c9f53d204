import { privatePlaceholder, secretPlaceholder } from "./placeholders.ts";
import { looksOrdinary, looksScrambled } from "./randomness.ts";
import { isNamedSecret, isSecretField } from "./secret-names.ts";

interface Field {
  readonly names: readonly string[];
  readonly value: string;
  readonly plain: string;
}

interface FieldRedactor {
  /** `plain`: the value redacted without regard to its names; the first of `names` is its key. */
  redactField(field: Field): string;
  /** The value as it is redacted in a text, after any of its names; `plain` as above. */
  redactInContexts(names: readonly string[], value: string, plain: string): string;
  redactHeader(key: string, value: string): string;
}

/** Makes a redactor of values that have names, as in JSON, which passes them to `redactText` beside their names. */
export function fieldRedactor(redactText: (text: string) => string): FieldRedactor {
  return { redactField, redactInContexts, redactHeader };

  function redactField({ names, value, plain }: Field): string {
    const redacted = redactInContexts(names, value, plain);
    if (redacted === privatePlaceholder) return redacted;
    const [key = "", ...others] = names;
    if (others.some((name) => isNamedSecret(name, value))) return secretPlaceholder;
    // The text around a placeholder may be the secret that the field's name announces.
    return isSecretField(key, redacted) ? secretPlaceholder : redacted;
  }

  function redactInContexts(names: readonly string[], value: string, plain: string): string {
    const header = names.find((name) => headerName.test(name));
    const redacted = header === undefined ? plain : redactHeader(header, plain);
    if (redacted !== value) return redacted;
    for (const name of names) {
      const inContext = redactInContext(name, value);
      if (inContext !== value) return inContext;
    }
    return value;
  }

  /* Redacts a value as it would be redacted in a text, after its name: `{"linear_key": "…"}`. */
  function redactInContext(key: string, value: string): string {
    if (value.length < shortestInContext || value.length > longestInContext) return value;
    if (passphraseName.test(key)) return redactAfter(`${key}="`, value, '"');
    const isTelling = tellingName.test(key);
    const literal = isTelling && variableName.test(key) ? /^[^\s"\\[\]]+$/ : /^[\w./+=:~@%!-]+$/;
    const isLiteral =
      literal.test(value) || (isTelling && /^[^\s"\\]+$/.test(value) && looksScrambled(value));
    if (!/^[\w.-]{2,64}$/.test(key) || !isLiteral) return value;
    if (looksOrdinary(value) || (isIdentifier(value) && !isTelling)) return value;
    return redactAfter(`${key}="`, value, '"');
  }

  /*
   * A header's value may consist of several words: `{"cookie": "sid=…; theme=dark"}`, `{"authorization": "Bearer …"}`.
   */
  function redactHeader(key: string, value: string): string {
    return value.length > longestHeader || /[\r\n]/.test(value) ? value : redactAfter(`${key}: `, value);
  }

  function redactAfter(opening: string, value: string, closing = ""): string {
    const redacted = redactText(opening + value + closing);
    return redacted.startsWith(opening)
      ? redacted.slice(opening.length, redacted.length - closing.length)
      : value;
  }
}

/*
 * Values of environment variables are literals, whatever characters they contain; other values may be, for example,
 * selectors.
 */
const variableName = /^[A-Z][A-Z\d_]*$/;
/* Its value may consist of several words. */
const passphraseName = /^[\w.-]{0,54}passphrase$/i;
export const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-(?:[\w-]{1,60}-)?(?:key|token))$/i;
const longestHeader = 8192;

const shortestInContext = 6;
const longestInContext = 512;

/* Names that clearly mean a secret. Weaker ones, such as `cacheKey`, may belong to ids and hashes. */
const tellingName = /secret|passw|_pwd|credential|(?:api|access|auth|private)[_-]?(?:key|token)/i;

/** Whether a name announces a secret. */
export function isTelling(name: string): boolean {
  return headerName.test(name) || tellingName.test(name);
}

function isIdentifier(value: string): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(
    value,
  );
}
