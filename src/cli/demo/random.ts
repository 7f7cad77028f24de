// Pure: no I/O, clock or randomness.

/**
 * Pseudorandom number generator. The same seed gives the same numbers. Implements SplitMix with 32 bits
 * of state (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /**
   * Returns one of the values, with a probability proportional to its weight. At least one weight must be
   * positive.
   */
  pick<Value>(weighted: readonly (readonly [value: Value, weight: number])[]): Value {
    const sum = weighted.reduce((total, [, weight]) => total + weight, 0);
    let left = this.next() * sum;
    for (const [value, weight] of weighted) {
      left -= weight;
      if (left < 0) return value;
    }
    return (weighted.at(-1) as readonly [Value, number])[0];
  }

  /** Rounds a number up or down at random, so that the results average to the number. */
  round(number: number): number {
    return Math.floor(number + this.next());
  }
}
