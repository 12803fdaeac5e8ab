import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { serversOf, type Served } from './server.ts'

/** Speaks on standard input and output until whoever has started it closes them. */
export function overStdio(served: Served): Promise<void> {
  return new Promise((ended) => {
    const handle = serveStdio(serversOf(served), { onerror: () => undefined })
    process.stdin.once('end', () => void handle.close().then(ended))
    process.stdin.once('close', () => ended())
  })
}
