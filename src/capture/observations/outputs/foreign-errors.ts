/**
 * How git, compilers and shells begin a line that reports an error, where they are translated. In the order of these
 * languages: Chinese, Japanese, Korean, Russian, Ukrainian, German, French, Spanish, Portuguese, Italian, Turkish,
 * Polish, Vietnamese.
 */
const words = [
  ...["致命错误", "致命錯誤", "错误", "錯誤", "致命的エラー", "致命的", "エラー", "치명적오류", "오류"],
  ...["фатальная ошибка", "ошибка", "фатально", "помилка", "збій", "schwerwiegend", "fehler"],
  ...["erreur fatale", "erreur", "fatale?", "erro", "errore", "ölümcül", "hata", "błąd", "lỗi"],
];
/** Conflicts of a merge, each with its kind in parentheses. */
const conflicts = [
  ...["冲突", "衝突", "競合", "충돌", "конфликт", "конфлікт", "konflikt", "conflit", "conflicto"],
  ...["conflito", "conflitto", "çakışma", "xung đột"],
];
const reports = new RegExp(
  String.raw`^(?:(?:${words.join("|")})[ \u00a0]?[:：]|(?:${conflicts.join("|")})[ \u00a0]?[(（])`,
  "iu",
);

/** Whether a line reports an error in another language than English. */
export function reportsForeignError(line: string): boolean {
  return reports.test(line);
}
