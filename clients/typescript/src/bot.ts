/** What a bot is, what it is asked and what it answers. */
import { Stream } from "./chance.js";
import { type Measured, measured, type TimeControl, timeControl } from "./clock.js";
import type { Any, MatchStarted, Message, Outcome, Player, PromptMessage, Ruling, Schema } from "./wire.js";

/** A bot: one object plays one match. */
export interface Bot {
  /** Answers a prompt. While it computes without awaiting, nothing else is read: see the README on long thoughts. */
  choose(prompt: Prompt): Answer | Promise<Answer>;
  /** The match is over, however this seat's part in it ended; `last` is what was measured of its last decision. */
  ended?(outcome: Outcome, last?: Measured): void;
}

/** What makes a bot when a match starts: its class, with what is said of it once for a session. */
export interface BotClass {
  new (match: Match): Bot;
  /** For tables and records. */
  readonly version?: string;
  /** The games it plays, the name of a family for all of its games; left out, any. */
  readonly games?: readonly string[];
  /**
   * True if `choose` returns within a millisecond or awaits what takes long: all its matches may then be asked at once.
   * Else one is asked at a time, and the others wait in the arena, where their clocks stand still for a minute at most,
   * and then run though the bot was not asked.
   */
  readonly quick?: boolean;
  /**
   * What it asks of the arena: `legal_text` (choices in words), `legal_full` (all legal actions in notation), `view_text`
   * (the observation as text).
   */
  readonly features?: readonly string[];
}

/** The number of a choice, perhaps with parts; or an action in the game's notation. */
export type Answer =
  | {
      readonly index: number;
      /** Which parts, by their indices from 0; left out, the choice's usual ones; empty, none. */
      readonly parts?: readonly number[];
      readonly note?: string;
    }
  | { readonly text: string; readonly note?: string };

/** One of the numbered things a prompt offers. */
export interface Choice {
  readonly index: number;
  /** How many parts there are, how few and how many may be taken, and how many of the first its number alone takes. */
  readonly parts: number;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  /** In words, and each part in words; empty unless the bot asked for the feature `legal_text`. */
  readonly text: string;
  readonly partTexts: readonly string[];
}

/** A match that the bot sits in. */
export class Match {
  #started: MatchStarted;
  readonly #schema: Schema;

  constructor(started: MatchStarted, schema: Schema) {
    this.#started = started;
    this.#schema = schema;
  }

  /** The arena says again what the match is, after a lost stream. */
  goesOn(started: MatchStarted): void {
    this.#started = started;
  }

  /** The match's number in this session. */
  get handle(): number {
    return this.#started.match;
  }

  /** 32 hex digits. */
  get id(): string {
    return this.#started.matchId;
  }

  get game(): string {
    return this.#started.game;
  }

  get seat(): number {
    return this.#started.seat;
  }

  /** In seat order. */
  get players(): readonly Player[] {
    return this.#started.players;
  }

  /** Every option with its value; null was left to chance. */
  get options(): Message {
    return JSON.parse(this.#started.optionsJson || "{}") as Message;
  }

  /** How long a seat may think; undefined when the arena did not say. */
  get timeControl(): TimeControl | undefined {
    return timeControl(this.#started.timeControl);
  }

  /** Which run of the match this is, from 1: one that the arena spoiled is made again. */
  get attempt(): number {
    return this.#started.attempt;
  }

  /** True if it had begun before: this bot goes on for one whose memory is lost, or did not lose its own. */
  get resumed(): boolean {
    return this.#started.resumed;
  }

  /** What is public and stays the same; undefined when the schema of the game is not here. */
  get setup(): Message | undefined {
    return this.#schema.decoded(this.#started.setup);
  }

  /** Thirty-two bytes from which the bot draws its own chance, so that the same seed is the same match. */
  get luck(): Buffer {
    return this.#started.luck;
  }

  /** The match in a line of text. */
  toString(): string {
    return `${this.game} match ${this.id.slice(0, 8)} seat ${this.seat}`;
  }
}

/** A question to a seat. Payloads are decoded when they are looked at. */
export class Prompt {
  readonly match: Match;
  /** What was wrong with the last answer to this very prompt; undefined when it is asked for the first time. */
  readonly ruling: Ruling | undefined;
  readonly #message: PromptMessage;
  readonly #schema: Schema;
  readonly #before: readonly Any[];
  #budgetUs: string | undefined;
  #choices: readonly Choice[] | undefined;

  /** `before` holds the batches of events that came by themselves since the last prompt. */
  constructor(match: Match, message: PromptMessage, schema: Schema, before: readonly Any[] = [], ruling?: Ruling) {
    this.match = match;
    this.ruling = ruling;
    this.#message = message;
    this.#schema = schema;
    this.#before = before;
    this.#budgetUs = (ruling ?? message).budgetUs;
  }

  /** This question once more, after its answer was rejected. */
  again(ruling: Ruling): Prompt {
    return new Prompt(this.match, this.#message, this.#schema, this.#before, ruling);
  }

  /** The arena asked again after a lost stream: so much is left of the time. */
  leave(budgetUs: string | undefined): void {
    this.#budgetUs = budgetUs;
  }

  /** Counted from 1 for this match and seat. */
  get number(): number {
    return this.#message.number;
  }

  /** A word of the game's own. */
  get kind(): string {
    return this.#message.kind;
  }

  get choices(): readonly Choice[] {
    this.#choices ??= shaped(this.#message);
    return this.#choices;
  }

  /** All that the seat may know; undefined when the schema of the game is not here. */
  get observation(): Message | undefined {
    return this.#schema.decoded(this.#message.observation);
  }

  /** The choices in the game's own message. */
  get offered(): Message | undefined {
    return this.#schema.decoded(this.#message.choices);
  }

  /** What happened since the last answer, in the game's own message. */
  get events(): Message | undefined {
    const { events } = this.#message;
    return this.#schema.decoded(this.#before.length > 0 ? merged([...this.#before, events]) : events);
  }

  /** What was left of the time when the arena last said so for this prompt, in microseconds; undefined: no limit. */
  get budgetUs(): number | undefined {
    return this.#budgetUs === undefined ? undefined : Number(this.#budgetUs);
  }

  /** What the arena measured of the seat's last decision, and to whom it was charged; undefined on the first prompt. */
  get last(): Measured | undefined {
    return measured(this.#message.last);
  }

  /** What each seat's bank held when it was last seen to, in seat order and microseconds; empty: there are no banks. */
  get banksUs(): readonly number[] {
    return this.#message.banksUs.map(Number);
  }

  /** How many strikes each seat has left, in seat order; empty: the time control has none. */
  get strikesLeft(): readonly number[] {
    return this.#message.strikesLeft;
  }

  /** With the feature `legal_full`: the legal actions in notation. */
  get legal(): readonly string[] {
    return this.#message.legal;
  }

  /** With the feature `view_text`: the observation as text, from which a person could play; else empty. */
  get view(): string {
    return this.#message.view;
  }

  /** Chance for this decision alone. */
  stream(): Stream {
    return new Stream(this.match.luck, `prompt/${this.number}`);
  }
}

/** The batches as one: in Protobuf, the bytes of two messages one after the other are their merger. */
function merged(batches: readonly (Any | null)[]): Any {
  const some = batches.filter((batch) => batch !== null);
  return { type_url: some[0]!.type_url, value: Buffer.concat(some.map(({ value }) => value)) };
}

function shaped(message: PromptMessage): Choice[] {
  let part = 0;
  return message.parts.map((parts, index) => {
    const partTexts = message.partTexts.slice(part, part + parts);
    part += parts;
    return {
      index,
      parts,
      least: message.least[index] ?? 0,
      most: message.most[index] ?? 0,
      usual: message.usual[index] ?? 0,
      text: message.texts[index] ?? "",
      partTexts,
    };
  });
}
