/* Passkeys on one's own page: the browser makes one or uses one, the house says what for and judges it. */
"use strict";

(() => {
  const trouble = document.querySelector("[data-passkey-trouble]");
  if (!window.isSecureContext || !window.PublicKeyCredential) return; // the page says that there are none
  document.querySelector("[data-passkey-none]").hidden = true;

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  async function ask(path, sent) {
    const answer = await fetch(sutler.url(path), {
      method: "POST",
      headers: { "Content-Type": "application/json", "HX-Request": "true" }, // trouble comes as a sentence, not a page
      body: JSON.stringify(sent ?? {}),
    });
    if (answer.ok) return answer.json();
    const said = new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim();
    throw new Error(said || sutler._("The house did not answer as it should; try again."));
  }

  /* What the browser made, as WebAuthn writes it: every buffer in base 64. */
  function written(made) {
    const response = {};
    for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[part]) response[part] = text(made.response[part]);
    }
    return { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {} };
  }

  const known = (list) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

  async function keep(form) {
    const wanted = await ask("me/passkeys/offer");
    const publicKey = {
      ...wanted,
      challenge: bytes(wanted.challenge),
      user: { ...wanted.user, id: bytes(wanted.user.id) },
      excludeCredentials: known(wanted.excludeCredentials),
    };
    const made = await navigator.credentials.create({ publicKey });
    return ask("me/passkeys", { credential: written(made), called: form.elements.called.value });
  }

  async function enter(form) {
    const asked = await ask("me/passkeys/question");
    const publicKey = { ...asked, challenge: bytes(asked.challenge), allowCredentials: known(asked.allowCredentials) };
    const brought = await navigator.credentials.get({ publicKey });
    return ask("me/passkeys/enter", { credential: written(brought), bring: form.elements.bring.checked });
  }

  /* The browser's own words are for programmers; these are for whoever looked for their key. */
  const said = {
    NotAllowedError: sutler._("No passkey was given. Nothing has changed."),
    InvalidStateError: sutler._("This device keeps a passkey of yours already."),
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      trouble.hidden = true;
      const button = form.querySelector("button");
      button.disabled = true;
      try {
        const done = await (form.dataset.passkey === "keep" ? keep : enter)(form);
        location.assign(done.to);
      } catch (error) {
        trouble.textContent = said[error.name] ?? error.message;
        trouble.hidden = false;
        button.disabled = false;
      }
    });
  }
})();
