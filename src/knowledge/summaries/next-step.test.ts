import { expect, test } from "vitest";
import { announcesNextStep } from "./next-step.ts";

test.each([
  "Let me check the deployment.",
  "Now let me draft the tickets.",
  "Good. Let me write the plan for your approval.",
  "Okay, now I'll run the tests.",
  "I'll now update the importer.",
  "Let me know if you want the old names back.",
  "Jetzt lass mich die Tests ausführen.",
  "Maintenant, laisse-moi lancer les tests.",
  "Déjame revisar el registro.",
  "Теперь дай мне проверить журнал.",
  "让我检查一下日志。",
])("%s announces the next step", (sentence) => {
  expect(announcesNextStep(sentence)).toBe(true);
});

test.each([
  "The importer lets me skip rows.",
  "I'll keep the old endpoint until March.",
  "Good news: the tests pass.",
  "Letter heads are printed now.",
  "Now I know why it failed: the clock was wrong.",
  "Jetzt lassen sich die Tests ausführen.",
  "它让我们少写一半代码。",
])("%s tells something", (sentence) => {
  expect(announcesNextStep(sentence)).toBe(false);
});
