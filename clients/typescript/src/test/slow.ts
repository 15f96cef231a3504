/** A bot that holds the loop for a second before each answer, or fails where nobody waits for it. */
import { type Answer, type Bot, run } from "../index.js";

class Slow implements Bot {
  choose(): Answer {
    const until = Date.now() + 1000;
    while (Date.now() < until);
    return { index: 0 };
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

await run({ Slow, Stray });
