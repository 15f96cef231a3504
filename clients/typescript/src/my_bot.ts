import { type Answer, type Bot, type Prompt, run } from "./index.js";

class MyBot implements Bot {
  choose(prompt: Prompt): Answer {
    return { index: prompt.choices.length - 1 };
  }
}

await run(MyBot);
