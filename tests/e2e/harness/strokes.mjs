// What a person may have done to files until the lights go out, and what may be found afterwards.

/** Everything that is still unsaved may be this much behind. */
const LOSS = 1_000;

/** Numbers from 0 to below 1, the same for the same seed. @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  // The first numbers of neighboring seeds are alike.
  for (let i = 0; i < 8; i++) next();
  return next;
}

/**
 * A value over time. What isn't certain to have happened yet has no time.
 * @template T
 */
export class Timeline {
  /** @param {T} first */
  constructor(first) {
    /** @type {{ value: T, at: number }[]} */
    this.states = [{ value: first, at: 0 }];
  }

  /** The value once everything has happened. */
  get last() {
    return /** @type {{ value: T }} */ (this.states.at(-1)).value;
  }

  /** Something begins; the returned function says that it has happened. @param {T[]} values */
  begin(...values) {
    const states = values.map((value) => ({ value, at: Infinity }));
    this.states.push(...states);
    return () => {
      for (const state of states) state.at = Math.min(state.at, Date.now());
    };
  }

  /** What may be found after an end at `end`: whatever was there within the last second. @param {number} end */
  possible(end) {
    return this.states.filter((_, index) => (this.states[index + 1]?.at ?? Infinity) > end - LOSS).map((state) => state.value);
  }
}

/** A file as it must have been stored, whatever its unsaved text. */
export class EditedFile {
  /** @param {string} path @param {string} text */
  constructor(path, text) {
    this.text = new Timeline(text);
    /** Acknowledged, and what was asked for since. */
    this.saved = [text];
    /** Where it is, and where it may be. */
    this.paths = [path];
  }

  get path() {
    return /** @type {string} */ (this.paths[0]);
  }
}
