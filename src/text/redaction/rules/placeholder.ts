const gap =
  /^(?:\$\{?[A-Za-z_][\w.]*\}?|\$\(.*|\$\{(?:[^{}:]*|\{[^{}]*\})\}|\{\{?[\w. ]+\}?\}|%[sv]|%\w+%|@[A-Z\d_]+@|__\w+__|<[^>]+>|YOUR[\w-]+|(?:required|nullable|sometimes|string)\|.*|\*+|x{3,}|\.{3,}|\[REDACTED(?:_SECRET)?\])$/;
/* Of PowerShell, JavaScript, Python, Java and Ruby. */
const environment =
  /^(?:\$env:\w|(?:process|import\.meta|Deno)\.env\b|os\.(?:environ|getenv)\b|System\.getenv\b|ENV\[)/;

/**
 * Whether it only stands for a secret: a variable, also of the environment, a template's gap, what a form's check asks
 * of it, asterisks, or a redaction's mark.
 */
export function isPlaceholder(text: string): boolean {
  return gap.test(text) || environment.test(text);
}

const expansion = /^(?:\\?["'])?(?:\\?\$[({A-Za-z_]|[`<@]|#\{|\{\{|%[\w{(]+%?|\[REDACTED)/;
const sampleWord =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|value|str(?:ing)?|text|none|null|undefined|true|false|optional|required|your[\w-]*)$/i;

/** Whether an argument or an assigned value is written out: no variable, command, file or gap, nor what documentation has there. */
export function isLiteral(value: string): boolean {
  return !isPlaceholder(value) && !expansion.test(value) && !sampleWord.test(value);
}
