import type { InfixFormat } from "../token-format.ts";

/*
 * A bot's token begins with its id, a number of 17 to 20 digits, in base64: three digits become four characters, of
 * which only some occur at each place. The time that follows begins with one of three letters.
 */
const threeDigits = "[MNO][DTjz][AEIMQUYcgk][w-z0-5]";
const lastOfId = [..."wxyz#aqgeimuck"];
const firstOfTime = [..."gxy"];

/** The token of a Discord bot, without the vendor's name beside it. */
export const discordBotToken: InfixFormat = {
  name: "discord bot token",
  triggers: lastOfId.flatMap((last) => firstOfTime.map((first) => `${last}.${first}`)),
  head: `(?:${threeDigits}){5,6}[MNO](?:[DTjz][AEIMQUYcgk]?)?`,
  body: "\\w\\.[GXY][\\w-]{5}\\.[\\w-]{27,}",
  caseSensitive: true,
};
