/** An arena at the other end of lines that a test cuts, in time that a test lets pass. */
import { setImmediate as turn } from "node:timers/promises";

import type { BotClass } from "../bot.js";
import type { Link, Listener } from "../link.js";
import { Session, type SessionSettings } from "../session.js";
import type { Time } from "../time.js";
import type { FromArena, Ping } from "../wire.js";
import type { Ended } from "../words.js";
import { type Said, schema } from "./arena.js";

interface Codec {
  serialize(value: object): Buffer;
  deserialize(bytes: Buffer): { messages: unknown[] };
}

const REQUEST = schema.definition["rivalry.arena.v1.PlayRequest"] as unknown as Codec;
const RESPONSE = schema.definition["rivalry.arena.v1.PlayResponse"] as unknown as Codec;

/** Time that stands still until it is told to pass. */
export class Clock implements Time {
  #now = 0;
  #timers: { readonly at: number; readonly act: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Milliseconds until each timer that is set, ascending. */
  get waits(): number[] {
    return this.#timers.map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Lets time pass; timers act when they are due, and what they cause is awaited. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#now = next.at;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.act();
      await settled();
    }
    this.#now = end;
  }

  /** Lets time pass while the loop is held: timers that are due act afterwards, late. */
  async hold(ms: number): Promise<void> {
    this.#now += ms;
    for (let next = this.#next(this.#now); next; next = this.#next(this.#now)) {
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.act();
      await settled();
    }
  }

  #next(end: number) {
    return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

/** Waits until the session has done all that it does by itself. */
export async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** One stream, seen from the arena. */
export class Line implements Link {
  /** The bot has closed its side; the bot has given the stream up. */
  closed = false;
  cancelled = false;
  /** The ping that follows a welcome. */
  pinged: Ping | undefined;
  readonly #listener: Listener;
  #said: Said[] = [];
  #over = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** What the bot said since this was asked last. */
  async said(): Promise<Said[]> {
    await settled();
    const said = this.#said;
    this.#said = [];
    return said;
  }

  /** The one message that the bot said. */
  async one(): Promise<Said> {
    const said = await this.said();
    if (said.length !== 1) {
      throw new Error(`expected one message, got ${JSON.stringify(said)}`);
    }
    return said[0]!;
  }

  async send(...messages: object[]): Promise<void> {
    this.#listener.frame(RESPONSE.deserialize(RESPONSE.serialize({ messages })).messages as FromArena[]);
    await settled();
  }

  /** Reads the first word and says welcome; the token's text is what the session can be resumed with. */
  async greet(token: string, more: object = {}): Promise<Said> {
    const first = await this.one();
    const features = first.message === "hello" ? first.hello.features : [];
    await this.send({ welcome: { protocol: 1, features, resumeToken: Buffer.from(token), ...more } });
    if (token && (first.message === "resume" || features.includes("resume"))) {
      this.pinged = (await this.one()).ping;
    }
    return first;
  }

  /** The stream breaks without a word. */
  async cut(code = "UNAVAILABLE", details = "cut"): Promise<void> {
    this.#over = true;
    this.#listener.closed(code, details);
    await settled();
  }

  write(messages: readonly object[]): void {
    if (this.closed) {
      throw new Error("written after the bot's side was closed");
    }
    if (!this.#over) {
      this.#said.push(...(REQUEST.deserialize(REQUEST.serialize({ messages })).messages as Said[]));
    }
  }

  close(): void {
    this.closed = true;
  }

  cancel(): void {
    this.cancelled = true;
    if (!this.#over) {
      this.#over = true;
      setImmediate(() => this.#listener.closed("CANCELLED", "cancelled"));
    }
  }
}

/** A session and all of its lines. */
export class Played {
  readonly clock = new Clock();
  readonly lines: Line[] = [];
  readonly told: string[] = [];
  readonly session: Session;
  /** True while nobody is at the address. */
  deserted = false;
  ended: Ended | undefined;
  #onDial: () => void = () => undefined;

  constructor(bot: BotClass, settings: Partial<SessionSettings> = {}) {
    this.session = new Session(bot, {
      name: "tester",
      matches: 4,
      schema,
      address: "here",
      dial: (listener) => this.#dialled(listener),
      say: (line) => this.told.push(line),
      note: () => undefined,
      time: this.clock,
      random: () => 0,
      ...settings,
    });
    void this.session.run().then((ended) => (this.ended = ended));
  }

  /** The newest line. */
  get line(): Line {
    return this.lines.at(-1)!;
  }

  /** Lets the longest wait between two attempts pass, then gives the newest line; `dialled` acts as it is dialled. */
  async again(dialled: () => void = () => undefined): Promise<Line> {
    this.#onDial = dialled;
    await this.clock.pass(5_000);
    this.#onDial = () => undefined;
    return this.line;
  }

  #dialled(listener: Listener): Line {
    const line = new Line(listener);
    this.lines.push(line);
    this.#onDial();
    if (this.deserted) {
      setImmediate(() => void line.cut("UNAVAILABLE", "nobody"));
    }
    return line;
  }
}
