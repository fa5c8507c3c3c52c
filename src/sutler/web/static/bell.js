/* "Tell me when it is my turn": asks the browser for messages, or leaves it alone again. Nothing is asked before somebody clicks. */
"use strict";

(() => {
  const bell = document.querySelector("[data-bell]");
  if (!bell) return;
  const button = bell.querySelector("button");
  const said = bell.querySelector("[data-bell-said]");
  if (!window.isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window)) return; // the page says so

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

  async function send(path, sent) {
    const headers = { "Content-Type": "application/json", "HX-Request": "true" }; // trouble comes as a sentence
    const answer = await fetch(sutler.url(path), { method: "POST", headers, body: JSON.stringify(sent) });
    if (answer.ok) return;
    throw new Error(new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim());
  }

  const kept = async () => (await navigator.serviceWorker.getRegistration(sutler.url("")))?.pushManager.getSubscription() ?? null;

  async function show() {
    const on = await kept() !== null;
    bell.dataset.bell = on ? "on" : "off";
    button.hidden = false;
    button.setAttribute("aria-pressed", String(on));
    button.querySelector("span").textContent = on ? bell.dataset.off : bell.dataset.on;
    said.textContent = on ? bell.dataset.rings : bell.dataset.silent;
  }

  async function ring() {
    if (await Notification.requestPermission() !== "granted") throw new Error(bell.dataset.refused);
    const worker = await navigator.serviceWorker.register(sutler.url(`bell-worker.js?say=${encodeURIComponent(bell.dataset.say)}`));
    await navigator.serviceWorker.ready;
    const asked = { userVisibleOnly: true, applicationServerKey: bytes(bell.dataset.key) };
    const made = (await worker.pushManager.subscribe(asked)).toJSON();
    await send("me/bell", { endpoint: made.endpoint, public: made.keys.p256dh, auth: made.keys.auth });
  }

  async function silence(one) {
    await send("me/bell/off", { endpoint: one.endpoint });
    await one.unsubscribe();
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const one = await kept();
      await (one ? silence(one) : ring());
      await show();
    } catch (error) {
      said.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
  show();
})();
