import { h } from "./element.ts";

const place = "memsvc-secret";

/** The secret where the browser refuses to store it: until the page is reloaded. */
let held: string | undefined;

/** The secret as stored in this tab; it is forgotten when the tab is closed. */
export function keptSecret(): string | undefined {
  return storage()?.getItem(place) ?? held;
}

export function keepSecret(secret: string): void {
  const kept = storage();
  if (kept === undefined) held = secret;
  else kept.setItem(place, secret);
}

export function forgetSecret(): void {
  storage()?.removeItem(place);
  held = undefined;
}

function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    // A browser that blocks all data of sites throws.
    return undefined;
  }
}

/**
 * The form that asks for the secret. `tell` returns whether the secret was accepted; the form shows when it was not.
 */
export function secretForm(tell: (secret: string) => Promise<boolean>, wasKept: boolean): HTMLElement {
  const field = h("input", {
    id: "secret",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "secret-note secret-fault",
  });
  const fault = h(
    "p",
    { id: "secret-fault", class: "fault", role: "alert" },
    wasKept && "The secret stored in this tab is no longer accepted.",
  );
  const submit = async (): Promise<void> => {
    fault.replaceChildren();
    if (await tell(field.value)) return;
    fault.replaceChildren("That is not the secret that the daemon was started with.");
    field.setAttribute("aria-invalid", "true");
    field.select();
  };
  return h(
    "form",
    {
      class: "card secret",
      listen: {
        submit: (event) => {
          event.preventDefault();
          void submit();
        },
      },
    },
    h("h1", { tabindex: -1 }, "This store has a secret"),
    h("label", { for: "secret" }, "Secret"),
    field,
    h(
      "p",
      { id: "secret-note", class: "note" },
      "The value of MEMSVC_SECRET, from the daemon's environment or its config file (",
      h("code", {}, "memsvc config path"),
      "). It is kept in this tab only.",
    ),
    fault,
    h("button", { type: "submit" }, "Open"),
  );
}
