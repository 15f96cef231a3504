/** One bot's session: says hello or resumes, takes seats, says how it ended; knows the protocol and no game. */
import type { BotClass } from "./bot.js";
import { Connection, type Owner } from "./connection.js";
import { type Keep, NOWHERE, ResumeToken } from "./keep.js";
import type { Link, Listener } from "./link.js";
import type { Habits } from "./pulse.js";
import { BackOff } from "./resume.js";
import type { Speaker } from "./seat.js";
import { Table } from "./table.js";
import { PASSING, type Time } from "./time.js";
import type { FromArena, FromBot, PromptMessage, Refused, Schema, SessionEnded, Welcome } from "./wire.js";
import * as words from "./words.js";

const LIBRARY = "rivalry-typescript 0.1.0";
const GREETING_MS = 20_000;
const RESUME = "resume";
/** How long it is tried to tell the arena of a crash. */
const CRASH_MS = 2_000;
/** Refusals of a resume that may be over in a moment, when many bots come back at once. */
const LATER: ReadonlySet<unknown> = new Set(["REFUSAL_REASON_BUSY", "REFUSAL_REASON_LIMIT", "REFUSAL_REASON_DRAINING"]);

export interface SessionSettings {
  readonly name: string;
  /** How many matches may be open at once. */
  readonly matches: number;
  readonly schema: Schema;
  /** Where the arena is, for messages to people. */
  readonly address: string;
  /** Opens a stream. */
  readonly dial: (listener: Listener) => Link;
  /** Takes a line that the person who runs the bot has to see. */
  readonly say: (line: string) => void;
  /** Takes a line for a person who watches while all goes well. */
  readonly note: (line: string) => void;
  /** How long a lost stream is tried to get back; 0: not at all. Left out: 60,000. */
  readonly patienceMs?: number;
  /** Where the newest resume token is kept; left out: nowhere. */
  readonly keep?: Keep;
  readonly time?: Time;
  /** Numbers from 0 up to 1, that one left out. */
  readonly random?: () => number;
}

/** A session from its hello to its end, over one stream after the other. */
export class Session implements Owner, Speaker {
  readonly schema: Schema;
  readonly #bot: BotClass;
  readonly #settings: SessionSettings;
  readonly #time: Time;
  readonly #token: ResumeToken;
  readonly #backOff: BackOff;
  readonly #arena: Habits = { answersPings: false };
  readonly #table: Table;
  #connection: Connection | undefined;
  /** Whether the arena took the session up, once and on this stream; and whether this stream began with a resume. */
  #begun = false;
  #greeted = false;
  #resuming = false;
  #verdict: words.Ended | undefined;
  /** What the arena is to know of a crash, until it has closed a stream after that; and how long that is tried. */
  #lastWord: FromBot | undefined;
  #lastWordUntil = 0;
  #stopWaiting: () => void = () => undefined;
  #finish: (ended: words.Ended) => void = () => undefined;

  constructor(bot: BotClass, settings: SessionSettings) {
    const { schema, patienceMs = 60_000, keep = NOWHERE, time = PASSING, random = Math.random } = settings;
    this.schema = schema;
    this.#bot = bot;
    this.#settings = settings;
    this.#time = time;
    this.#token = new ResumeToken(patienceMs > 0 ? keep : NOWHERE, settings.say);
    this.#table = new Table(bot, this, settings);
    this.#backOff = new BackOff(patienceMs, time, random);
  }

  /** Dials and plays; settles when the session is over. Throws what reading the kept token throws. */
  run(): Promise<words.Ended> {
    this.#token.find();
    return new Promise((finish) => {
      this.#finish = finish;
      this.#dial();
    });
  }

  /** Leaves: open matches end as a disconnect, or as a crash where the reason says so. */
  leave(reason: string, text: string, ended: words.Ended): void {
    if (this.#verdict) {
      return;
    }
    this.#verdict = ended;
    this.#stopWaiting();
    if (!this.#connection) {
      this.#finish(ended);
      return;
    }
    this.put({ leave: { reason, text } });
    this.#connection.close();
    if (this.#greeted && !this.#lastWord) {
      this.#token.forget();
    }
  }

  /**
   * Leaves because the bot threw `error`: its trace goes to stderr, its name and message to the arena, over another
   * stream where this one is lost and that comes about soon.
   */
  crash(error: unknown): void {
    if (this.#verdict) {
      return;
    }
    const text = words.thrown(error);
    const trace = error instanceof Error ? (error.stack ?? text) : text;
    const ended = { status: 1, text: `the bot failed: ${trace}` };
    const leave = { reason: "LEAVE_REASON_CRASH", text: text.slice(0, 1000) };
    this.#lastWord = { leave };
    this.#lastWordUntil = this.#time.now() + CRASH_MS;
    if (this.#connection || !this.#backOff.away) {
      this.leave(leave.reason, leave.text, ended);
      return;
    }
    this.#verdict = ended;
    this.#time.after(CRASH_MS, () => {
      if (!this.#connection) {
        this.#stopWaiting();
        this.#conclude(ended);
      }
    });
  }

  put(message: FromBot): void {
    this.#connection?.put(message);
  }

  guarded(act: () => void): void {
    if (this.#verdict) {
      return;
    }
    try {
      act();
    } catch (error) {
      this.crash(error);
    }
  }

  heard(messages: readonly FromArena[]): void {
    const connection = this.#connection;
    const prompts: PromptMessage[] = [];
    let pinged = false;
    for (const message of messages) {
      if (this.#verdict || this.#connection !== connection) {
        return;
      }
      if (message.prompt) {
        prompts.push(message.prompt);
      } else if (message.ping) {
        pinged = true;
        this.put({ pong: { nonce: message.ping.nonce } });
      } else {
        this.#read(message);
      }
    }
    const ask = (): void => prompts.forEach((prompt) => this.#asked(prompt, connection));
    if (pinged) {
      // The pong leaves before the bot begins to think, which may hold the loop for long.
      connection?.flush();
      setImmediate(ask);
    } else {
      ask();
    }
  }

  gone(code: string, details: string): void {
    this.#connection = undefined;
    const loss = { address: this.#settings.address, begun: this.#begun, matches: this.#table.size, code, details };
    const hopeless = words.DENIED.has(code) || (code === "UNIMPLEMENTED" && !this.#begun);
    if (this.#lastWord && code !== "OK" && this.resumable && !hopeless) {
      this.#tellCrashAgain();
    } else if (this.#verdict || !this.resumable || hopeless) {
      this.#conclude(this.#verdict ?? words.broken(loss));
    } else {
      this.#tryAgain(loss);
    }
  }

  /** Whether the session can go on over another stream. */
  get resumable(): boolean {
    return this.#token.value.length > 0 && this.#backOff.patienceMs > 0;
  }

  #dial(): void {
    const { address, dial } = this.#settings;
    let connection;
    try {
      connection = this.#connection = new Connection(this, dial, this.#arena, this.#time);
    } catch (error) {
      this.#conclude({ status: 2, text: words.unreachable(address, words.thrown(error)) });
      return;
    }
    this.#greeted = false;
    this.#resuming = this.#token.value.length > 0;
    connection.awaitWelcome(this.#backOff.attempt(GREETING_MS));
    this.put(this.#resuming ? this.#resume() : this.#hello());
    if (this.#lastWord) {
      this.put(this.#lastWord);
      connection.close();
    }
  }

  #hello(): FromBot {
    const { matches, name } = this.#settings;
    const { games = [], features: asked = [], quick = false, version = "" } = this.#bot;
    const prompts = quick ? matches : 1;
    const features = this.#backOff.patienceMs > 0 ? [...asked, RESUME] : asked;
    return { hello: { protocol: words.PROTOCOL, name, version, library: LIBRARY, games, matches, prompts, features } };
  }

  #resume(): FromBot {
    return { resume: { protocol: words.PROTOCOL, token: this.#token.value, acks: this.#table.acks } };
  }

  #tryAgain(loss: words.Loss): void {
    const first = !this.#backOff.away;
    const wait = this.#backOff.next();
    this.#table.cut();
    const patience = `${this.#backOff.patienceMs / 1000} s`;
    const { status, text } = words.broken(loss);
    if (wait === undefined) {
      this.#conclude({ status, text: `${text}; gave up after ${patience}` });
      return;
    }
    if (first) {
      this.#settings.say(`${text}; trying to resume for ${patience}`);
    }
    this.#stopWaiting = this.#time.after(wait, () => this.#dial());
  }

  #tellCrashAgain(): void {
    const wait = this.#backOff.next();
    if (wait === undefined || this.#time.now() + wait >= this.#lastWordUntil) {
      this.#conclude(this.#verdict!);
    } else {
      this.#stopWaiting = this.#time.after(wait, () => this.#dial());
    }
  }

  /** A prompt of a stream that is lost meanwhile comes again. */
  #asked(prompt: PromptMessage, connection: Connection | undefined): void {
    if (this.#connection === connection) {
      this.#table.prompted(prompt);
    }
  }

  #read(message: FromArena): void {
    switch (message.message) {
      case "welcome":
        return this.#welcomed(message.welcome!);
      case "refused":
        return this.#refused(message.refused!);
      case "pong":
        return this.#connection?.ponged(message.pong!.nonce);
      case "drain":
        return this.#settings.say(words.line(`the arena takes no new matches: ${message.drain!.text}`));
      case "redirect":
        return this.#part({ status: 1, text: words.moved(message.redirect!) });
      case "sessionEnded":
        return this.#over(message.sessionEnded!);
      default:
        return this.#table.read(message);
    }
  }

  #welcomed(welcome: Welcome): void {
    const { say } = this.#settings;
    const { features, limits, protocol, resumeToken } = welcome;
    if (protocol < words.PROTOCOL.least || protocol > words.PROTOCOL.most) {
      this.leave("LEAVE_REASON_DONE", "protocol", { status: 2, text: words.misspoken(protocol) });
      return;
    }
    this.#begun = this.#greeted = true;
    this.#token.renew(resumeToken);
    this.#connection?.welcomed(this.resumable);
    if (this.#connection && limits?.frameMessages && limits.frameBytes) {
      this.#connection.limits = limits;
    }
    if (this.#backOff.away) {
      say(words.back(this.#resuming, this.#backOff.back()));
    }
    const missing = (this.#bot.features ?? []).filter((feature) => !features.includes(feature));
    if (missing.length > 0) {
      say(`the arena does not have the features ${missing.join(", ")}`);
    }
  }

  #refused(refused: Refused): void {
    if (this.#resuming && LATER.has(refused.reason)) {
      this.#connection?.abandon();
      this.gone("REFUSED", words.refusal(refused));
      return;
    }
    if (!this.#resuming || refused.reason !== "REFUSAL_REASON_RESUME") {
      this.#part({ status: this.#begun ? 1 : 2, text: words.refusal(refused) });
      return;
    }
    this.#token.forget();
    if (this.#table.size > 0) {
      this.#part({ status: 1, text: words.forgotten(refused, this.#table.size) });
      return;
    }
    this.#connection?.abandon();
    this.#dial();
  }

  #over(ended: SessionEnded): void {
    const restarts = ended.reason === "SESSION_END_REASON_RESTART";
    const unheard = ended.reason === "SESSION_END_REASON_SILENT" && this.#resuming && !this.#greeted;
    if ((restarts || unheard) && this.resumable) {
      this.#connection?.abandon();
      this.gone(restarts ? "RESTART" : "SILENT", ended.text);
      return;
    }
    this.#token.forget();
    this.#part(words.farewell(ended));
  }

  /** The session is over, and so is its stream. */
  #conclude(ended: words.Ended): void {
    if (this.#lastWord) {
      this.#token.forget();
    }
    this.#verdict = ended;
    this.#finish(ended);
  }

  /** Ends the session: no more is said, and the arena has a moment to close the stream. */
  #part(ended: words.Ended): void {
    this.#verdict = ended;
    this.#connection?.close();
  }
}
