import DOMPurify from 'dompurify'
import { codeHtml, languageOfFile } from '../../page/code.ts'
import { editHtml } from '../../page/edit.ts'
import { markdownHtml } from '../../page/markdown.ts'

/** HTML that a page may take: made safe, and looked through once more. */
export type Checked = { readonly __html: string }

const RULES = {
  ALLOWED_TAGS:
    'p br em strong del code pre ul ol li table thead tbody tr th td blockquote hr h3 h4 h5 h6 span div a'.split(' '),
  ALLOWED_ATTR: ['class', 'href', 'rel', 'referrerpolicy', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_TRUSTED_TYPE: true,
} as const

/** The browser takes no HTML but from here: `require-trusted-types-for` in the headers. */
function checked(html: string): Checked {
  return {
    __html: DOMPurify.sanitize(html, {
      ...RULES,
      ALLOWED_TAGS: [...RULES.ALLOWED_TAGS],
      ALLOWED_ATTR: [...RULES.ALLOWED_ATTR],
    }) as unknown as string,
  }
}

export function markdown(text: string): Checked {
  return checked(markdownHtml(text))
}

export function code(text: string, language: string | null): Checked {
  return checked(`<pre><code>${codeHtml(text, language)}</code></pre>`)
}

export function codeOfFile(text: string, path: string): Checked {
  return code(text, languageOfFile(path))
}

/** Null where the arguments of a call are no edit. */
export function edit(input: unknown): Checked | null {
  const html = editHtml(input)
  return html === null ? null : checked(html)
}
