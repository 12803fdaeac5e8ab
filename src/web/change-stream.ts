const LOOK_MS = 400
const ALIVE_MS = 20_000

interface Feed {
  readonly changes: readonly { readonly seq: number; readonly session_uid: string; readonly kind: string }[]
  readonly last: number
}

type Listener = (event: string) => void

/** Tells every page what changes in the store, as server-sent events. Looks only while somebody listens. */
export class ChangeStream {
  readonly #version: () => string
  readonly #ask: (since: number) => Promise<Feed>
  readonly #listeners = new Set<Listener>()
  #timer: NodeJS.Timeout | undefined
  #seen = ''
  #last: number | null = null
  #toldAt = 0
  #isLooking = false

  constructor(version: () => string, ask: (since: number) => Promise<Feed>) {
    this.#version = version
    this.#ask = ask
  }

  /** A stream of events until the client leaves. */
  response(): Response {
    const text = new TextEncoder()
    let listener: Listener = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        listener = (event) => {
          // Who does not read is not waited for.
          if ((stream.desiredSize ?? 0) > -1000) stream.enqueue(text.encode(event))
        }
        listener('retry: 2000\nevent: hello\ndata: {}\n\n')
        this.#listeners.add(listener)
        this.#timer ??= setInterval(() => void this.#look(), LOOK_MS)
        void this.#look()
      },
      cancel: () => {
        this.#listeners.delete(listener)
        if (this.#listeners.size > 0) return
        clearInterval(this.#timer)
        this.#timer = undefined
        this.#last = null
        this.#seen = ''
      },
    })
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    })
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const version = this.#version()
      if (version !== this.#seen) {
        this.#seen = version
        await this.#tell()
      }
      if (Date.now() - this.#toldAt > ALIVE_MS) this.#send(': alive\n\n')
    } finally {
      this.#isLooking = false
    }
  }

  async #tell(): Promise<void> {
    try {
      // The first look only finds out where the feed ends.
      const from = this.#last ?? Number.MAX_SAFE_INTEGER
      const { changes, last } = await this.#ask(from)
      const isAnew = this.#last !== null && last < this.#last
      this.#last = last
      // There may be more than fits into one answer.
      if (changes.length > 0) this.#seen = ''
      if (isAnew) this.#send(`event: anew\ndata: {}\n\n`)
      else if (changes.length > 0) this.#send(`event: changes\nid: ${last}\ndata: ${JSON.stringify({ changes })}\n\n`)
    } catch {
      // There is no store yet, or it is being replaced: look again when it is another.
      this.#last ??= 0
    }
  }

  #send(event: string): void {
    this.#toldAt = Date.now()
    for (const listener of this.#listeners) listener(event)
  }
}
