import { expect, test } from "vitest";
import { openItems, openItemsOfAnswer, openItemsOfLastPlan, todoLines } from "./open-items.ts";

test("finds what is left to do in many wordings", () => {
  for (const left of [
    "TODO: gzip files are not read.",
    "Next steps: expiry and the rate limit.",
    "The rate limit is still to do.",
    "Open for next time: expiry of links.",
    "Compaction is left for later.",
    "All tests pass. Next: remove idle buckets.",
    "Expiry is not implemented yet.",
    "One thing I left out: expired rows are never deleted.",
    "Invoices still divide by 100, that is the part for another day.",
    "The token is hard-coded in the test for now.",
    "The old endpoint still needs a redirect.",
    "Two tests of the cart still fail.",
    "I have not pushed the branch.",
    "I haven't run the browser tests.",
    "Nothing is committed yet.",
    "I couldn't verify it against the real API.",
    "A sweep has to delete them before we go live.",
    "You'll need to set STRIPE_KEY on the server.",
    "Waiting for your answer about the schema.",
    "Tomorrow: the invoices.",
    "Known limitation: amounts with a thousands separator are not parsed.",
  ])
    expect(openItemsOfAnswer(`Links are kept in a file.\n${left}`)).toEqual([left]);
  for (const done of [
    "The next test opens the file.",
    "The port is open: 8080 answers.",
    "Nothing more.",
    "The query is not run twice, and the file left the index.",
    "The cache has to be filled before the request.",
    "It is committed and pushed, so you can merge.",
    "The next session starts with the block, tomorrow too.",
    "Rows without a vector are left out of the scan.",
    "A deferred promise waits for the lock.",
  ])
    expect(openItemsOfAnswer(done)).toEqual([]);
});

test.each([
  "Left to do: nothing",
  "This was the last open point from January.",
  "Nothing is left to do.",
  "Nothing is still open.",
  "There are no remaining issues.",
  "All remaining tests pass.",
  "All of the next steps are done.",
  "No follow-up is needed.",
  "Next steps: none.",
  "That closes the TODO from Monday.",
  "The TODO from Monday is done.",
  "**Open items:** none",
  "Noch offen: nichts",
  "Es ist nichts mehr noch offen.",
  "À faire : rien",
  "Próximos passos: nada",
  "Non c'è niente da fare.",
  "Ничего не осталось доделать.",
  "Следующие шаги: нет",
  "Залишилось: нічого",
  "没有待办事项",
  "下一步：无",
  "残りの作業はありません。",
])("%j leaves nothing to do", (answer) => {
  expect(openItemsOfAnswer(`It works.\n${answer}`)).toEqual([]);
  expect(openItemsOfAnswer(`${answer} TODO: the rate limit.`)).toHaveLength(1);
});

test("a heading takes the list below it, across blank lines", () => {
  const list = "- expiry of links\n\n- the rate limit\n\nAll tests pass.";
  const told = "Next steps: expiry of links; the rate limit";
  expect(openItemsOfAnswer(`It works.\n\n## Next steps\n\n${list}`)).toEqual([told]);
  expect(openItemsOfAnswer(`It works.\n\n**Next steps**\n${list}`)).toEqual([told]);
});

test("an empty box is open, a ticked one is not", () => {
  const boxes = "- [x] expiry of links\n- [ ] key rotation\n* [ ] the rate limit";
  expect(openItemsOfAnswer(`Notes are encrypted.\n${boxes}`)).toEqual(["key rotation", "the rate limit"]);
  expect(openItemsOfAnswer(`Next steps:\n${boxes}`)).toEqual(["Next steps: key rotation; the rate limit"]);
  expect(openItemsOfAnswer("Next steps:\n- [x] expiry of links")).toEqual([]);
  expect(openItemsOfAnswer("Use `- [ ]` for tasks.\n- [x] expiry of links")).toEqual([]);
});

test("a line that opens a list takes the list along, as one item", () => {
  const answer = "It works.\n\n**Still open:**\n\n- expiry of links\n- the rate limit\n\nAll tests pass.";
  expect(openItemsOfAnswer(answer)).toEqual(["**Still open:** expiry of links; the rate limit"]);
});

test("text before the opening of a list in the same line is omitted", () => {
  const done = "The store waits for the file now. The server answers only afterwards.";
  expect(openItemsOfAnswer(`${done} Next steps:\n- expiry of links\n- the rate limit`)).toEqual([
    "Next steps: expiry of links; the rate limit",
  ]);
});

test("a heading takes what stands under it, and is no item by itself", () => {
  expect(openItemsOfAnswer("It works.\n\n**Known limitations:**\n- Only latin-1\n- No paging")).toEqual([
    "**Known limitations:** Only latin-1; No paging",
  ]);
  for (const head of ["## Next steps", "**Next steps**", "Next steps"])
    expect(
      openItemsOfAnswer(`It works.\n\n${head}\n\n1. Expiry, still open\n2. README\n\nAll pass.`),
    ).toEqual(["Next steps: Expiry, still open; README"]);
  expect(openItemsOfAnswer("### TODO\n\nRead gzip files.")).toEqual(["TODO: Read gzip files."]);
  expect(openItemsOfAnswer("It works.\n\n## Remaining")).toEqual([]);
  expect(openItemsOfAnswer("- TODO: expiry\n- TODO: README")).toEqual(["- TODO: expiry", "- TODO: README"]);
});

test("finds what is left to do in German, French and Spanish", () => {
  for (const left of [
    "Noch offen: Skonto und Export.",
    "Als Nächstes kommt die Mehrwertsteuer.",
    "Es fehlt noch eine README.",
    "Der Export ist noch nicht umgesetzt.",
    "Nächste Schritte: Export.",
    "Il reste à écrire la documentation.",
    "À faire : l'export.",
    "L'export n'est pas encore terminé.",
    "Pendiente: la exportación.",
    "Falta por escribir la documentación.",
  ])
    expect(openItemsOfAnswer(`Links: server.js.\n${left}`)).toEqual([left]);
  for (const done of ["Der Port ist offen.", "Ein Komma fehlte.", "Das reste der Daten.", "Es bleibt dabei."])
    expect(openItemsOfAnswer(done)).toEqual([]);
  expect(openItemsOfAnswer("Fertig.\n\nNoch offen:\n- Skonto\n- Es fehlt noch eine README")).toEqual([
    "Noch offen: Skonto; Es fehlt noch eine README",
  ]);
});

test.each([
  "Ainda falta a documentação.",
  "Falta escrever a documentação.",
  "A exportação ainda não está implementada.",
  "Resta da scrivere la documentazione.",
  "Manca ancora un README.",
  "L'esportazione non è ancora testata.",
  "Осталось дописать документацию.",
  "Осталось: документация.",
  "Нужно будет доделать экспорт.",
  "Ещё нужно добавить тесты.",
  "Экспорт пока не реализован.",
  "Скидки отложены на потом.",
  "Залишилося написати документацію.",
  "Потрібно буде додати тести.",
  "Експорт ще не реалізований.",
  "还需要补充文档。",
  "导出功能尚未实现。",
  "待办：文档。",
  "還沒有測試匯出功能。",
  "残りはドキュメントです。",
  "エクスポートは未実装です。",
  "まだテストを書いていません。",
  "あとでテストを追加します。",
])("finds what is left to do in %j", (left) => {
  expect(openItemsOfAnswer(`Links: server.js.\n${left}`)).toEqual([left]);
});

test.each([
  "O pedido fica na fila.",
  "È facile da fare.",
  "Поведение осталось прежним.",
  "Нужно 3 секунды, чтобы прочитать файл.",
  "Значення залишилося без змін.",
  "登录还需要两个参数。",
  "待办列表页面显示三行。",
  "点击下一步按钮。",
  "ログが残っています。",
  "あとで削除される行です。",
])("%j leaves nothing", (told) => {
  expect(openItemsOfAnswer(told)).toEqual([]);
});

test("takes only what is left to do from a long line", () => {
  const done = "The store waits for the file now, and the server answers only afterwards. ".repeat(3);
  expect(openItemsOfAnswer(`${done}The rate limit is still to do.`)).toEqual([
    "The rate limit is still to do.",
  ]);
});

const said = (hookType: string, type: string, narrative: string) => ({
  ...{ hookType, type, narrative, files: [] },
});

test("only the last of several plans counts", () => {
  const planned = (plan: string) => said("post_tool_use", "file_write", plan);
  const first = planned("open: Expiry; Rate limit · in progress: Server");
  const last = planned("open: Rate limit · in progress: Expiry · done: Server");
  expect(openItemsOfLastPlan([first, last, said("stop", "conversation", "The server works.")])).toEqual([
    "open: Rate limit · in progress: Expiry",
  ]);
  expect(openItemsOfLastPlan([first, planned("done: Server; Expiry; Rate limit")])).toEqual([]);
  expect(openItemsOfLastPlan([{ ...first, files: ["plan.md"] }])).toEqual([]);
  expect(openItems([planned("in progress: TODO list"), last])).toEqual([]);
  const steps = [planned("#1 open: TODO list"), planned("#2 open: Expiry"), planned("#1 done")];
  expect([openItemsOfLastPlan(steps), openItems(steps)]).toEqual([["open: Expiry"], []]);
  expect(openItemsOfLastPlan([...steps, planned("#2 dropped")])).toEqual([]);
  expect(openItemsOfLastPlan([...steps, first])).toEqual(["open: Expiry; Rate limit · in progress: Server"]);
});

test("takes TODO lines of the user, but nothing else of the request and nothing that was read", () => {
  expect(
    openItems([
      said(
        "prompt_submit",
        "conversation",
        "Do the expiry that is still open.\nTODO: tell of it in the README",
      ),
      said("post_tool_use", "file_read", "// TODO: tidy up"),
      said("post_tool_use", "command_run", "ls remaining"),
      said("stop", "conversation", "The README is still missing."),
    ]),
  ).toEqual(["TODO: tell of it in the README", "The README is still missing."]);
});

test("ignores code, and lists an item of a list once", () => {
  expect(openItemsOfAnswer("It works:\n```ts\n// TODO: tidy up\n```\nAll pass.")).toEqual([]);
  expect(openItemsOfAnswer("Still to do:\n- TODO: expiry\n- the rate limit")).toEqual([
    "Still to do: TODO: expiry; the rate limit",
  ]);
});

test("todoLines returns explicit to-do lines unchanged, with the list that one introduces, and no other wordings", () => {
  const answer =
    "It works.\n**Next steps:**\n- expiry\n- [x] paging\nThe README is still missing.\nTODO: the rate limit";
  const done = "## TODO\n\n- [x] the docs\n\n- [x] follow-up of orders\n- [ ] the todo list";
  expect(todoLines([said("stop", "conversation", answer), said("stop", "conversation", done)])).toEqual([
    "**Next steps:** expiry",
    "TODO: the rate limit",
    "TODO: the todo list",
  ]);
});
