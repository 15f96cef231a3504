/** What is told to the person who runs the bot, in lines. */
import type { EnumValue, MatchStarted, Outcome, Redirect, Refused, Ruling, SessionEnded } from "./wire.js";

/** The protocol versions that are spoken here. */
export const PROTOCOL = { least: 1, most: 1 };
const LINE_LENGTH = 1000;
const OURS = `protocol ${PROTOCOL.least} to ${PROTOCOL.most}`;
const REMEDY = "use a client of a version that speaks one of the arena's protocol versions";

/** How a session ended: the exit status, and a line for stderr when there is something to say. */
export interface Ended {
  readonly status: number;
  readonly text: string;
}

export function refusal({ reason, ours, yours, remedy }: Refused): string {
  const version = reason === "REFUSAL_REASON_VERSION";
  const sides = version ? [`the arena speaks ${ours}, this bot ${yours || OURS}`] : [ours, yours];
  const told = [...sides, remedy || (version ? REMEDY : "")].filter(Boolean).join("; ");
  return line(`the arena refused this bot (${word(reason, "REFUSAL_REASON_")}): ${told}`);
}

/** The arena's welcome settled on a version that was not offered. */
export function misspoken(protocol: number): string {
  return `the arena answered in protocol ${protocol}, this bot speaks ${OURS}; ${REMEDY}`;
}

/** The session cannot be resumed although matches were open. */
export function forgotten(refused: Refused, matches: number): string {
  return `the session is over, ${open(matches)}: ${refusal(refused)}`;
}

/** A stream that closed although nobody had said goodbye. */
export interface Loss {
  readonly address: string;
  /** Whether the arena had taken the session up. */
  readonly begun: boolean;
  /** How many matches were open. */
  readonly matches: number;
  readonly code: string;
  readonly details: string;
}

/** The statuses of an arena that does not take the token. */
export const DENIED: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

/** What it means where it cannot be mended. */
export function broken({ address, begun, matches, code, details }: Loss): Ended {
  if (DENIED.has(code)) {
    const text = `the arena at ${address} refused the token: ${plain(details)}; give another with --token`;
    return { status: begun ? 1 : 2, text };
  }
  if (!begun) {
    const why = code === "UNIMPLEMENTED" ? "what answers there is none" : plain(details);
    return { status: 2, text: unreachable(address, why) };
  }
  const lost = matches > 0 ? `lost, ${open(matches)}` : "lost";
  return { status: 1, text: `the stream to ${address} was ${lost}: ${plain(details)} (${code})` };
}

export function back(resumed: boolean, awayMs: number): string {
  return `the session is ${resumed ? "resumed" : "begun anew"} after ${(awayMs / 1000).toFixed(1)} s`;
}

function open(matches: number): string {
  return matches === 1 ? "1 match was open" : `${matches} matches were open`;
}

export function farewell({ reason, text, remedy }: SessionEnded): Ended {
  const why = word(reason, "SESSION_END_REASON_");
  if (why === "done" || why === "left") {
    return { status: 0, text: "" };
  }
  const told = line(`the arena ended the session (${why}): ${[text, remedy].filter(Boolean).join("; ")}`);
  return { status: why === "shutdown" ? 0 : 1, text: told };
}

export function moved({ target, text }: Redirect): string {
  return line(`the arena moved this session${text ? ` (${text})` : ""}: start the bot again with --address ${target}`);
}

export function ruled({ match, number, kind, reason, code, text, triesLeft }: Ruling): string {
  const where = `match ${match}, prompt ${number}, ${code || word(reason, "RULING_REASON_")}`;
  return line(`answer ${word(kind, "RULING_KIND_")} (${where}): ${text}; ${triesLeft} tries left`);
}

export function result(outcome: Outcome, seat: number): string {
  const own = outcome.seats.find((other) => other.seat === seat);
  if (outcome.void || !own) {
    return line(`void: ${outcome.text}`);
  }
  const end = word(own.end, "END_");
  const why = end === "normal" ? "" : `, ${end}${own.text ? ` (${own.text})` : ""}`;
  return line(`rank ${own.rank} of ${outcome.seats.length}, score ${own.score}${why}`);
}

export function others({ players, seat }: MatchStarted): string {
  return line(players.flatMap((player) => (player.seat === seat ? [] : [player.name])).join(", "));
}

/** What gRPC and OpenSSL say of a broken stream, without what only their developers read. */
export function plain(details: string): string {
  const grpc = details.replace(/^.*Last error: (Error: )?/s, "").replace(/\. Resolution note:.*$/s, "");
  const [, tls] = /^\w+:error:\w+:[^:]*:[^:]*:([^:]+):/.exec(grpc) ?? [];
  return (tls ? `TLS: ${tls}` : grpc).trim().replaceAll("\n", " ") || "the stream was closed";
}

export function unreachable(address: string, why: string): string {
  return `no arena at ${address}: ${why}; start an arena with "rivalry serve", a ladder with "rivalry ladder serve", or say where it is with --address`;
}

/** `text` as one line: what cannot be printed, such as what moves a cursor, is a space, and a long one is cut. */
export function line(text: string): string {
  const shown = text.slice(0, LINE_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
  return shown.length <= LINE_LENGTH ? shown : `${shown.slice(0, LINE_LENGTH - 1)}…`;
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
