const LONGEST = 100
/** A first sentence that is shorter says too little to stand for what follows it. */
const SHORTEST_SENTENCE = 30
/** How much of a prompt is looked at. */
const ENOUGH = 4096

/**
 * What a session is called, from what was asked in it: the first prompt that says something, without what clients and
 * templates put around it; a plan by its heading. One line of at most 100 characters that ends with a sentence or a
 * word. Null if there are no words at all.
 */
export function readableTitle(prompts: readonly string[]): string | null {
  let first: string | null = null
  for (const prompt of prompts) {
    const title = titleOf(prompt.slice(0, ENOUGH))
    if (title === '') continue
    if (saysSomething(title)) return title
    first ??= title
  }
  return first
}

/** Whether a session that begins with this prompt is called by it. */
export function isTelling(prompt: string): boolean {
  return saysSomething(titleOf(prompt.slice(0, ENOUGH)))
}

function titleOf(prompt: string): string {
  let [text, before] = [prompt, '']
  // Each rule may lay bare what another takes away.
  for (let round = 0; text !== before && round < 8; round++) {
    before = text
    text = withoutLabel(withoutPlan(withoutTemplate(withoutTags(text.trim()))))
  }
  return shortened(plain(subjectOf(text)))
}

/** Blocks that clients put before the words of a person, by the names of their tags. */
const TAG = /^<([a-z]+(?:[-_][a-z]+)+)(?:\s[^>]*)?>([\s\S]*?)(?:<\/\1>|$)\s*/i
const COMMAND = /<command-name>\s*([\s\S]*?)\s*<\/command-name>/
const ARGUMENTS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/
/** Their contents are what was said. */
const SPEAKING: ReadonlySet<string> = new Set(['user_query', 'user-query', 'user_message', 'user-prompt', 'bash-input'])

function withoutTags(text: string): string {
  const command = COMMAND.exec(text)?.[1]
  if (command !== undefined && text.startsWith('<command-')) return `${command} ${ARGUMENTS.exec(text)?.[1] ?? ''}`
  const tag = TAG.exec(text)
  if (tag === null) return text
  const [whole, name = '', inside = ''] = tag
  const rest = text.slice(whole.length)
  return SPEAKING.has(name.toLowerCase()) ? `${inside.trim()}\n${rest}` : rest
}

const USER_INPUT = /^#{1,6}\s*user (?:input|request|query|message)\s*/i
const FENCE = /^```\w*\s*([\s\S]*?)\s*```/

/** Templates tell what was typed under a heading of its own; the rest is theirs. */
function withoutTemplate(text: string): string {
  if (!USER_INPUT.test(text)) return text
  const rest = text.replace(USER_INPUT, '')
  const fenced = FENCE.exec(rest)
  return fenced === null ? rest : (fenced[1] ?? '')
}

const PLAN =
  /^(?:please\s+)?(?:implement|execute|follow|carry out)\s+(?:the|this)(?:\s+following)?\s+plan\s*[:.]\s*(?=\S)/i
const PLAN_NAME = /^(#{1,6}\s*)(?:(?:implementation\s+)?plan|plan for)\s*[:–—-]\s*/i

function withoutPlan(text: string): string {
  return text.replace(PLAN, '').replace(PLAN_NAME, '$1')
}

const LABEL =
  /^#{1,6}\s*(?:background|context|description|goal|goals|input|instructions?|objective|overview|problem|prompt|request|summary|task|your task)\s*:?(?:\n+|\s+(?=##?\s)|$)/i

/** A heading that says what kind of text follows and nothing about it. */
function withoutLabel(text: string): string {
  return text.replace(LABEL, '')
}

/** The line that tells it: a heading up to where it ends, else the first line if that says something, else all. */
function subjectOf(text: string): string {
  const line = text.slice(0, text.search(/\n|$/)).trim()
  const heading = /^#{1,6}\s+(.+)/.exec(line)?.[1]
  if (heading !== undefined) return heading.split(/\s#{1,6}\s/)[0] ?? heading
  return isSubject(line) ? line : text
}

/** What goes on in the next line is a sentence that was broken; what ends in a colon, or is followed by a gap, is not. */
function isSubject(line: string): boolean {
  return line.split(/\s+/).length >= 3 && /[:.?!。？！]$/.test(line)
}

function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^(?:[>*#•\s]|-\s|\d+\.\s)+/, '')
    .replaceAll('**', '')
    .replace(/[\s:*]+$/, '')
    .trim()
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  const sentence = /^.*?[.?!。？！](?=\s|[\u3000-\u9fff])/u.exec(text.slice(SHORTEST_SENTENCE, LONGEST))
  if (sentence !== null) return text.slice(0, SHORTEST_SENTENCE + sentence[0].length)
  const head = text.slice(0, LONGEST - 1)
  const space = head.lastIndexOf(' ')
  const end = space >= LONGEST / 2 ? space : head.length - (/[\ud800-\udbff]$/.test(head) ? 1 : 0)
  return `${head.slice(0, end).replace(/[\s,;:([{–—-]+$/, '')}…`
}

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a again all and are can continue do done fine go good great hear hello hallo hey hi hiya hola howdy bonjour ciao salut moin servus help i is it k ' +
    'morning evening afternoon me more next no nope now ok okay on one please ping pong proceed resume right start sure test testing thank thanks the ' +
    'there try up wait well what whats yes yep yeah yo you your how doing here am ' +
    '你好 您好 在吗 继续 好的 好 谢谢 是 是的 嗨 こんにちは はい 続けて ありがとう 안녕 안녕하세요 네 계속 привет да нет продолжай спасибо'
  ).split(' '),
)
const PLACEHOLDER = /\[(?:image|file|pasted text|request interrupted)[^\]]*\]/gi

/** Whether somebody who reads it knows what the session is about. */
function saysSomething(title: string): boolean {
  if (/^\/[\w:-]+$/.test(title)) return false
  const words =
    title
      .replace(PLACEHOLDER, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu) ?? []
  return words.some((word) => !EMPTY_WORDS.has(word.replace(/['’]/g, '')))
}
