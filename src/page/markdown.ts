import { Marked, type Tokens } from 'marked'
import { codeHtml } from './code.ts'
import { escapeHtml, safeLink, type SafeHtml } from './html.ts'

/** Longer texts are shown as they are: no message of a conversation is, only what somebody pasted. */
const MOST = 200_000
const LOWEST_HEADING = 6

/**
 * Markdown of anybody's as HTML that does nothing: its HTML is shown as text, links lead to pages only and say nothing
 * of where they were followed, images are links, headings begin at the third level.
 */
const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    text(token: Tokens.Text | Tokens.Escape) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : plain(token.text)
    },
    codespan: ({ text }: Tokens.Codespan) => `<code>${escapeHtml(text)}</code>`,
    code: ({ text, lang }: Tokens.Code) =>
      `<pre><code>${codeHtml(text, (lang ?? '').trim().split(/[\s,{]/)[0] || null)}</code></pre>\n`,
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(depth + 2, LOWEST_HEADING)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }: Tokens.Link) {
      return linkTo(href, this.parser.parseInline(tokens))
    },
    image: ({ href, text }: Tokens.Image) => linkTo(href, escapeHtml(text === '' ? href : text)),
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
})

export function markdownHtml(text: string): SafeHtml {
  if (text.length > MOST) return `<pre>${escapeHtml(text)}</pre>\n`
  return marked.parse(text) as string
}

/** Entities that were written are read first: `&lt;` is one character of text. */
function plain(text: string): SafeHtml {
  return escapeHtml(text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function linkTo(href: string, words: SafeHtml): SafeHtml {
  const safe = safeLink(href)
  if (safe === null) return words
  return `<a href="${escapeHtml(safe)}" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">${words}</a>`
}
