import { inert } from '../model/inert.ts'

/** HTML that was made here and holds nothing of anybody else's but what was escaped. */
export type SafeHtml = string

/** Somebody's text as text of a page, also within the quotes of an attribute. */
export function escapeHtml(text: string): SafeHtml {
  return inert(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Where a link may lead: to a page or a mailbox. Nothing that a browser would run, and nothing on this machine. */
export function safeLink(href: string): string | null {
  return /^(?:https?:\/\/[^\s]|mailto:[^\s])/i.test(href) && !/[\p{C}\s"'<>`]/u.test(href) ? href : null
}
