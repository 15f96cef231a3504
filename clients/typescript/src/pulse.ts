/** Whether a stream still carries anything: pings while it is quiet, and a verdict when it stays so. */
import type { Time } from "./time.js";
import type { Ping } from "./wire.js";

export const QUIET_MS = 15_000;
export const LOST_MS = 45_000;
/** A tick that comes this late says that the loop was held, and then silence proves nothing. */
const LATE_MS = 500;

/** What is known of an arena, on all streams to it. */
export interface Habits {
  /** It has answered a ping once, so its silence means something. */
  answersPings: boolean;
}

export class Pulse {
  readonly #arena: Habits;
  readonly #time: Time;
  readonly #ping: (ping: Ping) => void;
  readonly #lost: (text: string) => void;
  #heard: number;
  #asked = 0;
  #nonce = 0;
  #roundTripUs: string | undefined;
  #stop: () => void = () => undefined;

  /** `lost` is called once, when an arena that answers pings was silent for `LOST_MS`. */
  constructor(arena: Habits, time: Time, ping: (ping: Ping) => void, lost: (text: string) => void) {
    this.#arena = arena;
    this.#time = time;
    this.#ping = ping;
    this.#lost = lost;
    this.#heard = time.now();
    this.#tickIn(QUIET_MS);
  }

  /** Pings without waiting for quiet, so that an arena that answers is known before it falls silent. */
  begin(): void {
    this.#say(this.#time.now());
  }

  /** Something came. */
  heard(): void {
    this.#heard = this.#time.now();
  }

  answered(nonce: string): void {
    this.#arena.answersPings = true;
    if (nonce === String(this.#nonce)) {
      this.#roundTripUs = String(Math.round((this.#time.now() - this.#asked) * 1000));
    }
  }

  stop(): void {
    this.#stop();
  }

  #tickIn(ms: number): void {
    const due = this.#time.now() + ms;
    this.#stop = this.#time.after(ms, () => this.#tick(due));
  }

  #tick(due: number): void {
    const now = this.#time.now();
    if (now - due > LATE_MS) {
      this.#heard = now;
    }
    const quiet = now - this.#heard;
    if (quiet >= LOST_MS && this.#arena.answersPings) {
      this.#lost(`nothing was heard for ${LOST_MS / 1000} s`);
      return;
    }
    if (quiet >= QUIET_MS) {
      this.#say(now);
    }
    this.#tickIn(QUIET_MS - (quiet % QUIET_MS));
  }

  #say(now: number): void {
    this.#nonce += 1;
    this.#asked = now;
    const last = this.#roundTripUs;
    this.#ping({ nonce: String(this.#nonce), ...(last === undefined ? {} : { lastRoundTripUs: last }) });
  }
}
