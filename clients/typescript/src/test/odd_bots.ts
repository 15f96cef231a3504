/** Bots that hold the loop for a second before each answer, fail where nobody waits for it, leave a timer behind. */
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

class Clinging implements Bot {
  readonly timer = setInterval(() => undefined, 1000);

  choose(): Answer {
    return { index: 0 };
  }
}

await run({ Slow, Stray, Clinging });
