/** Time limits and what was measured, in microseconds. */

/** How long a seat may think; all in microseconds, and undefined where the time control has no such thing. */
export interface TimeControl {
  /** For one prompt; undefined: only a watchdog. */
  readonly promptUs: number | undefined;
  /** For the seat's first prompt. */
  readonly firstPromptUs: number | undefined;
  /** A later answer costs a strike; with none left this is the limit. */
  readonly softUs: number | undefined;
  readonly strikes: number;
  /** What each seat's bank holds at the beginning; time beyond a prompt's own is drawn from it. */
  readonly bankUs: number | undefined;
  /** Added to the bank after each legal answer in time. */
  readonly incrementUs: number;
  /** The flag falls this much later than was told; undefined: the arena's usual. */
  readonly marginUs: number | undefined;
  /** Without a limit, the longest a prompt may stay unanswered; undefined: the arena's usual. */
  readonly watchdogUs: number | undefined;
}

/** What the arena measured of one decision, in microseconds: `elapsedUs` is the network's, its own and the bot's. */
export interface Measured {
  /** The prompt it was. */
  readonly number: number;
  readonly elapsedUs: number;
  readonly networkUs: number;
  readonly arenaUs: number;
  /** What counted against the seat's clock. */
  readonly chargedUs: number;
}

/** A message of times as it travels: 64-bit integers are decimal strings. */
type OnWire<T> = { readonly [field in keyof T]?: string | number };

export type TimeControlMessage = OnWire<TimeControl>;
export type MeasuredMessage = OnWire<Measured>;

export function timeControl(message: TimeControlMessage | null | undefined): TimeControl | undefined {
  return message
    ? {
        promptUs: whole(message.promptUs),
        firstPromptUs: whole(message.firstPromptUs),
        softUs: whole(message.softUs),
        strikes: Number(message.strikes ?? 0),
        bankUs: whole(message.bankUs),
        incrementUs: Number(message.incrementUs ?? 0),
        marginUs: whole(message.marginUs),
        watchdogUs: whole(message.watchdogUs),
      }
    : undefined;
}

export function measured(message: MeasuredMessage | null | undefined): Measured | undefined {
  return message
    ? {
        number: Number(message.number ?? 0),
        elapsedUs: Number(message.elapsedUs ?? 0),
        networkUs: Number(message.networkUs ?? 0),
        arenaUs: Number(message.arenaUs ?? 0),
        chargedUs: Number(message.chargedUs ?? 0),
      }
    : undefined;
}

function whole(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
