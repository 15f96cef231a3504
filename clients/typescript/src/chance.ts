/**
 * Chance that is derived, never drawn: every stream follows from a seed and a label, as in the engine.
 *
 * Block c of a stream is HMAC-SHA256 with the seed as key over label ‖ 0x00 ‖ c (label in UTF-8, c in eight bytes,
 * big-endian); it gives four 64-bit words, big-endian, in order.
 */
import { createHmac } from "node:crypto";

const WORDS = 1n << 64n;
const BLOCK = 32;

/** The words of one seed and one label, in order. */
export class Stream {
  readonly #seed: Uint8Array;
  readonly #prefix: Buffer;
  #counter = 0n;
  #block: Buffer = Buffer.alloc(0);
  #used = BLOCK;

  constructor(seed: Uint8Array, label: string) {
    this.#seed = seed;
    this.#prefix = Buffer.from(`${label}\0`, "utf8");
  }

  /** The next integer, 0 to 2**64 - 1. */
  word(): bigint {
    if (this.#used === BLOCK) {
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(this.#counter);
      this.#block = createHmac("sha256", this.#seed).update(this.#prefix).update(counter).digest();
      this.#counter += 1n;
      this.#used = 0;
    }
    this.#used += 8;
    return this.#block.readBigUInt64BE(this.#used - 8);
  }

  /** A uniform integer from 0 to `bound` - 1, by rejection: words at or above the last multiple are skipped. */
  below(bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1) {
      throw new RangeError(`below(${bound}): expected a whole bound from 1 to 2**53 - 1`);
    }
    const divisor = BigInt(bound);
    const limit = WORDS - (WORDS % divisor);
    let word = this.word();
    while (word >= limit) {
      word = this.word();
    }
    return Number(word % divisor);
  }

  /** Shuffles in place: Fisher-Yates from the top (Durstenfeld 1964). */
  shuffle(items: unknown[]): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
  }

  /** One of `items`, uniformly. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** `count` different integers below `size`, ascending; every subset is equally likely (Bentley and Floyd 1987). */
  sample(size: number, count: number): number[] {
    if (!(count >= 0 && count <= size)) {
      throw new RangeError(`sample(${size}, ${count}): expected a count from 0 to ${size}`);
    }
    const taken = new Set<number>();
    for (let last = size - count; last < size; last += 1) {
      const other = this.below(last + 1);
      taken.add(taken.has(other) ? last : other);
    }
    return [...taken].sort((a, b) => a - b);
  }
}
