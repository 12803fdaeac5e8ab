/** Puts a handler in the place of whatever these signals did; the answer puts that back. */
export function takeSignals(signals: readonly NodeJS.Signals[], handler: (signal: NodeJS.Signals) => void): () => void {
  const before = signals.map((signal) => [signal, process.listeners(signal)] as const)
  for (const signal of signals) {
    process.removeAllListeners(signal)
    process.on(signal, handler)
  }
  return () => {
    for (const [signal, listeners] of before) {
      process.removeListener(signal, handler)
      for (const listener of listeners) process.on(signal, listener)
    }
  }
}
