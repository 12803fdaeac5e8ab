/**
 * What a person or an agent wrote in one record of a Claude Code transcript: prompts, answers,
 * thinking and shell commands. Tool results and envelopes are left out.
 *
 * @param {any} record a parsed line
 * @returns {Generator<["prompts" | "answers" | "thinking" | "commands", string]>}
 */
export function* wording(record) {
  const content = record.message?.content
  if (typeof content === 'string') yield ['prompts', content]
  if (!Array.isArray(content)) return
  for (const block of content) {
    if (block.type === 'text') yield [record.type === 'user' ? 'prompts' : 'answers', block.text]
    if (block.type === 'thinking') yield ['thinking', block.thinking]
    if (block.type === 'tool_use' && typeof block.input.command === 'string') yield ['commands', block.input.command]
  }
}
