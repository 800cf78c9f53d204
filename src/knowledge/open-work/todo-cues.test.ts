import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { fromTodoCue, saysAllDone, withoutTodoCue } from "./todo-cues.ts";

test.each([
  "Still to do: the docs.",
  "Still open: the docs.",
  "**Still to do:** the docs.",
  "- TODO: the docs.",
  "Todo: the docs.",
  "Next step: the docs.",
  "Next: the docs.",
  "Open points: the docs.",
  "Not done yet: the docs.",
  "Next session: the docs.",
  "Left: the docs.",
  "Offen: the docs.",
  "Remaining work: the docs.",
  "What's left to do: the docs.",
  "Still to do: TODO: the docs.",
  "Noch offen: the docs.",
  "Noch zu tun: the docs.",
  "Offene Punkte: the docs.",
  "Nächste Schritte: the docs.",
  "Reste à faire : the docs.",
  "À faire : the docs.",
  "Prochaines étapes : the docs.",
  "Pendiente: the docs.",
  "Próximos pasos: the docs.",
  "Por fazer: the docs.",
  "Próximos passos: the docs.",
  "Da fare: the docs.",
  "Prossimi passi: the docs.",
  "Осталось: the docs.",
  "Осталось сделать: the docs.",
  "Следующие шаги: the docs.",
  "Залишилось зробити: the docs.",
  "Наступні кроки: the docs.",
  "待办事项：the docs.",
  "下一步：the docs.",
  "残りの作業：the docs.",
  "次のステップ: the docs.",
])("removes the to-do cue from %j", (item) => {
  expect(withoutTodoCue(item)).toBe("the docs.");
});

test.each([
  "The docs are still to do: nobody wrote them.",
  "Still to do in the API: paging.",
  "Remaining errors: 3.",
  "Es fehlt noch eine README.",
  "next.config.js: set the output",
  "TODO:",
  "Open for next time: expiry",
  "Осталось дописать README: её нет.",
])("leaves %j unchanged", (item) => {
  expect(withoutTodoCue(item)).toBe(item);
});

test.each(["_", " ", "* ", "1.", "todo: ", "осталось ", "надо ещё ", "niente ", "まだ", "あとで", "まだて"])(
  "reads 64 KiB of %j in linear time",
  (unit) => {
    const text = unit.repeat(65_536 / unit.length);
    const spent = processorTimer();
    expect(withoutTodoCue(`todo ${text}x: the docs`)).toContain("the docs");
    expect(spent()).toBeLessThan(1_000);
  },
);

test.each([
  ["All tests pass. Next: the docs.", "Next: the docs."],
  [
    "Invoices are numbered. Left: credit notes need numbers of their own.",
    "Left: credit notes need numbers of their own.",
  ],
  ["Refunds are done by hand. Left for later: rate limiting.", "Left for later: rate limiting."],
  [
    "It works. Still open: coupons; gift cards. Both need a price.",
    "Still open: coupons; gift cards. Both need a price.",
  ],
  ["The cache is slow. TODO: replace it.", "The cache is slow. TODO: replace it."],
  ["Refunds are only stubbed for now. Next: the docs.", "Refunds are only stubbed for now. Next: the docs."],
])("%j is open from %j on", (item, open) => {
  expect(fromTodoCue(item)).toBe(open);
});

test.each([
  "Tudo feito.",
  "Tutto pronto.",
  "Всё готово.",
  "Усе зроблено.",
  "任务全部完成。",
  "すべて完了しました。",
])("%j says that all is done", (answer) => expect(saysAllDone(answer)).toBe(true));

test.each(["Не всё готово.", "尚未全部完成。", "Tutto da fare."])(
  "%j does not say that all is done",
  (answer) => {
    expect(saysAllDone(answer)).toBe(false);
  },
);
