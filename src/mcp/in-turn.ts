/**
 * Calls one after another, however many come at once: each has the store for itself, and those that wait can still be
 * taken back.
 */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => new Promise((next) => setImmediate(next))).then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
