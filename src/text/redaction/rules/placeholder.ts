const gap =
  /^(?:\$\{?[A-Za-z_][\w.]*\}?|\{\{?[\w. ]+\}?\}|%[sv]|<[^>]+>|\*+|x{3,}|\.{3,}|\[REDACTED(?:_SECRET)?\])$/;

/** Whether it only stands for a secret: a variable, a template's gap, asterisks, or a redaction's mark. */
export function isPlaceholder(text: string): boolean {
  return gap.test(text);
}

const expansion = /^(?:\\?["'])?(?:\\?\$[({A-Za-z_]|[`<@]|#\{|\{\{|%[\w{(]+%?|\[REDACTED)/;
const sampleWord =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|value|str(?:ing)?|text|none|null|undefined|true|false|optional|required|your[\w-]*)$/i;

/** Whether an argument or an assigned value is written out: no variable, command, file or gap, nor what documentation has there. */
export function isLiteral(value: string): boolean {
  return !isPlaceholder(value) && !expansion.test(value) && !sampleWord.test(value);
}
