const gap =
  /^(?:\$\{?[A-Za-z_][\w.]*\}?|\$\(.*|\$\{(?:[^{}:]*|\{[^{}]*\})\}|\{\{?[\w. ]+\}?\}|%[sv]|%(?![2-7][\dA-F])\w+%|@[A-Z\d_]+@|__\w+__|<[^>]+>|YOUR[\w-]+|(?:required|nullable|sometimes|string)\|.*|\*+|x{3,}|\.{3,}|\[REDACTED(?:_SECRET)?\])$/;
/*
 * Accesses to environment variables in PowerShell, JavaScript, Python, Java and Ruby, and to values in Terraform and
 * code.
 */
const environment =
  /^(?:(?:var|local|module|data|self|this|each|req|request|args|options|config|settings|params|props)\.[a-z_]\w*(?:\.\w+)*$|\$env:\w|(?:process|import\.meta|Deno)\.env\b|os\.(?:environ|getenv)\b|System\.getenv\b|ENV\[)/;

/**
 * Whether the text is only a placeholder for a secret: a variable, a template's gap, a form's validation rule,
 * asterisks, or a redaction mark.
 */
export function isPlaceholder(text: string): boolean {
  return gap.test(text) || environment.test(text);
}

const expansion = /^(?:\\?["'])?(?:\\?\$[({A-Za-z_]|[`<@]|#\{|\{\{|%(?![2-7][\dA-F])[\w{(]+%?|\[REDACTED)/;
const sampleWord =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|value|str(?:ing)?|text|none|null|undefined|true|false|optional|required|your[\w-]*)$/i;

/**
 * Whether an argument or assigned value is a literal: not a variable, a command, a file, a placeholder, or a sample
 * value from documentation.
 */
export function isLiteral(value: string): boolean {
  return !isPlaceholder(value) && !expansion.test(value) && !sampleWord.test(value);
}
