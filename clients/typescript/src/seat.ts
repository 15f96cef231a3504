/** One match of a session, whatever streams it goes over: its bot, the open prompt and what was answered to it. */
import { type Answer, type Bot, Match, Prompt } from "./bot.js";
import type {
  Ack,
  Any,
  AnswerMessage,
  Events,
  FromBot,
  MatchStarted,
  PromptMessage,
  Ruling,
  Schema,
} from "./wire.js";

/** What a seat needs of its session. */
export interface Speaker {
  readonly schema: Schema;
  /** Whether the arena keeps the end of a match until it is acknowledged. */
  readonly resumable: boolean;
  /** Says it to the arena, if there is a stream. */
  put(message: FromBot): void;
  /** Does it unless the session is over; what it throws is the bot's failure. */
  guarded(act: () => void): void;
  crash(error: unknown): void;
}

export class Seat {
  readonly match: Match;
  readonly bot: Bot;
  readonly #session: Speaker;
  /** The newest prompt that came. */
  #newest: PromptMessage | undefined;
  /** The prompt that the bot is thinking about, or whose answer may still be rejected. */
  #open: Prompt | undefined;
  /** What was answered to it. */
  #answer: FromBot | undefined;
  /** Rejected answers that it still allows, as far as is known. */
  #triesLeft = 0;
  /** A ruling on a prompt that is still to come: another process gave the answer. */
  #early: Ruling | undefined;
  /** The number of the last event that came by itself, and the batches that no prompt has shown yet. */
  #happened = 0n;
  #batches: Events[] = [];
  /** True from the loss of a stream until the arena has asked again: what is answered meanwhile is kept. */
  #cut = false;

  /** Makes the bot; throws what its constructor throws. */
  constructor(bot: new (match: Match) => Bot, started: MatchStarted, session: Speaker) {
    this.#session = session;
    this.match = new Match(started, session.schema);
    this.bot = new bot(this.match);
  }

  /** What the bot has of the match, for a resume. */
  get ack(): Ack {
    const { number = 0, firstEvent = "0", eventCount = 0 } = this.#newest ?? {};
    const shown = lastOf(firstEvent, eventCount);
    const events = shown > this.#happened ? shown : this.#happened;
    return { match: this.match.handle, events: String(events), prompt: number };
  }

  /** The stream is lost. */
  cut(): void {
    this.#cut = true;
  }

  /** The match goes on after a lost stream; under another handle, what was thought under the old one is dropped. */
  goesOn(started: MatchStarted): void {
    if (started.match !== this.match.handle) {
      this.close();
      this.#newest = undefined;
      this.#early = undefined;
      this.#happened = 0n;
      this.#batches = [];
    }
    this.match.goesOn(started);
  }

  /** Nothing that the bot still answers is sent. */
  close(): void {
    this.#open = undefined;
    this.#answer = undefined;
  }

  prompted(message: PromptMessage): void {
    const newest = this.#newest?.number ?? 0;
    if (message.number < newest) {
      return;
    }
    this.#cut = false;
    if (message.number === newest && this.#open) {
      this.#askedAgain(this.#open, message);
      return;
    }
    this.#newest = message;
    this.#triesLeft = message.triesLeft;
    const ruling = this.#early?.number === message.number ? this.#early : undefined;
    this.#ask(new Prompt(this.match, message, this.#session.schema, this.#unseen(message), ruling));
  }

  /** Takes a ruling; false if it says again what is known. */
  ruled(ruling: Ruling): boolean {
    const prompt = this.#open;
    if (ruling.number > (this.#newest?.number ?? 0)) {
      this.#early = ruling;
    }
    if (prompt?.number !== ruling.number) {
      return true;
    }
    if (ruling.kind === "RULING_KIND_EXPIRED") {
      this.close();
    } else if (ruling.kind === "RULING_KIND_REJECTED") {
      return this.#rejected(prompt, ruling);
    }
    return true;
  }

  happened(events: Events): void {
    const last = lastOf(events.firstEvent, events.eventCount);
    if (last > this.#happened) {
      this.#happened = last;
      this.#batches.push(events);
    }
  }

  /** The arena does not know whether the bot has the prompt, or lost its answer; the choice is not started again. */
  #askedAgain(prompt: Prompt, { triesLeft, budgetUs }: PromptMessage): void {
    prompt.leave(budgetUs);
    if (this.#answer && triesLeft >= this.#triesLeft) {
      this.#session.put(this.#answer);
    } // else the bot thinks, or its answer was rejected and the ruling follows
  }

  #rejected(prompt: Prompt, ruling: Ruling): boolean {
    if (!this.#answer || ruling.triesLeft >= this.#triesLeft) {
      return false;
    }
    this.#triesLeft = ruling.triesLeft;
    if (ruling.triesLeft > 0) {
      this.#ask(prompt.again(ruling));
    } else {
      this.close();
    }
    return true;
  }

  #ask(prompt: Prompt): void {
    this.#open = prompt;
    this.#answer = undefined;
    this.#session.guarded(() => {
      const answer = this.bot.choose(prompt);
      if (answer instanceof Promise) {
        answer.then(
          (value) => this.#session.guarded(() => this.#answered(prompt, value)),
          (error: unknown) => this.#session.crash(error),
        );
      } else {
        this.#answered(prompt, answer);
      }
    });
  }

  #answered(prompt: Prompt, answer: Answer): void {
    const said = spoken(answer);
    if (this.#open !== prompt) {
      return;
    }
    this.#answer = { answer: { match: this.match.handle, number: prompt.number, ...said } };
    if (!this.#cut) {
      this.#session.put(this.#answer);
    }
  }

  /** The batches before those that the prompt carries itself. */
  #unseen({ firstEvent, eventCount }: PromptMessage): Any[] {
    if (this.#batches.length === 0) {
      return [];
    }
    const first = BigInt(firstEvent);
    const before = this.#batches.filter((batch) => eventCount === 0 || BigInt(batch.firstEvent) < first);
    this.#batches = [];
    return before.flatMap(({ events }) => events ?? []);
  }
}

/** The number of the last event of a batch. */
export function lastOf(firstEvent: string, eventCount: number): bigint {
  const last = BigInt(firstEvent) + BigInt(eventCount) - 1n;
  return last > 0n ? last : 0n;
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
