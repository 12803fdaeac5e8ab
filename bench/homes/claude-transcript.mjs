/**
 * One transcript file in the shape of Claude Code 2.1: envelopes, the parentUuid chain, the clock and
 * the token counters. What is said in it is decided by claude-session.mjs.
 */

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./sink.mjs").SinkFile} SinkFile
 * @typedef {{ sessionId: string, cwd: string, gitBranch: string, version: string, modern: boolean,
 *   slug: string, entrypoint: string, model: string }} Session
 * @typedef {{ type: "thinking", thinking: string, signature: string }
 *   | { type: "text", text: string }
 *   | { type: "tool_use", id: string, name: string, input: object }} Block
 * @typedef {ReturnType<typeof createTranscript>} Transcript
 */

const SYSTEM_PROMPT_TOKENS = 18_000
const BYTES_PER_TOKEN = 4

/** @param {{ file: SinkFile, random: Random, session: Session, startMs: number, agentId?: string }} options */
export function createTranscript({ file, random, session, startMs, agentId }) {
  let clockMs = startMs
  let contextTokens = SYSTEM_PROMPT_TOKENS
  let cachedTokens = 0
  /** @type {string | null} */
  let lastUuid = null

  const timestamp = () => new Date(clockMs).toISOString()
  const write = (/** @type {object} */ record) => file.write(`${JSON.stringify(record)}\n`)

  /**
   * A record in the uuid chain.
   *
   * @param {object} body
   * @param {{ after?: object, parentUuid?: string | null, logicalParentUuid?: string | null }} [place]
   */
  function append(body, { after = {}, parentUuid = lastUuid, logicalParentUuid } = {}) {
    const uuid = random.uuid()
    const { sessionId, cwd, gitBranch, version, slug, entrypoint, modern } = session
    const head = { parentUuid, logicalParentUuid, isSidechain: agentId !== undefined }
    const agent = agentId === undefined ? {} : { agentId }
    const where = { cwd, sessionId, version, gitBranch }
    write(
      modern
        ? {
            ...head,
            ...agent,
            ...body,
            uuid,
            timestamp: timestamp(),
            ...after,
            userType: 'external',
            entrypoint,
            ...where,
          }
        : { ...head, userType: 'external', ...where, ...agent, slug, ...body, uuid, timestamp: timestamp(), ...after },
    )
    lastUuid = uuid
    return uuid
  }

  /** @param {unknown} content */
  const grow = (content) => {
    const bytes = typeof content === 'string' ? content.length : JSON.stringify(content).length
    contextTokens += Math.ceil(bytes / BYTES_PER_TOKEN)
  }

  return {
    session,
    append,
    timestamp,
    clock: () => clockMs,
    advance: (/** @type {number} */ ms) => void (clockMs += ms),
    contextTokens: () => contextTokens,
    lastUuid: () => lastUuid,
    /** A record about the session: no uuid, not part of the chain. */
    note: write,

    /**
     * @param {unknown} content
     * @param {object} [after] fields that follow the message
     */
    user(content, after) {
      grow(content)
      const prompt = session.modern ? { promptId: random.uuid() } : {}
      return append({ ...prompt, type: 'user', message: { role: 'user', content } }, { after })
    },

    /** Forgets the context but for its summary, as a compaction does. */
    compact() {
      const compactMetadata = { trigger: 'auto', preTokens: contextTokens }
      const body = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false }
      append(body, { parentUuid: null, logicalParentUuid: lastUuid, after: { level: 'info', compactMetadata } })
      contextTokens = SYSTEM_PROMPT_TOKENS
      cachedTokens = 0
    },

    /**
     * One API response: a writer of its blocks, one record each, with the same ids and a growing
     * output count.
     *
     * @param {Block[]} blocks
     * @param {{ stopReason: "tool_use" | "end_turn" }} how
     */
    response(blocks, { stopReason }) {
      const id = `msg_01${random.base62(22)}`
      const requestId = `req_011C${random.base62(20)}`
      const outputTokens = Math.ceil(JSON.stringify(blocks).length / BYTES_PER_TOKEN)
      const fresh = Math.max(0, contextTokens - cachedTokens)
      const counts = {
        input_tokens: random.int(1, 12),
        cache_creation_input_tokens: fresh,
        cache_read_input_tokens: cachedTokens,
        cache_creation: session.modern
          ? { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: fresh }
          : { ephemeral_5m_input_tokens: fresh, ephemeral_1h_input_tokens: 0 },
      }
      cachedTokens = contextTokens
      contextTokens += outputTokens
      let written = 0
      let parentUuid = lastUuid

      return {
        /** Writes the next block; returns the record's uuid. */
        next() {
          const last = written === blocks.length - 1
          const message = {
            model: session.model,
            id,
            type: 'message',
            role: 'assistant',
            content: [blocks[written]],
            stop_reason: last && random.chance(0.3) ? stopReason : null,
            stop_sequence: null,
            usage: {
              ...counts,
              output_tokens: last ? outputTokens : Math.min(outputTokens, 1 + written * random.int(1, 9)),
              service_tier: 'standard',
              inference_geo: 'not_available',
            },
          }
          written += 1
          clockMs += random.skewedInt(1800, 0.7, 60_000)
          parentUuid = append({ message, requestId, type: 'assistant' }, { parentUuid })
          return parentUuid
        },
      }
    },

    /**
     * The user record that carries a tool's result; its parent is the call.
     *
     * @param {{ toolUseId: string, callUuid: string, content: unknown, toolUseResult: unknown, isError?: boolean }} result
     */
    toolResult({ toolUseId, callUuid, content, toolUseResult, isError }) {
      const block = { tool_use_id: toolUseId, type: 'tool_result', content }
      const body = isError === undefined ? block : { ...block, is_error: isError }
      grow(content)
      return append(
        { type: 'user', message: { role: 'user', content: [body] } },
        { parentUuid: callUuid, after: { toolUseResult, sourceToolAssistantUUID: callUuid } },
      )
    },
  }
}
