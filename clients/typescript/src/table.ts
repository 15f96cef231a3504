/** The matches of a session: what the arena says of each goes to the seat that the bot has in it. */
import type { BotClass } from "./bot.js";
import { measured } from "./clock.js";
import { lastOf, Seat, type Speaker } from "./seat.js";
import type {
  Ack,
  Events,
  FromArena,
  MatchEnded,
  MatchStarted,
  PromptMessage,
  Ruling,
  SeatOffer,
} from "./wire.js";
import { others, result, ruled } from "./words.js";

const RULINGS_SHOWN = 10;

/** Who is told in lines what happens. */
export interface Audience {
  readonly say: (line: string) => void;
  readonly note: (line: string) => void;
}

/** The family of a game that is called FAMILY:NAME; else the name as it is. */
function family(game: string): string {
  return game.split(":", 1)[0]!;
}

export class Table {
  readonly #bot: BotClass;
  readonly #session: Speaker;
  readonly #audience: Audience;
  readonly #seats = new Map<number, Seat>();
  #rulings = 0;

  constructor(bot: BotClass, session: Speaker, audience: Audience) {
    this.#bot = bot;
    this.#session = session;
    this.#audience = audience;
  }

  /** How many matches are open. */
  get size(): number {
    return this.#seats.size;
  }

  /** What the bot has of each, for a resume. */
  get acks(): Ack[] {
    return [...this.#seats.values()].map((seat) => seat.ack);
  }

  /** The stream is lost: what is answered is kept until the arena asks again. */
  cut(): void {
    this.#seats.forEach((seat) => seat.cut());
  }

  /** Takes what is about a match, prompts aside. */
  read(message: FromArena): void {
    switch (message.message) {
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
      default: // a kind of message from a later version
    }
  }

  prompted(prompt: PromptMessage): void {
    this.#seats.get(prompt.match)?.prompted(prompt);
  }

  #offered({ offer, game }: SeatOffer): void {
    const { games = [] } = this.#bot;
    const accepted = games.length === 0 || games.includes(game) || games.includes(family(game));
    const why = accepted ? "" : `this bot plays ${games.join(", ")}, not ${game}`;
    this.#session.put({ seatReply: { offer, accepted, why } });
  }

  #started(started: MatchStarted): void {
    const known = this.#seats.get(started.match) ?? this.#seats.get(started.replaces);
    if (known && started.resumed) {
      this.#seats.delete(known.match.handle);
      this.#seats.set(started.match, known);
      known.goesOn(started);
      return;
    }
    this.#session.guarded(() => {
      const seat = new Seat(this.#bot, started, this.#session);
      this.#seats.set(started.match, seat);
      this.#audience.note(`${seat.match}: against ${others(started)}`);
    });
  }

  #ruled(ruling: Ruling): void {
    const crossed = ruling.reason === "RULING_REASON_OVER"; // the end of its match, and is nothing to tell
    const news = this.#seats.get(ruling.match)?.ruled(ruling) ?? !crossed;
    if (!news) {
      return;
    }
    this.#rulings += 1;
    if (this.#rulings <= RULINGS_SHOWN) {
      const last = this.#rulings === RULINGS_SHOWN ? " (further rulings are not shown)" : "";
      this.#audience.say(ruled(ruling) + last);
    }
  }

  #happened(events: Events): void {
    const { match, firstEvent, eventCount } = events;
    this.#seats.get(match)?.happened(events);
    this.#session.put({ ack: { match, events: String(lastOf(firstEvent, eventCount)) } });
  }

  #ended({ match, outcome, firstEvent, eventCount, last }: MatchEnded): void {
    if (this.#session.resumable) {
      this.#session.put({ ack: { match, events: String(lastOf(firstEvent, eventCount)), ended: true } });
    }
    const seat = this.#seats.get(match);
    this.#seats.delete(match);
    seat?.close();
    if (seat && outcome) {
      this.#audience.note(`${seat.match}: ${result(outcome, seat.match.seat)}`);
      this.#session.guarded(() => seat.bot.ended?.(outcome, measured(last)));
    }
  }
}
