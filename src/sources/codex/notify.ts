import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UserError } from '../../model/errors.ts'
import { isOurCommand, type HookTarget } from '../kit/hooks.ts'
import type { Json } from '../kit/json.ts'
import { lineEnd, parseToml, tomlWords, tryToml } from '../kit/toml.ts'
import type { Env } from '../source.ts'

/** Codex runs one program, `notify`, after each turn: without asking, and if nobody else has it. */
export const codexNotify: HookTarget = {
  home: codexHome,
  file: (env) => path.join(codexHome(env), 'config.toml'),
  isFree(text) {
    const { notify } = parseToml(text)
    return notify === undefined || isOurs(notify)
  },

  add(text, command) {
    const config = parseToml(text ?? '')
    const line = `notify = ${tomlWords(command)}`
    if (config['notify'] === undefined) return `${line}${lineEnd(text)}${text ?? ''}`
    if (!isOurs(config['notify'])) throw taken(config['notify'])
    if (isDeepStrictEqual(config['notify'], command)) return text ?? ''
    return replaced(text ?? '', config, line)
  },

  remove(text) {
    const config = parseToml(text)
    return isOurs(config['notify']) ? replaced(text, config, null) : text
  },

  has: (text) => isOurs(parseToml(text)['notify']),
}

export function codexHome(env: Env): string {
  return path.resolve(env['CODEX_HOME'] || path.join(env['HOME'] ?? '', '.codex'))
}

/** An assignment of a list to `notify`, over as many lines as it takes. */
const ASSIGNMENT =
  /^[ \t]*(?:notify|"notify"|'notify')[ \t]*=[ \t]*\[(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[^\]"'#])*\][ \t]*(?:#[^\n]*)?(?:\r?\n|$)/gm

/**
 * The text with the assignment replaced or, with null, removed. The same words may stand in a table or in a string, so
 * an edit counts only if it changes the meaning of the file in just this one way.
 */
function replaced(text: string, config: Json, line: string | null): string {
  const { notify: _, ...others } = config
  for (const match of text.matchAll(ASSIGNMENT)) {
    const insert = line === null ? '' : `${line}${lineEnd(text)}`
    const edited = text.slice(0, match.index) + insert + text.slice(match.index + match[0].length)
    const now = tryToml(edited)
    if (now === null) continue
    const { notify, ...rest } = now
    if (isDeepStrictEqual(rest, others) && (line === null ? notify === undefined : isOurs(notify))) return edited
  }
  throw new UserError('BAD_CONFIG', 'has `notify` in a form that cannot be edited safely', 'remove that line by hand')
}

function isOurs(notify: unknown): boolean {
  return Array.isArray(notify) && isOurCommand(notify.join(' '), 'codex')
}

function taken(notify: unknown): UserError {
  return new UserError(
    'BAD_CONFIG',
    `already has another notify: ${JSON.stringify(notify)}`,
    'Codex runs only one; start it as `recall exec -- codex …`, or let your program also run `recall hook run codex "$@"`',
  )
}
