import type { InfixFormat } from "../token-format.ts";

/*
 * Keys that Azure made since 2022 carry the mark of their service at a fixed place before their end, so that scanners
 * recognise them without a name beside them.
 */
const base64 = "[A-Za-z0-9+/]";

/** A key of 64 bytes. */
const longKey = (name: string, mark: string): InfixFormat => ({
  name,
  triggers: [mark.toLowerCase()],
  head: `${base64}{76}`,
  body: `${mark.replace("+", "\\+")}${base64}{5}[AQgw]==`,
  caseSensitive: true,
});

/** A key of 32 bytes. */
const shortKey = (name: string, mark: string): InfixFormat => ({
  name,
  triggers: [mark.toLowerCase()],
  head: `${base64}{33}`,
  body: `${mark.replace("+", "\\+")}[A-P]${base64}{5}=`,
  caseSensitive: true,
});

/** Keys of Azure's services. */
export const azureKeys: readonly InfixFormat[] = [
  longKey("azure storage key", "+ASt"),
  longKey("azure cosmos key", "ACDb"),
  longKey("azure batch key", "+ABa"),
  longKey("azure machine learning key", "+AMC"),
  longKey("azure api management key", "APIM"),
  shortKey("azure service bus key", "+ASb"),
  shortKey("azure event hub key", "+AEh"),
  shortKey("azure event grid key", "AZEG"),
  shortKey("azure relay key", "+ARm"),
  shortKey("azure iot key", "AIoT"),
  shortKey("azure redis key", "AzCa"),
  {
    name: "azure function key",
    triggers: ["azfu"],
    head: "[\\w-]{44}",
    body: "AzFu[\\w-]{5}[AQgw]==",
    caseSensitive: true,
  },
  {
    name: "azure search key",
    triggers: ["azse"],
    head: "[A-Za-z0-9]{42}",
    body: "AzSe[A-D][A-Za-z0-9]{5}\\b",
    caseSensitive: true,
  },
  {
    name: "azure container registry password",
    triggers: ["+acr"],
    head: `${base64}{42}`,
    body: `\\+ACR[A-D]${base64}{5}(?!${base64})`,
    caseSensitive: true,
  },
];
