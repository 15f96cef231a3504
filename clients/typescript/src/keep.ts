/** The file that keeps the newest resume token, so that a program that was started again goes on with its session. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

import { thrown } from "./words.js";

/** What keeps the newest token. */
export interface Keep {
  /** The token kept before; empty when there is none. */
  read(): Buffer;
  /** Keeps `token` in place of the one before; when this returns, it is there. */
  write(token: Buffer): void;
  /** The session that `token` belongs to is over; another program's newer token stays. */
  remove(token: Buffer): void;
}

/** Keeps nothing. */
export const NOWHERE: Keep = { read: () => Buffer.alloc(0), write: () => undefined, remove: () => undefined };

/** Keeps the token in a file, as a line of hex digits that nobody else may read. */
export class KeptFile implements Keep {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws where a file is there and cannot be read. */
  read(): Buffer {
    try {
      return Buffer.from(readFileSync(this.#path, "utf8").trim(), "hex");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        return Buffer.alloc(0);
      }
      throw error;
    }
  }

  /** Throws where it cannot be written; then what was there before is untouched. */
  write(token: Buffer): void {
    const beside = `${this.#path}.${process.pid}`;
    rmSync(beside, { force: true }); // one that a crash left behind may have another mode
    const file = openSync(beside, "wx", 0o600);
    try {
      writeSync(file, `${token.toString("hex")}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
  }

  remove(token: Buffer): void {
    if (this.read().equals(token)) {
      rmSync(this.#path, { force: true });
    }
  }
}

/** The newest token of a session, in memory and where it is kept. */
export class ResumeToken {
  /** Empty: there is nothing to go on with. */
  value: Buffer = Buffer.alloc(0);
  readonly #keep: Keep;
  readonly #say: (line: string) => void;

  /** `say` hears of a file that fails while the session goes on. */
  constructor(keep: Keep, say: (line: string) => void) {
    this.#keep = keep;
    this.#say = say;
  }

  /** Takes the one kept by an earlier program; throws where that cannot be read. */
  find(): void {
    this.value = this.#keep.read();
  }

  /** The arena gave a newer one, or none. */
  renew(token: Buffer): void {
    if (token.length === 0) {
      this.forget();
      return;
    }
    this.value = token;
    this.#tried("cannot be kept", () => this.#keep.write(token));
  }

  /** The session is over for the arena too. */
  forget(): void {
    const token = this.value;
    this.value = Buffer.alloc(0);
    if (token.length > 0) {
      this.#tried("is still kept", () => this.#keep.remove(token));
    }
  }

  #tried(trouble: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#say(`the resume token ${trouble}: ${thrown(error)}`);
    }
  }
}
