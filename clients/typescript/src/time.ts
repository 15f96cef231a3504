/** Time as it passes, or as a test lets it pass. */
export interface Time {
  /** Milliseconds since some moment, never less than before. */
  now(): number;
  /** Calls `act` once in `ms` milliseconds, unless what is returned is called before. */
  after(ms: number, act: () => void): () => void;
}

export const PASSING: Time = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
