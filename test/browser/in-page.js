/*
 * Runs inside the page, before the page's own script. Tests use it to go to a view and read it, and to look for
 * anything in the document that could run code or load something.
 */

/** Elements that the page may contain; none of them runs code or loads anything. */
const harmless = new Set(
  (
    "html head meta title link style body noscript " +
    "a article aside button code datalist dd details div dl dt fieldset footer form h1 h2 h3 header input label li " +
    "main meter nav ol option p pre section select small span strong summary table tbody td th thead time tr ul " +
    "svg circle g line text"
  ).split(" "),
);
/** Largest allowed numbers of some elements. No script: the page's own one is removed once it has run. */
const most = { script: 0, style: 1, link: 1, meta: 3 };
const addresses = ["href", "xlink:href", "src", "srcset", "action", "formaction", "data", "srcdoc", "poster"];

document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
);

globalThis.inPage = {
  /** Goes to a view, waits for it, and returns all text a reader could read there, names of elements included. */
  async show(hash) {
    const main = document.querySelector("main");
    if (location.hash !== hash) {
      const shown = new Promise((resolve) => {
        new MutationObserver(resolve).observe(main, { childList: true });
      });
      location.hash = hash;
      await shown;
    }
    const names = [...main.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
    return [document.title, main.textContent, ...names].join("\n");
  },

  /** Lists everything in the document that is not known to be harmless. */
  standing() {
    const found = [];
    for (const element of document.querySelectorAll("*")) {
      const tag = element.tagName.toLowerCase();
      if (!harmless.has(tag)) found.push(`holds a ${tag}`);
      for (const { name, value } of element.attributes) {
        const isOwn = value.startsWith("#") || (tag === "link" && value.startsWith("data:image/svg+xml,"));
        if (addresses.includes(name) && !isOwn) found.push(`has ${name}=${value}`);
        if (name.startsWith("on") || name === "style") found.push(`has ${name}`);
      }
    }
    for (const [tag, count] of Object.entries(most))
      if (document.querySelectorAll(tag).length > count) found.push(`holds another ${tag}`);
    return found;
  },
};
