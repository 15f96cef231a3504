/** The file that keeps the newest resume token, so that a program that was started again goes on with its session. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

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

  /** Throws where there is no folder for the file, and for a file that holds something else. */
  read(): Buffer {
    statSync(dirname(this.#path));
    const text = readIfThere(this.#path);
    if (!/^((?:[0-9a-f]{2})+\n?)?$/.test(text)) {
      throw new Error("holds something else than a resume token; name another file");
    }
    return Buffer.from(text.trim(), "hex");
  }

  /** Throws where it cannot be written; then what was there before is untouched. */
  write(token: Buffer): void {
    const beside = join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}`);
    rmSync(beside, { force: true }); // one that a crash left behind may have another mode
    const file = openSync(beside, "wx", 0o600);
    try {
      writeSync(file, `${token.toString("hex")}\n`);
      fsyncSync(file);
      renameSync(beside, this.#path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  }

  remove(token: Buffer): void {
    if (this.read().equals(token)) {
      rmSync(this.#path, { force: true });
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return "";
    }
    throw error;
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
