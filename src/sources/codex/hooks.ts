import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { UserError } from '../../model/errors.ts'
import { isOurCommand, type HookTarget } from '../kit/hooks.ts'
import { isObject, type Json } from '../kit/json.ts'
import type { Env } from '../source.ts'

/** Codex runs one program, `notify`, after each turn. */
export const codexHooks: HookTarget = {
  home,
  file: (env) => path.join(home(env), 'config.toml'),

  add(text, command) {
    const config = parseConfig(text ?? '')
    const line = `notify = [${command.map((word) => JSON.stringify(word)).join(', ')}]`
    if (config['notify'] === undefined) return `${line}${newline(text)}${text ?? ''}`
    if (!isOurs(config['notify'])) throw taken(config['notify'])
    if (isDeepStrictEqual(config['notify'], command)) return text ?? ''
    return replaced(text ?? '', config, line)
  },

  remove(text) {
    const config = parseConfig(text)
    return isOurs(config['notify']) ? replaced(text, config, null) : text
  },

  has: (text) => isOurs(parseConfig(text)['notify']),
}

function home(env: Env): string {
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
    const insert = line === null ? '' : `${line}${newline(text)}`
    const edited = text.slice(0, match.index) + insert + text.slice(match.index + match[0].length)
    const now = tryParse(edited)
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

function parseConfig(text: string): Json {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]
    throw new UserError(
      'BAD_CONFIG',
      `is not TOML (line ${error.line}: ${reason})`,
      'mend it first; nothing was changed',
      error,
    )
  }
}

function tryParse(text: string): Json | null {
  try {
    const value: unknown = parse(text)
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof TomlError) return null
    throw error
  }
}

function newline(text: string | null): string {
  return text?.includes('\r\n') ? '\r\n' : '\n'
}
