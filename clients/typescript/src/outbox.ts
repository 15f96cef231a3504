/** What waits to be written: all that is said in one turn of the loop leaves in one frame. */
import type { Link } from "./link.js";
import type { FromBot, Limits } from "./wire.js";

export class Outbox {
  /** What the arena takes in one frame; the welcome says. */
  limits: Limits = { frameMessages: 256, frameBytes: 1 << 20 };
  readonly #link: Link;
  #waiting: FromBot[] = [];

  constructor(link: Link) {
    this.#link = link;
  }

  put(message: FromBot): void {
    if (this.#waiting.length === 0) {
      queueMicrotask(() => this.flush());
    }
    this.#waiting.push(message);
  }

  /** Writes what waits now, in as many frames as the limits ask for. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let frame: FromBot[] = [];
    let bytes = 0;
    for (const message of waiting) {
      const size = bytesAtMost(message);
      const full = frame.length >= this.limits.frameMessages || bytes + size > this.limits.frameBytes;
      if (full && frame.length > 0) {
        this.#link.write(frame);
        frame = [];
        bytes = 0;
      }
      frame.push(message);
      bytes += size;
    }
    if (frame.length > 0) {
      this.#link.write(frame);
    }
  }
}

/** More bytes than the message has on the wire. */
function bytesAtMost(message: FromBot): number {
  if ("resume" in message) {
    return 1024 + 64 * message.resume.acks.length;
  }
  if (!("answer" in message)) {
    return 8192;
  }
  const { text = "", note = "", parts } = message.answer;
  return 64 + Buffer.byteLength(text) + Buffer.byteLength(note) + 10 * (parts?.indices.length ?? 0);
}
