import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { parseInstant } from '../../model/time.ts'
import { isTypedPrompt } from './human.ts'

const MAX_QUEUED = 64
const MAX_TOLD = 32

/** What somebody typed while the agent was at work. */
export interface QueuedPrompt {
  readonly text: string
  readonly at: number | null
}

export interface QueueState {
  /** Typed and not taken up yet. */
  queued: QueuedPrompt[]
  /** Handed to the agent in the running turn: no record of the conversation has told it so far. */
  handed: QueuedPrompt[]
  /** Taken up as a turn of its own: its record follows. */
  taken: QueuedPrompt[]
  /** Texts that attachments told, lately. */
  attached: string[]
}

/**
 * The client's queue of prompts, as `queue-operation` records tell it. What is taken up as a turn follows as a user
 * record; what is handed to the agent in a running turn follows as an attachment or, in older versions, stands here
 * alone; what is taken back, or still queued at the end, nobody ever sent.
 */
export class PromptQueue {
  readonly #queued: QueuedPrompt[]
  #handed: QueuedPrompt[]
  #taken: QueuedPrompt[]
  readonly #attached: string[]

  constructor(state?: QueueState) {
    this.#queued = [...(state?.queued ?? [])]
    this.#handed = [...(state?.handed ?? [])]
    this.#taken = [...(state?.taken ?? [])]
    this.#attached = [...(state?.attached ?? [])]
  }

  operation(record: Json): void {
    switch (record['operation']) {
      case 'enqueue':
        this.#queued.push({ text: textOf(record['content']), at: parseInstant(record['timestamp']) })
        if (this.#queued.length > MAX_QUEUED) this.#queued.shift()
        return
      case 'dequeue':
        return this.#take(record, (prompt) => this.#taken.push(prompt))
      case 'remove':
        return this.#take(record, (prompt) => {
          if (wasSent(record) && !this.#attached.includes(prompt.text)) this.#handed.push(prompt)
        })
      case 'popAll':
        this.#queued.length = 0
        return
      default:
    }
  }

  /** An attachment tells a prompt that was handed over, before or after the queue says so. */
  attached(text: string): void {
    this.#attached.push(text)
    if (this.#attached.length > MAX_TOLD) this.#attached.shift()
    this.#handed = this.#handed.filter((prompt) => prompt.text !== text)
  }

  /** A user record with words: the turn that was taken up, however the client words it. */
  spoken(text: string): void {
    this.#taken.shift()
    this.#handed = this.#handed.filter((prompt) => prompt.text !== text)
  }

  /** What was handed to the agent and told by nothing else: to be written down before the agent's answer. */
  delivered(): readonly QueuedPrompt[] {
    const delivered = this.#handed
    if (delivered.length > 0) this.#handed = []
    if (this.#taken.length > 0) this.#taken = []
    return delivered
  }

  /** What was sent and has no record where the log ends now. */
  left(): readonly QueuedPrompt[] {
    return [...this.#handed, ...this.#taken]
  }

  state(): QueueState {
    return { queued: [...this.#queued], handed: this.#handed, taken: this.#taken, attached: [...this.#attached] }
  }

  /** What is taken is what the record names or, in older versions, what a person typed first. */
  #take(record: Json, keep: (prompt: QueuedPrompt) => void): void {
    const named = textOf(record['content'])
    const typed = this.#queued.findIndex(({ text }) => isTypedPrompt(text))
    const at = named === '' ? Math.max(0, typed) : this.#queued.findIndex(({ text }) => text === named)
    const [prompt] = at === -1 ? [{ text: named, at: parseInstant(record['timestamp']) }] : this.#queued.splice(at, 1)
    if (prompt !== undefined) keep(prompt)
  }
}

/** Newer versions say why a prompt leaves the queue: one that the person took out themselves was never sent. */
function wasSent(record: Json): boolean {
  const reason = asText(record['reason'])
  return reason === null || /absorb|mid_turn|deliver|sent|inject/.test(reason)
}

function textOf(content: unknown): string {
  const blocks = asArray(content).map((block) => asText(asObject(block)?.['text']) ?? '')
  return (asString(content) ?? blocks.join('\n')).trim()
}
