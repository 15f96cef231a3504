/** How long to wait before each attempt to get a lost stream back, and when to give up. */
import type { Time } from "./time.js";

const FIRST_MS = 100;
const LONGEST_MS = 5_000;
const SHORTEST_ATTEMPT_MS = 1_000;

/**
 * Waits of 0.1 s doubling to 5 s, each shortened by up to a half at random so that many bots do not dial at once.
 * A stream that stood for 5 s begins them anew.
 */
export class BackOff {
  readonly patienceMs: number;
  readonly #time: Time;
  readonly #random: () => number;
  #since: number | undefined;
  #backAt = 0;
  #attempts = 0;

  /** `random` gives numbers from 0 up to 1, that one left out; patience 0 never tries. */
  constructor(patienceMs: number, time: Time, random: () => number) {
    this.patienceMs = patienceMs;
    this.#time = time;
    this.#random = random;
  }

  /** True between a loss and the return. */
  get away(): boolean {
    return this.#since !== undefined;
  }

  /** Milliseconds until the next attempt, the first of which notes the loss; undefined when patience is at its end. */
  next(): number | undefined {
    if (this.#since === undefined) {
      this.#since = this.#time.now();
      this.#attempts = this.#since - this.#backAt >= LONGEST_MS ? 0 : this.#attempts;
    }
    const left = this.#left();
    if (left <= 0) {
      return undefined;
    }
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#attempts) * (1 - this.#random() / 2);
    this.#attempts += 1;
    return Math.min(wait, left);
  }

  /** Milliseconds that an attempt may take: `usual`, or what is left of the patience where that is less. */
  attempt(usual: number): number {
    return this.away ? Math.min(usual, Math.max(SHORTEST_ATTEMPT_MS, this.#left())) : usual;
  }

  /** The stream is back: returns the milliseconds that it was away. */
  back(): number {
    this.#backAt = this.#time.now();
    const away = this.#backAt - (this.#since ?? this.#backAt);
    this.#since = undefined;
    return away;
  }

  #left(): number {
    return this.patienceMs - (this.#time.now() - (this.#since ?? this.#time.now()));
  }
}
