/** One stream of a session, which outlives it: frames in and out, and whether anything still comes. */
import type { Link, Listener } from "./link.js";
import { Outbox } from "./outbox.js";
import { type Habits, Pulse } from "./pulse.js";
import type { Time } from "./time.js";
import type { FromArena, FromBot, Limits } from "./wire.js";

/** A stream that is cancelled sooner may take the last words to a slow arena with it. */
const FAREWELL_MS = 10_000;

/** Whose stream it is. Neither is called once the stream was given up. */
export interface Owner {
  heard(messages: readonly FromArena[]): void;
  /** The stream is over: its status by its gRPC name, and what is known of it. */
  gone(code: string, details: string): void;
}

export class Connection implements Listener {
  readonly #time: Time;
  readonly #link: Link;
  readonly #outbox: Outbox;
  readonly #pulse: Pulse;
  #owner: Owner | undefined;
  #stopTimer: () => void = () => undefined;

  /** Dials; throws what `dial` throws. */
  constructor(owner: Owner, dial: (listener: Listener) => Link, arena: Habits, time: Time) {
    this.#owner = owner;
    this.#time = time;
    this.#link = dial(this);
    this.#outbox = new Outbox(this.#link);
    const silent = (text: string): void => this.fail("SILENT", text);
    this.#pulse = new Pulse(arena, time, (ping) => this.put({ ping }), silent);
  }

  set limits(limits: Limits) {
    this.#outbox.limits = limits;
  }

  put(message: FromBot): void {
    this.#outbox.put(message);
  }

  /** Writes what waits now. */
  flush(): void {
    this.#outbox.flush();
  }

  /** The arena answered a ping. */
  ponged(nonce: string): void {
    this.#pulse.answered(nonce);
  }

  /** Takes the stream as lost unless the arena's first word is taken, with `welcomed`, in `ms` milliseconds. */
  awaitWelcome(ms: number): void {
    this.#stopTimer = this.#time.after(ms, () => this.fail("UNAVAILABLE", `no answer in ${Math.round(ms / 1000)} s`));
  }

  /** The arena's first word is taken; `resumable`: it lets sessions go on, so its pings and pongs mean something. */
  welcomed(resumable: boolean): void {
    this.#stopTimer();
    if (resumable) {
      this.#pulse.begin();
    }
  }

  /** No more is said, and the arena has a moment to close the stream. */
  close(): void {
    this.#pulse.stop();
    this.#outbox.flush();
    this.#link.close();
    this.#stopTimer();
    this.#stopTimer = this.#time.after(FAREWELL_MS, () => this.#link.cancel());
  }

  /** Closes without telling the owner, who has another stream or none from here on. */
  abandon(): void {
    this.#owner = undefined;
    this.close();
  }

  /** Gives the stream up and says why. */
  fail(code: string, details: string): void {
    this.#outbox.flush();
    this.closed(code, details);
    this.#link.cancel();
  }

  frame(messages: readonly FromArena[]): void {
    this.#pulse.heard();
    this.#owner?.heard(messages);
  }

  closed(code: string, details: string): void {
    const owner = this.#owner;
    this.#owner = undefined;
    this.#pulse.stop();
    this.#stopTimer();
    owner?.gone(code, details);
  }
}
