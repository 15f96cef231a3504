/** What is told to the person who runs the bot, in lines. */
import type { EnumValue, MatchStarted, Outcome, Redirect, Refused, Ruling, SessionEnded } from "./wire.js";

/** How a session ended: the exit status, and a line for stderr when there is something to say. */
export interface Ended {
  readonly status: number;
  readonly text: string;
}

export function refusal({ reason, ours, yours, remedy }: Refused): string {
  const told = [ours, yours, remedy].filter(Boolean).join("; ");
  return `the arena refused this bot (${word(reason, "REFUSAL_REASON_")}): ${told}`;
}

export function farewell({ reason, text, remedy }: SessionEnded): Ended {
  const why = word(reason, "SESSION_END_REASON_");
  if (why === "done" || why === "left") {
    return { status: 0, text: "" };
  }
  const line = `the arena ended the session (${why}): ${[text, remedy].filter(Boolean).join("; ")}`;
  return { status: why === "shutdown" ? 0 : 1, text: line };
}

export function moved({ target, text }: Redirect): string {
  return `the arena moved this session${text ? ` (${text})` : ""}: start the bot again with --address ${target}`;
}

export function ruled({ match, number, kind, reason, code, text, triesLeft }: Ruling): string {
  const where = `match ${match}, prompt ${number}, ${code || word(reason, "RULING_REASON_")}`;
  return `answer ${word(kind, "RULING_KIND_")} (${where}): ${text}; ${triesLeft} tries left`;
}

export function result(outcome: Outcome, seat: number): string {
  const own = outcome.seats.find((other) => other.seat === seat);
  if (outcome.void || !own) {
    return `void: ${outcome.text}`;
  }
  const end = word(own.end, "END_");
  const why = end === "normal" ? "" : `, ${end}${own.text ? ` (${own.text})` : ""}`;
  return `rank ${own.rank} of ${outcome.seats.length}, score ${own.score}${why}`;
}

export function others({ players, seat }: MatchStarted): string {
  return players.flatMap((player) => (player.seat === seat ? [] : [player.name])).join(", ");
}

/** What gRPC says of a broken stream, without what only its developers read. */
export function plain(details: string): string {
  const said = details.replace(/^.*Last error: (Error: )?/, "").replace(/\. Resolution note:.*$/, "");
  return said || "the stream was closed";
}

export function unreachable(address: string, why: string): string {
  return `no arena at ${address}: ${why}; start one with "rivalry serve", or say where it is with --address`;
}

/** An enum's value as a word, `END_NO_SHOW` as `no show`; one that has no name here as its number. */
function word(value: EnumValue, prefix: string): string {
  return String(value).replace(prefix, "").toLowerCase().replaceAll("_", " ");
}

/** The name and message of whatever was thrown. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) {
    return `Error: ${String(error)}`;
  }
  const name = error.name === "Error" ? error.constructor.name : error.name;
  return `${name}: ${error.message}`;
}
