import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";

const told = (prompt: string) =>
  compressByRules({
    ...{ hookType: "prompt_submit", sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0 },
    data: { prompt },
  });

describe("German, French and Spanish", () => {
  test.each([
    "Wir haben uns für PostgreSQL entschieden.",
    "Ich habe mich nach langem Hin und Her für Zod entschieden.",
    "Im Team haben wir uns darauf geeinigt, keine Klassen zu schreiben.",
    "Gestern wurde beschlossen, dass Redis bleibt.",
    "Wir nehmen Vitest.",
    "Statt Jest nehmen wir Vitest.",
    "Dann nehmen wir Fastify, weil es schneller ist.",
    "Nimm bitte pnpm statt npm.",
    "Verwende überall zod anstelle von joi.",
    "Ab jetzt wird jeder Commit signiert.",
    "Ab sofort bitte nur noch ESM.",
    "Von nun an keine Default-Exporte mehr.",
    "Bitte nie direkt auf main pushen.",
    "Bitte immer zuerst die Tests laufen lassen.",
    "Wir bleiben bei SQLite.",
    "Wir wechseln zu Hono.",
    "Wir wechseln von Jest zu Vitest.",
    "Wir ersetzen Redis durch Postgres.",
    "Moment.js verwenden wir nicht mehr.",
    "Redux fliegt komplett raus.",
    "Yjs kommt wieder raus.",
    "On a décidé de garder SQLite.",
    "Nous avons finalement choisi PostgreSQL.",
    "J’ai décidé de passer à pnpm.",
    "On part sur Fastify.",
    "On va utiliser zod.",
    "Désormais, chaque commit est signé.",
    "À partir de maintenant, pas d'export par défaut.",
    "Utilise pnpm au lieu de npm.",
    "Prends zod plutôt que joi.",
    "N'utilise jamais les exports par défaut.",
    "Hemos decidido usar PostgreSQL.",
    "Al final optamos por Fastify.",
    "Vamos a usar zod.",
    "Ya no usamos Redis.",
    "A partir de ahora cada commit va firmado.",
    "De ahora en adelante, sin exportaciones por defecto.",
    "Usa pnpm en lugar de npm.",
    "Nos quedamos con SQLite.",
    "Nunca uses exportaciones por defecto.",
  ])("%s is a decision", (sentence) => {
    const { facts, importance } = told(`Hallo. ${sentence} OK.`);
    expect(facts).toEqual([`decision: ${sentence}`]);
    expect(importance).toBe(8);
  });

  test.each([
    "Ich möchte lieber kleine Commits.",
    "Mir wäre eine flache Struktur lieber.",
    "Ich bevorzuge Tabs.",
    "Bitte verwende Tabs.",
    "Verwende keine Klassen.",
    "Bitte keine Kommentare im Code.",
    "Je préfère les tabulations.",
    "J'aimerais mieux de petits commits.",
    "Merci de ne pas ajouter de commentaires.",
    "Évite d'utiliser des classes.",
    "N’utilise pas de classes.",
    "Prefiero tabuladores.",
    "Por favor, usa tabuladores.",
    "No uses clases.",
    "No uses la clase Foo.",
    "テストは pytest を使ってください。",
    "unittest は使わないでください。",
    "请使用 pnpm。",
    "不要用 npm。",
  ])("%s is a preference", (sentence) => {
    const { facts, importance } = told(`Hallo. ${sentence} OK.`);
    expect(facts).toEqual([`preference: ${sentence}`]);
    expect(importance).toBe(8);
  });

  test.each([
    "Der Test schlägt immer noch fehl.",
    "Immer wenn ich den Server starte, hängt er.",
    "Bitte immer noch nicht pushen.",
    "Das passiert immer wieder, egal was ich mache.",
    "Wir haben uns noch nicht entschieden.",
    "Haben wir uns für Redis entschieden?",
    "Nehmen wir an, der Server ist weg: was passiert dann?",
    "Nehmen wir mal an, er antwortet nie.",
    "Nehmen wir Redis oder SQLite?",
    "Der Job findet jede Nacht statt.",
    "Statt der Liste sehe ich eine leere Seite.",
    "Das ist entschieden besser.",
    "Kannst du bitte den Fehler beheben?",
    "Bitte erkläre mir, warum der Build so lange dauert.",
    "Ich möchte, dass du die Funktion umbenennst.",
    "Das hat noch nie funktioniert.",
    "Die Liebe zum Detail fehlt.",
    "Vergiss es, mach einfach weiter.",
    "Le test échoue toujours.",
    "Il manque quelque chose dans le panier.",
    "C'est la même chose qu'hier.",
    "Ça ne marche jamais en production.",
    "On n'a pas encore décidé.",
    "Est-ce qu'on part sur Redis ou SQLite ?",
    "Je veux que tu renommes la fonction.",
    "Au lieu de la liste, je vois une page vide.",
    "Peux-tu corriger le bug dans le panier ?",
    "Ça évite de recalculer le total.",
    "Tant pis, laisse tomber.",
    "El test siempre falla.",
    "Esto nunca ha funcionado en producción.",
    "Todavía no hemos decidido nada.",
    "¿Vamos a usar Redis o SQLite?",
    "En lugar de la lista veo una página vacía.",
    "¿Puedes arreglar el error del carrito?",
    "Quiero que cambies el nombre de la función.",
    "No importa, sigue.",
    "Siempre que arranco el servidor, se cuelga.",
    "Remove the exports that have no uses.",
    "There are no uses of this function left, so delete it",
    "No uses found in the tests",
    "It has no uses, as far as I see.",
    "pytest を使ったテストが失敗します。",
    "请用户重新登录，然后再检查一次购物车。",
    "这个函数已经不用了，可以把它从代码里删掉。",
  ])("%s is neither a decision nor a preference", (sentence) => {
    const { facts, importance } = told(sentence);
    expect(facts).toEqual([]);
    expect(importance).toBe(6);
  });
});
