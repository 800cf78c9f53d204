import { describe, expect, test } from "vitest";
import { asksOpenWork } from "./asked-open-work.ts";

describe("a query for open work", () => {
  test.each([
    "which todo is open",
    "which todos are still open?",
    "what is left to do",
    "What's left?",
    "what's next",
    "open items",
    "next steps",
    "todo",
    "TODOs",
    "to-do list",
    "what is not done yet",
    "what remains to be done",
    "is there anything left to do in this project?",
    "what do we still have to do",
    "what did we leave open",
    "list all open tasks",
    "offene Punkte",
    "Was ist noch offen?",
    "Welche Aufgaben sind noch offen?",
    "was ist noch zu tun",
    "was steht als nächstes an",
    "welche offenen Punkte gibt es noch",
    "was fehlt noch",
    "tareas pendientes",
    "¿qué queda por hacer?",
    "qu'est-ce qui reste à faire",
    "prochaines étapes",
    "что осталось сделать",
    "какие задачи ещё открыты",
    "що ще залишилося зробити",
    "还有什么没完成",
    "待办事项",
    "残っているタスクは何ですか",
    "未完了の作業",
  ])("is %j", (query) => {
    expect(asksOpenWork(query)).toBe(true);
  });

  test.each([
    "open",
    "next",
    "left",
    "open()",
    "next.js",
    "todo.ts",
    "todo-app",
    "open-file",
    "what is open in the parser",
    "open items of the parser",
    "which todo app do we use",
    "how do I open a file",
    "left join",
    "what is the next major version of the gateway",
    "что открыл парсер",
    "剩下的内存",
    "was haben wir entschieden",
    "",
  ])("is not %j", (query) => {
    expect(asksOpenWork(query)).toBe(false);
  });

  test("needs no question beside a time", () => {
    expect(asksOpenWork("open", { besideTime: true })).toBe(true);
    expect(asksOpenWork("left open", { besideTime: true })).toBe(true);
    expect(asksOpenWork("deployed", { besideTime: true })).toBe(false);
  });
});
