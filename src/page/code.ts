import highlighter from 'highlight.js/lib/common'
import { inert } from '../model/inert.ts'
import { escapeHtml, type SafeHtml } from './html.ts'

/** Above this, colours take longer than they help. */
const MOST = 40_000

const BY_ENDING: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  h: 'c',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  svg: 'xml',
  toml: 'ini',
  zsh: 'bash',
  sh: 'bash',
  jsonl: 'json',
}

/** Code with `<span class="hljs-…">` around its words; plain where its language is not known. */
export function codeHtml(code: string, language: string | null): SafeHtml {
  const known = language === null ? null : languageOf(language)
  if (known === null || code.length > MOST) return escapeHtml(code)
  return highlighter.highlight(inert(code), { language: known, ignoreIllegals: true }).value
}

/** The language of a file by how its name ends. */
export function languageOfFile(path: string): string | null {
  return languageOf(/\.([\w+]+)$/.exec(path)?.[1] ?? '')
}

function languageOf(name: string): string | null {
  const lower = name.toLowerCase()
  const language = Object.hasOwn(BY_ENDING, lower) ? BY_ENDING[lower] : lower
  return language !== undefined && highlighter.getLanguage(language) !== undefined ? language : null
}
