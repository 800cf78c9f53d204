import { expect, test } from "vitest";
import { loadSettings } from "../config/load.ts";
import { listenForViewer } from "./viewer-port.ts";

test("behind the last port there is none for the viewer, which is told as what it is", async () => {
  const { settings } = loadSettings({ home: "/home", env: {}, fileText: undefined });
  const told: string[] = [];
  const viewer = await listenForViewer(
    () => new Response(),
    settings,
    65_534,
    (_level, message) => told.push(message),
  );
  expect(viewer).toBeUndefined();
  expect(told).toEqual([
    "the viewer has no port: 65535 is the last there is; choose another with MEMSVC_VIEWER_PORT",
  ]);
});
