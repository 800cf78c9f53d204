import { h } from "./element.ts";

const everyMs = 5_000;

/** A button that switches automatic refreshing on and off; it refreshes only while the tab is visible. */
export function followButton(again: () => void): HTMLElement {
  let timer: number | undefined;
  const button = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-pressed": "false",
      title: `refresh every ${everyMs / 1_000} seconds`,
      listen: { click: () => toggle() },
    },
    "Follow",
  );
  const toggle = (): void => {
    window.clearInterval(timer);
    timer = timer === undefined ? window.setInterval(() => document.hidden || again(), everyMs) : undefined;
    button.setAttribute("aria-pressed", String(timer !== undefined));
  };
  return button;
}
