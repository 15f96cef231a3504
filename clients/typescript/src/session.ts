/** One bot's session: says hello, takes seats, asks the bot, answers; knows the protocol and no game. */
import { type Answer, type Bot, type BotClass, Match, Prompt } from "./bot.js";
import type { Link, Listener } from "./link.js";
import { Outbox } from "./outbox.js";
import type {
  AnswerMessage,
  Events,
  FromArena,
  MatchEnded,
  MatchStarted,
  PromptMessage,
  Ruling,
  Schema,
  SeatOffer,
  Welcome,
} from "./wire.js";
import { type Ended, farewell, moved, others, plain, refusal, result, ruled, thrown, unreachable } from "./words.js";

const PROTOCOL = { least: 1, most: 1 };
const LIBRARY = "rivalry-typescript 0.1.0";
const GREETING_MS = 20_000;
const FAREWELL_MS = 2_000;
const RULINGS_SHOWN = 10;

export interface SessionSettings {
  readonly name: string;
  /** How many matches may be open at once. */
  readonly matches: number;
  readonly schema: Schema;
  /** Where the arena is, for messages to people. */
  readonly address: string;
  /** Opens the stream. */
  readonly dial: (listener: Listener) => Link;
  /** Takes a line that the person who runs the bot has to see. */
  readonly say: (line: string) => void;
  /** Takes a line for a person who watches while all goes well. */
  readonly note: (line: string) => void;
}

interface Seat {
  readonly match: Match;
  readonly bot: Bot;
  /** The prompt that the bot is thinking about, or whose answer may still be rejected. */
  open: Prompt | undefined;
}

/** A session from its hello to its end. To resume one later is to dial again with `resumeToken`. */
export class Session implements Listener {
  /** The newest token the arena gave; empty: sessions cannot be resumed there. */
  resumeToken: Buffer = Buffer.alloc(0);
  readonly #bot: BotClass;
  readonly #settings: SessionSettings;
  readonly #seats = new Map<number, Seat>();
  #link: Link | undefined;
  #outbox: Outbox | undefined;
  #greeted = false;
  #rulings = 0;
  #verdict: Ended | undefined;
  #timer: NodeJS.Timeout | undefined;
  #finish: (ended: Ended) => void = () => undefined;

  constructor(bot: BotClass, settings: SessionSettings) {
    this.#bot = bot;
    this.#settings = settings;
  }

  /** Dials and plays; settles when the session is over. */
  run(): Promise<Ended> {
    return new Promise((finish) => {
      this.#finish = finish;
      const { address, dial, matches, name } = this.#settings;
      try {
        this.#link = dial(this);
        this.#outbox = new Outbox(this.#link);
      } catch (error) {
        finish({ status: 2, text: unreachable(address, thrown(error)) });
        return;
      }
      this.#timer = setTimeout(() => {
        this.#verdict = { status: 2, text: unreachable(address, `no answer in ${GREETING_MS / 1000} s`) };
        this.#link?.cancel();
      }, GREETING_MS);
      const { games = [], features = [], quick = false, version = "" } = this.#bot;
      const prompts = quick ? matches : 1;
      const hello = { protocol: PROTOCOL, name, version, library: LIBRARY, games, matches, prompts, features };
      this.#outbox.put({ hello });
    });
  }

  /** Leaves: open matches end as a disconnect, or as a crash where the reason says so. */
  leave(reason: string, text: string, ended: Ended): void {
    if (this.#verdict) {
      return;
    }
    this.#outbox?.put({ leave: { reason, text } });
    this.#outbox?.flush();
    this.#part(ended);
  }

  /** Leaves because the bot threw `error`: its trace goes to stderr, its name and message to the arena. */
  crash(error: unknown): void {
    const trace = error instanceof Error ? (error.stack ?? thrown(error)) : thrown(error);
    this.leave("LEAVE_REASON_CRASH", thrown(error).slice(0, 1000), { status: 1, text: `the bot failed: ${trace}` });
  }

  frame(messages: readonly FromArena[]): void {
    const prompts: PromptMessage[] = [];
    let pinged = false;
    for (const message of messages) {
      if (this.#verdict) {
        return;
      }
      if (message.prompt) {
        prompts.push(message.prompt);
      } else if (message.ping) {
        pinged = true;
        this.#outbox?.put({ pong: { nonce: message.ping.nonce } });
      } else {
        this.#read(message);
      }
    }
    if (pinged) {
      // The pong leaves before the bot begins to think, which may hold the loop for long.
      this.#outbox?.flush();
      setImmediate(() => prompts.forEach((prompt) => this.#prompted(prompt)));
    } else {
      prompts.forEach((prompt) => this.#prompted(prompt));
    }
  }

  closed(code: string, details: string): void {
    clearTimeout(this.#timer);
    this.#finish(this.#verdict ?? this.#broken(code, details));
    this.#verdict ??= { status: 1, text: "" };
  }

  #read(message: FromArena): void {
    switch (message.message) {
      case "welcome":
        return this.#welcomed(message.welcome!);
      case "refused":
        return this.#part({ status: 2, text: refusal(message.refused!) });
      case "seatOffer":
        return this.#offered(message.seatOffer!);
      case "matchStarted":
        return this.#started(message.matchStarted!);
      case "ruling":
        return this.#ruled(message.ruling!);
      case "events":
        return this.#happened(message.events!);
      case "matchEnded":
        return this.#ended(message.matchEnded!);
      case "drain":
        return this.#settings.say(`the arena takes no new matches: ${message.drain!.text || "it will stop"}`);
      case "redirect":
        return this.#part({ status: 1, text: moved(message.redirect!) });
      case "sessionEnded":
        return this.#part(farewell(message.sessionEnded!));
      default: // a kind of message from a later version
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#greeted = true;
    clearTimeout(this.#timer);
    this.resumeToken = welcome.resumeToken;
    if (this.#outbox && welcome.limits?.frameMessages && welcome.limits.frameBytes) {
      this.#outbox.limits = welcome.limits;
    }
    const missing = (this.#bot.features ?? []).filter((feature) => !welcome.features.includes(feature));
    if (missing.length > 0) {
      this.#settings.say(`the arena does not have the features ${missing.join(", ")}`);
    }
  }

  #offered({ offer, game }: SeatOffer): void {
    const { games = [] } = this.#bot;
    const accepted = games.length === 0 || games.includes(game);
    const why = accepted ? "" : `this bot plays ${games.join(", ")}, not ${game}`;
    this.#outbox?.put({ seatReply: { offer, accepted, why } });
  }

  #started(started: MatchStarted): void {
    const match = new Match(started, this.#settings.schema);
    this.#guarded(() => this.#seats.set(match.handle, { match, bot: new this.#bot(match), open: undefined }));
    this.#settings.note(`${match}: against ${others(started)}`);
  }

  #prompted(message: PromptMessage): void {
    const seat = this.#seats.get(message.match);
    if (!seat || (seat.open && seat.open.number > message.number)) {
      return; // over in the same frame
    }
    this.#ask(seat, new Prompt(seat.match, message, this.#settings.schema));
  }

  #ask(seat: Seat, prompt: Prompt): void {
    seat.open = prompt;
    this.#guarded(() => {
      const answer = seat.bot.choose(prompt);
      if (answer instanceof Promise) {
        answer.then(
          (value) => this.#guarded(() => this.#answer(seat, prompt, value)),
          (error: unknown) => this.crash(error),
        );
      } else {
        this.#answer(seat, prompt, answer);
      }
    });
  }

  #answer(seat: Seat, prompt: Prompt, answer: Answer): void {
    const said = spoken(answer);
    if (seat.open === prompt && this.#seats.get(seat.match.handle) === seat) {
      this.#outbox?.put({ answer: { match: seat.match.handle, number: prompt.number, ...said } });
    }
  }

  #ruled(ruling: Ruling): void {
    const seat = this.#seats.get(ruling.match);
    this.#rulings += 1;
    if (this.#rulings <= RULINGS_SHOWN) {
      const last = this.#rulings === RULINGS_SHOWN ? " (further rulings are not shown)" : "";
      this.#settings.say(ruled(ruling) + last);
    }
    const prompt = seat?.open;
    if (!seat || prompt?.number !== ruling.number) {
      return;
    }
    if (ruling.kind === "RULING_KIND_REJECTED" && ruling.triesLeft > 0) {
      this.#ask(seat, prompt.again(ruling));
    } else if (ruling.kind === "RULING_KIND_REJECTED" || ruling.kind === "RULING_KIND_EXPIRED") {
      seat.open = undefined;
    }
  }

  #happened({ match, firstEvent, eventCount }: Events): void {
    this.#outbox?.put({ ack: { match, events: String(BigInt(firstEvent) + BigInt(eventCount) - 1n) } });
  }

  #ended({ match: handle, outcome }: MatchEnded): void {
    const seat = this.#seats.get(handle);
    this.#seats.delete(handle);
    if (seat && outcome) {
      this.#settings.note(`${seat.match}: ${result(outcome, seat.match.seat)}`);
      this.#guarded(() => seat.bot.ended?.(outcome));
    }
  }

  #guarded(act: () => void): void {
    if (this.#verdict) {
      return;
    }
    try {
      act();
    } catch (error) {
      this.crash(error);
    }
  }

  /** Ends the session from this side: no more is said, and the arena has a moment to close the stream. */
  #part(ended: Ended): void {
    this.#verdict = ended;
    this.#link?.close();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#link?.cancel(), FAREWELL_MS);
  }

  /** What it means that the stream closed although nobody had said goodbye. */
  #broken(code: string, details: string): Ended {
    const { address } = this.#settings;
    if (code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED") {
      const text = `the arena at ${address} refused the token: ${plain(details)}; give another with --token`;
      return { status: 2, text };
    }
    if (!this.#greeted) {
      const why = code === "UNIMPLEMENTED" ? "what answers there is none" : plain(details);
      return { status: 2, text: unreachable(address, why) };
    }
    const lost = this.#seats.size > 0 ? `, ${this.#seats.size} matches were open` : "";
    return { status: 1, text: `the stream to ${address} was lost${lost}: ${plain(details)} (${code})` };
  }
}

/** The answer as it travels; throws TypeError when it is none. */
function spoken(answer: Answer): Omit<AnswerMessage, "match" | "number"> {
  const note = answer?.note === undefined ? {} : { note: answer.note };
  if (typeof answer === "object" && answer !== null) {
    if ("text" in answer && typeof answer.text === "string") {
      return { text: answer.text, ...note };
    }
    if ("index" in answer && Number.isInteger(answer.index)) {
      const { index, parts } = answer;
      return parts ? { index, parts: { indices: [...parts].sort((a, b) => a - b) }, ...note } : { index, ...note };
    }
  }
  const given = JSON.stringify(answer) ?? String(answer);
  const expected = '{ index: 0 }, { index: 0, parts: [0, 1] } or { text: "pass" }';
  throw new TypeError(`the bot answered ${given}; expected ${expected}`);
}
