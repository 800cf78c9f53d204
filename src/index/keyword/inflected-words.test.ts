import { expect, test } from "vitest";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { foundIn, openTestIndex, putInto } from "../index-fixture.ts";

/* Notes in other languages than English, and questions that contain their words in other forms. */

const index = forEachTest(openTestIndex);

const notes: readonly (readonly [string, string])[] = [
  ["Сессии пользователей храним в Redis, срок жизни 24 часа", "где лежит сессия пользователя"],
  ["Пароли пользователей хешируем через argon2id", "хеширование пароля"],
  ["Миграции базы данных запускаются вручную перед релизом", "как запустить миграцию"],
  ["Интеграционные тесты падают из-за часового пояса контейнера", "падающий интеграционный тест"],
  ["Развёртывание на стенд выполняет скрипт deploy.sh", "скрипты развёртывания"],
  ["Логи сервиса оплаты пишутся в Loki", "лог оплаты"],
  ["Очередь сообщений работает на RabbitMQ, ретраи через dead letter", "повторы сообщения в очереди"],
  ["Ошибку с двойным списанием исправили идемпотентным ключом", "ошибка двойного списания"],
  ["Кэш каталога сбрасывается при изменении цены", "сброс кэша каталогов"],
  ["Поиск по товарам идёт через Elasticsearch", "поиска товара"],
  ["Бэкапы базы снимаем каждую ночь в S3", "бэкап базы данных"],
  ["Для фронтенда решили использовать Vue вместо React", "решение по фронтенду"],
  ["Переменные окружения лежат в Vault, не в репозитории", "переменная окружения"],
  ["Ветки называем по номеру задачи", "название ветки"],
  ["Ревью кода обязательно от двух разработчиков", "правила ревью разработчиком"],
  ["Таймаут запроса к банку увеличен до 30 секунд", "таймауты запросов банка"],
  ["Документация генерируется из комментариев", "генерация документации"],
  ["Индексы в таблице заказов перестроили, запросы стали быстрее", "индекс таблицы заказ"],
  ["Вебхуки платёжной системы подписаны HMAC", "подпись вебхука"],
  ["Загрузка файлов ограничена 20 мегабайтами", "ограничение загрузки файла"],
  ["Уведомления отправляются через Firebase", "отправка уведомления"],
  ["Роли администраторов проверяет middleware", "роль администратора"],
  ["Импорт прайсов поставщиков разбивается на пачки по тысяче строк", "импорта прайса поставщика"],
  ["Часовой пояс сервера всегда UTC", "часового пояса серверов"],
  ["Зависимости обновляем раз в месяц ботом", "обновление зависимости"],
  ["Утечку памяти в воркере нашли в обработчике картинок", "утечка памяти воркера"],
  ["Секретные токены ротируются каждые 90 дней", "ротация секретного токена"],
  ["Сборка образов идёт на GitHub Actions", "сборки образа"],
  ["Мониторинг настроен в Grafana, алерты в телеграм", "настройка алерта мониторинга"],
  ["Транзакции заказа откатываются при ошибке склада", "откат транзакции складом"],
  ["Платежи проводим через Stripe, возвраты только вручную", "возврат платежа"],
  ["Почтовые рассылки уходят через отдельный воркер", "почтовая рассылка"],
  ["Ключи шифрования хранятся в KMS и меняются ежеквартально", "смена ключа шифрования"],
  ["Фоновые задачи запускает планировщик на cron", "запуск фоновой задачи"],
  ["Картинки профилей сжимаются до 512 пикселей", "сжатие картинки профиля"],
  ["Курсы валют обновляются каждый час из ЦБ", "обновить курс валюты"],
  ["Удалённые записи помечаются флагом, а не стираются", "пометка удалённой записи"],
  ["Слишком длинные строки обрезаем до 255 символов", "обрезать длинную строку"],
  ["Права доступа описаны в таблице ролей", "право доступа роли"],
  ["Отчёты строятся ночью и кладутся в хранилище", "построение отчёта"],
  [
    "Блокировки строк вызывали взаимные ожидания, порядок обновлений теперь по id",
    "взаимное ожидание блокировка",
  ],
  ["Проверку подписей перенесли в шлюз", "проверять подпись на шлюзе"],
  ["Настройки приложения читаются один раз при старте", "чтение настройки приложений"],
  ["Падение сборки чинится очисткой кеша зависимостей", "очистить кеш при падении сборок"],
  ["Ограничение частоты запросов: сто в минуту на пользователя", "ограничить частоту запроса"],
  ["Die Benutzersitzungen liegen in Redis und laufen nach 24 Stunden ab", "Ablauf einer Benutzersitzung"],
  ["Passwörter werden mit argon2id gehasht", "Passwort Hash"],
  ["Datenbankmigrationen laufen von Hand vor jeder Veröffentlichung", "Datenbankmigration ausführen"],
  ["Die Integrationstests scheitern an der Zeitzone des Containers", "gescheiterter Integrationstest"],
  ["Fehlgeschlagene Zahlungen werden dreimal wiederholt", "Wiederholung einer fehlgeschlagenen Zahlung"],
  ["Der Zwischenspeicher des Katalogs wird bei Preisänderungen geleert", "Zwischenspeichers Katalog leeren"],
  ["Sicherungen der Datenbank gehen jede Nacht nach S3", "Sicherung Datenbanken"],
  ["Umgebungsvariablen stehen im Vault, nicht im Repository", "Umgebungsvariable"],
  ["Branches heißen nach der Nummer des Tickets", "Nummern der Tickets im Branch"],
  ["Jede Änderung braucht zwei Prüfer", "wie viele Prüfern für Änderungen"],
  ["Zeitüberschreitung bei der Bank auf 30 Sekunden erhöht", "Zeitüberschreitungen der Banken"],
  ["Hochgeladene Dateien dürfen höchstens 20 MB groß sein", "Größe hochgeladener Datei"],
  ["Die Rollen der Administratoren prüft eine Middleware", "Rolle eines Administrators"],
  ["Der Import der Lieferantenpreise läuft in Paketen von tausend Zeilen", "Importe Lieferantenpreis Paket"],
  ["Abhängigkeiten werden monatlich von einem Bot aktualisiert", "Aktualisierung der Abhängigkeit"],
  ["Speicherleck im Bildverarbeiter gefunden und behoben", "Speicherlecks Bildverarbeitern"],
  ["Geheime Schlüssel werden alle 90 Tage erneuert", "Erneuerung geheimer Schlüssel"],
  ["Abbilder baut GitHub Actions", "Abbild bauen"],
  ["Warnungen der Überwachung kommen in Slack an", "Warnung Überwachungen"],
  [
    "Bestellungen werden zurückgerollt, wenn das Lager einen Fehler meldet",
    "Bestellung zurückrollen bei Fehlern",
  ],
  ["Rechnungen werden als PDF im Objektspeicher abgelegt", "Ablage der Rechnung"],
  ["Der Wechselkurs kommt stündlich von der Zentralbank", "Wechselkurse der Zentralbanken"],
  ["Gelöschte Datensätze werden nur markiert", "gelöschter Datensatz markieren"],
  ["Zugriffsrechte stehen in der Rollentabelle", "Zugriffsrecht in Rollentabellen"],
  ["Nächtliche Berichte erzeugt ein eigener Dienst", "nächtlicher Bericht wie erzeugen"],
  ["Die Prüfung der Signaturen liegt im Gateway", "Prüfen einer Signatur"],
  ["Anfragen sind auf hundert pro Minute begrenzt", "Begrenzung der Anfrage"],
  ["Hintergrundaufgaben startet ein Zeitplaner", "Hintergrundaufgabe starten"],
  ["Fehlermeldungen werden auf Deutsch und Englisch ausgegeben", "Ausgabe einer Fehlermeldung"],
  ["Los pagos se reembolsan solo de forma manual", "reembolso de un pago"],
  ["Las claves de cifrado se guardan en el KMS", "guardar una clave de cifrado"],
  ["Los informes se generan por la noche", "generar el informe nocturno"],
  ["Las peticiones están limitadas a cien por minuto", "límite de la petición"],
  ["Les paiements sont remboursés uniquement à la main", "rembourser un paiement"],
  ["Les clés de chiffrement sont conservées dans le KMS", "conserver la clé de chiffrement"],
  ["Les requêtes sont limitées à cent par minute", "limiter une requête"],
  ["As chaves de criptografia ficam no cofre", "onde fica a chave de criptografia"],
  ["Os relatórios são gerados à noite", "gerar o relatório"],
  ["I pagamenti vengono rimborsati solo manualmente", "rimborsare un pagamento"],
  ["Le chiavi di cifratura sono conservate nel KMS", "conservare la chiave di cifratura"],
  ["Raporty są generowane w nocy", "generowanie raportu"],
  ["Klucze szyfrowania przechowujemy w KMS", "gdzie jest klucz szyfrowania"],
  ["Betalningar återbetalas bara manuellt", "hur återbetala en betalning"],
  ["Rapporter skapas på natten", "skapa rapporten"],
  ["De sleutels worden bewaard in de kluis", "waar wordt de sleutel bewaard"],
  ["De verslagen worden 's nachts gemaakt", "hoe maken we een verslag"],
  ["Сесії користувачів зберігаємо в Redis", "де зберігається сесія користувача"],
  ["Платежі повертаємо лише вручну", "повернення платежу"],
  ["Kullanıcı oturumları Redis'te saklanır", "kullanıcının oturumu nerede"],
];

test("a question finds the note that has its words with other endings, among all of them first", async () => {
  await putInto(index, ...notes.map(([body], at) => ({ ref: `note ${at}`, body })));
  const missed: string[] = [];
  for (const [at, [, question]] of notes.entries()) {
    const [first] = await foundIn(index, question);
    if (first !== `note ${at}`) missed.push(question);
  }
  expect(missed).toEqual([]);
});

test("function words of the question's language alone find nothing beside words that tell more", async () => {
  await putInto(index, { ref: "der", body: "der die das" }, { ref: "backup", body: "die Sicherungen" });
  expect(await foundIn(index, "wo ist die Sicherung")).toEqual(["backup"]);
  expect(await foundIn(index, "der")).toEqual(["der"]);
  expect(await foundIn(index, "openssl der")).toEqual(["der"]);
});

test("English questions are searched as they are", async () => {
  await putInto(
    index,
    { ref: "a", body: "services" },
    { ref: "b", body: "server" },
    { ref: "c", body: "die casting" },
  );
  expect(await foundIn(index, "which server")).toEqual(["b"]);
  expect(await foundIn(index, "die casting")).toEqual(["c"]);
});

test("what only begins like a word is not taken for a form of it", async () => {
  await putInto(index, { ref: "logs", body: "логи сервиса" }, { ref: "logic", body: "логика логина" });
  expect(await foundIn(index, "лог")).toEqual(["logs"]);
});
