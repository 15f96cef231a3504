/** Bots that hold the loop before each answer, fail where nobody waits for it, leave a timer behind. */
import { existsSync } from "node:fs";

import { type Answer, type Bot, run } from "../index.js";

/** Thinks until there is a file at SLOW_UNTIL; answers 1 where that does not come about while it thinks. */
class Slow implements Bot {
  choose(): Answer {
    const until = Date.now() + 30_000;
    while (Date.now() < until) {
      if (existsSync(process.env["SLOW_UNTIL"]!)) {
        return { index: 0 };
      }
    }
    return { index: 1 };
  }
}

class Stray implements Bot {
  choose(): Promise<Answer> {
    setTimeout(() => {
      throw new RangeError("astray");
    });
    return new Promise(() => undefined);
  }
}

class Clinging implements Bot {
  readonly timer = setInterval(() => undefined, 1000);

  choose(): Answer {
    return { index: 0 };
  }
}

await run({ Slow, Stray, Clinging });
