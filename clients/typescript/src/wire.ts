/**
 * The messages as `@grpc/proto-loader` gives them, and the schema they are loaded with.
 *
 * Names are in camel case, 64-bit integers decimal strings, enums the names of their values. A value that the schema
 * does not know stays a number, a kind of message that it does not know leaves `message` empty: both are survived.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import * as loader from "@grpc/proto-loader";

import type { MeasuredMessage, TimeControlMessage } from "./clock.js";

/** The name of an enum's value, or its number where the schema has no name for it. */
export type EnumValue = string | number;

/** A `google.protobuf.Any`. */
export interface Any {
  readonly type_url: string;
  readonly value: Buffer;
}

export interface VersionRange {
  readonly least: number;
  readonly most: number;
}

export interface Hello {
  readonly protocol: VersionRange;
  readonly name: string;
  readonly version: string;
  readonly library: string;
  readonly games: readonly string[];
  readonly matches: number;
  readonly prompts: number;
  readonly features: readonly string[];
}

export interface AnswerMessage {
  readonly match: number;
  readonly number: number;
  readonly index?: number;
  readonly text?: string;
  readonly parts?: { readonly indices: readonly number[] };
  readonly note?: string;
}

export interface Ack {
  readonly match: number;
  readonly events: string;
  readonly prompt?: number;
  readonly ended?: boolean;
}

export interface Resume {
  readonly protocol: VersionRange;
  readonly token: Buffer;
  readonly acks: readonly Ack[];
}

export interface Ping {
  readonly nonce: string;
  readonly lastRoundTripUs?: string;
}

/** What a bot sends: one of these. */
export type FromBot =
  | { readonly hello: Hello }
  | { readonly resume: Resume }
  | { readonly seatReply: { readonly offer: string; readonly accepted: boolean; readonly why?: string } }
  | { readonly answer: AnswerMessage }
  | { readonly ack: Ack }
  | { readonly ping: Ping }
  | { readonly pong: { readonly nonce: string } }
  | { readonly leave: { readonly reason: string; readonly text: string } };

export interface Limits {
  readonly frameMessages: number;
  readonly frameBytes: number;
}

export interface Welcome {
  readonly protocol: number;
  readonly arena: string;
  readonly features: readonly string[];
  readonly session: string;
  readonly resumeToken: Buffer;
  readonly limits: Limits | null;
  readonly resumed: boolean;
}

export interface Refused {
  readonly reason: EnumValue;
  readonly ours: string;
  readonly yours: string;
  readonly remedy: string;
}

export interface SeatOffer {
  readonly offer: string;
  readonly matchId: string;
  readonly game: string;
  readonly seat: number;
}

export interface Player {
  readonly seat: number;
  readonly name: string;
  readonly version: string;
}

export interface MatchStarted {
  readonly match: number;
  readonly matchId: string;
  readonly game: string;
  readonly rulesVersion: number;
  readonly optionsJson: string;
  readonly seat: number;
  readonly players: readonly Player[];
  readonly timeControl: TimeControlMessage | null;
  readonly setup: Any | null;
  readonly luck: Buffer;
  readonly resumed: boolean;
  readonly attempt: number;
  readonly replaces: number;
}

export interface PromptMessage {
  readonly match: number;
  readonly number: number;
  readonly kind: string;
  readonly observation: Any | null;
  readonly choices: Any | null;
  readonly parts: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
  readonly usual: readonly number[];
  readonly budgetUs?: string;
  readonly triesLeft: number;
  readonly firstEvent: string;
  readonly eventCount: number;
  readonly events: Any | null;
  readonly last: MeasuredMessage | null;
  readonly texts: readonly string[];
  readonly partTexts: readonly string[];
  readonly legal: readonly string[];
  readonly view: string;
  readonly banksUs: readonly string[];
  readonly strikesLeft: readonly number[];
}

export interface Ruling {
  readonly match: number;
  readonly number: number;
  readonly kind: EnumValue;
  readonly reason: EnumValue;
  readonly code: string;
  readonly text: string;
  readonly triesLeft: number;
  readonly budgetUs?: string;
}

export interface Events {
  readonly match: number;
  readonly firstEvent: string;
  readonly eventCount: number;
  readonly events: Any | null;
}

/** What a seat's decisions took in the whole match, in microseconds. */
export interface TimeSpent {
  readonly botUs: string;
  readonly networkUs: string;
  readonly arenaUs: string;
  readonly chargedUs: string;
}

export interface SeatOutcome {
  readonly seat: number;
  readonly name: string;
  /** In units of `scoreUnit`; like the rank, absent when the match is void. */
  readonly score?: string;
  readonly rank?: number;
  readonly end: EnumValue;
  readonly text: string;
  /** True if the stand-in played the seat on. */
  readonly stoodIn: boolean;
  readonly decisions: number;
  /** Answers that were rejected. */
  readonly illegal: number;
  /** How often its bot was started or awaited again. */
  readonly retries: number;
  readonly spent: TimeSpent | null;
}

export interface Outcome {
  readonly seats: readonly SeatOutcome[];
  /** How many units of a score make a point. */
  readonly scoreUnit: string;
  readonly void: boolean;
  readonly text: string;
  readonly gameDigest: string;
}

export interface MatchEnded {
  readonly match: number;
  readonly matchId: string;
  readonly outcome: Outcome | null;
  readonly firstEvent: string;
  readonly eventCount: number;
  readonly last: MeasuredMessage | null;
}

export interface Redirect {
  readonly target: string;
  readonly text: string;
}

export interface SessionEnded {
  readonly reason: EnumValue;
  readonly text: string;
  readonly remedy: string;
}

/** What the arena sends; `message` names the field that is set and is absent for a kind the schema does not know. */
export interface FromArena {
  readonly message?: string;
  readonly welcome?: Welcome;
  readonly refused?: Refused;
  readonly seatOffer?: SeatOffer;
  readonly matchStarted?: MatchStarted;
  readonly prompt?: PromptMessage;
  readonly ruling?: Ruling;
  readonly events?: Events;
  readonly matchEnded?: MatchEnded;
  readonly ping?: Ping;
  readonly pong?: { readonly nonce: string };
  readonly drain?: { readonly remainingUs: string; readonly text: string };
  readonly redirect?: Redirect;
  readonly sessionEnded?: SessionEnded;
}

/** A message in camel case, as JSON would hold it, except that bytes are a Buffer. */
export type Message = { readonly [field: string]: unknown };

/** `proto/` of the repository, seen from `dist/`. */
export const PROTO = fileURLToPath(new URL("../../../proto", import.meta.url));

/** The schema, loaded from a folder of .proto files: the arena's and that of every game found beside it. */
export class Schema {
  readonly definition: loader.PackageDefinition;

  /** Throws when the folder holds no schema of the arena. */
  constructor(folder: string = PROTO) {
    const files = readdirSync(join(folder, "rivalry"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".proto"))
      .map((file) => join("rivalry", file));
    this.definition = loader.loadSync(files, {
      includeDirs: [folder],
      longs: String,
      enums: String,
      defaults: true,
      oneofs: true,
    });
    if (!("rivalry.arena.v1.ArenaService" in this.definition)) {
      throw new Error(`${folder} holds no rivalry.arena.v1.ArenaService`);
    }
  }

  /** The message inside `any`; undefined when there is none, its type has no schema here or its bytes are not one. */
  decoded(any: Any | null | undefined): Message | undefined {
    if (!any) {
      return undefined;
    }
    const type = this.definition[any.type_url.slice(any.type_url.lastIndexOf("/") + 1)];
    if (type?.format !== "Protocol Buffer 3 DescriptorProto" || !("deserialize" in type)) {
      return undefined;
    }
    try {
      return type.deserialize(any.value) as Message;
    } catch {
      return undefined;
    }
  }
}
