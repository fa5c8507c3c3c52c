/* Runs without a page: shows that it is somebody's turn, unless a page of the house is being looked at. A click leads to what waits. */
"use strict";

const say = new URL(self.location).searchParams.get("say") ?? ""; // in the language of whoever asked for it

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (open.some((page) => page.focused)) return; // the page says it itself
    await self.registration.showNotification(told.game ?? "Sutler", { body: say, tag: told.tag, icon: new URL("static/favicon.svg", self.registration.scope).href });
  })());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(new URL("me", self.registration.scope).href));
});
