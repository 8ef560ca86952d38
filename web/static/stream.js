// The newest snapshot, by a live stream where there is one, by asking now and then where there is none.

import { within } from "./patience.js";

const POLL_MS = 2000;
const AGAIN_MS = 15000;

export class Connection {
  /**
   * run: the server's run that made this page; another one has the page loaded anew.
   * onSnapshot(snapshot) for every newer one; onState("live" | "polling" | "lost") when it changes.
   */
  constructor(run, onSnapshot, onState) {
    this.run = run;
    this.onSnapshot = onSnapshot;
    this.onState = onState;
    this.version = -1;
    this.state = null;
    this.silentMs = 30000;
  }

  start() {
    // A browser has few connections for one machine: a page that nobody sees keeps none.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    this.open();
  }

  /** Take a snapshot that came by whatever way. */
  take(snapshot) {
    if (snapshot.version <= this.version) return;
    this.version = snapshot.version;
    this.onSnapshot(snapshot);
  }

  open() {
    this.close();
    this.source = new EventSource("/stream");
    this.source.addEventListener("hello", (event) => {
      const hello = JSON.parse(event.data);
      this.silentMs = hello.heartbeat_s * 2500;
      this.sameRun(hello.run);
      this.stopPolling();
      this.heard();
    });
    this.source.addEventListener("alive", () => this.heard());
    this.source.addEventListener("message", (event) => {
      this.heard();
      this.take(JSON.parse(event.data));
    });
    this.source.addEventListener("error", () => this.fallBack());
    this.watch();
  }

  close() {
    this.source?.close();
    this.stopPolling();
    clearTimeout(this.again);
    clearTimeout(this.silence);
  }

  heard() {
    this.enter("live");
    this.watch();
  }

  // A connection can die without a word (a tablet out of reach of the Wi-Fi).
  watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.source.close();
      this.fallBack();
    }, this.silentMs);
  }

  // The browser itself comes back to a stream that broke; one that was refused it leaves for good.
  fallBack() {
    clearTimeout(this.silence);
    if (this.source.readyState === EventSource.CLOSED) {
      clearTimeout(this.again);
      this.again = setTimeout(() => this.open(), AGAIN_MS);
    }
    if (!this.polling) {
      this.polling = setInterval(() => this.poll(), POLL_MS);
      this.poll();
    }
  }

  stopPolling() {
    clearInterval(this.polling);
    this.polling = null;
  }

  async poll() {
    const polling = this.polling;
    try {
      const answer = await fetch(`/snapshot.json?version=${this.version}`, { signal: within(5000) });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      this.sameRun(answer.headers.get("Companion-Run"));
      if (answer.status === 200) this.take(await answer.json());
      if (polling === this.polling) this.enter("polling");
    } catch {
      if (polling === this.polling) this.enter("lost");
    }
  }

  sameRun(run) {
    if (run !== this.run) location.reload();
  }

  enter(state) {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }
}
