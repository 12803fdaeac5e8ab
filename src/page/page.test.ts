import { expect, test } from 'vitest'
import { codeHtml, languageOfFile } from './code.ts'
import { editHtml } from './edit.ts'
import { escapeHtml, safeLink } from './html.ts'
import { markdownHtml } from './markdown.ts'

/** Ways in which text has been made to run; each must come out as nothing but text. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '![x](javascript:alert(1))',
  '![x](https://tracker.example/pixel.png)',
  '<javascript:alert(1)>',
  '[x](https://a.example/" onmouseover="alert(1))',
  '[x](https://a.example "\\" onclick=alert(1) x=\\"")',
  '[a]: javascript:alert(1)\n\n[a]',
  '```"><script>alert(1)</script>\ncode\n```',
  '```html\n<script>alert(1)</script>\n```',
  '`<b onclick=x>`',
  '| <i onload=x> |\n| --- |\n| </td><script>x</script> |',
  '<!--><script>alert(1)</script>-->',
  '<a href="&#x6A;avascript:alert(1)">x</a>',
  '<style>@import url(https://a.example)</style>',
  '<iframe srcdoc="<script>x</script>">',
  '# <details open ontoggle=alert(1)>',
  '**<meta http-equiv=refresh content=0>**',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<base href="https://a.example/">',
  '\u202e<script>\u2066x',
]

/** Every tag of a piece of HTML, with the attributes it has. */
function tagsIn(html: string): string[] {
  return [...html.matchAll(/<\/?[^>]*>/g)].map(([tag]) => tag)
}

const OURS =
  /^<\/?(?:p|br|em|strong|del|code|pre|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|hr|h[3-6]|span(?: class="[\w -]+")?|div(?: class="[\w -]+")?|ol start="\d+"|t[hd] align="(?:left|right|center)"|a(?: href="(?:https?:\/\/|mailto:)[^"<>\s]+" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer")?)>$/

test.each(PAYLOADS)('is shown and does nothing: %j', (payload) => {
  for (const html of [
    markdownHtml(payload),
    markdownHtml(`a ${payload} b`),
    markdownHtml(`> ${payload}\n\n1. ${payload}`),
    codeHtml(payload, 'html'),
    codeHtml(payload, payload),
    editHtml({ file_path: payload, old_string: payload, new_string: `${payload}!` }) ?? '',
    editHtml({ patch: `*** Begin Patch\n*** Update File: ${payload}\n-${payload}\n+x` }) ?? '',
  ]) {
    expect(tagsIn(html).filter((tag) => !OURS.test(tag))).toEqual([])
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  }
})

test('what a link leads to is a page or a mailbox, else it is words', () => {
  expect(markdownHtml('[a](https://a.example/x?y=1&z=2)')).toContain('href="https://a.example/x?y=1&amp;z=2"')
  expect(markdownHtml('[a](mailto:a@b.example)')).toContain('href="mailto:a@b.example"')
  for (const href of ['javascript:x', ' javascript:x', 'file:///x', '//a.example', 'x', '#x', 'https://', 'data:x'])
    expect(safeLink(href), href).toBeNull()
})

test('Markdown is Markdown', () => {
  const html = markdownHtml('# Title\n\nsome *words*, `code` & **more**\n\n- [x] a\n- b\n\n```ts\nconst a = 1\n```\n')
  for (const piece of [
    '<h3>Title</h3>',
    '<em>words</em>',
    '<code>code</code> &amp; <strong>more</strong>',
    '☑ a',
    '<span class="hljs-keyword">const</span>',
  ])
    expect(html).toContain(piece)
  expect(markdownHtml('a < b && "c"')).toBe('<p>a &lt; b &amp;&amp; &quot;c&quot;</p>\n')
  expect(markdownHtml('&amp;lt; stays')).toBe('<p>&amp;lt; stays</p>\n')
})

test('code of a language nobody knows, and very long code, is shown plain', () => {
  expect(codeHtml('<b>', 'no-such-language')).toBe('&lt;b&gt;')
  expect(codeHtml('let a = 1;'.repeat(10_000), 'javascript')).not.toContain('<span')
  expect([languageOfFile('/a/b.tsx'), languageOfFile('x.constructor'), languageOfFile('Makefile')]).toEqual([
    'typescript',
    null,
    null,
  ])
})

test('an edit is a diff, line by line', () => {
  const html = editHtml({ file_path: '/a.ts', old_string: 'a\nb\nc', new_string: 'a\nB\nc' })
  expect(html).toContain('<div class="file">/a.ts</div>')
  expect(html?.match(/<span class="\w+">[^<]*/g)).toEqual([
    '<span class="ctx">  a',
    '<span class="del">- b',
    '<span class="ins">+ B',
    '<span class="ctx">  c',
  ])
})

test('a patch of several files, and a file written whole, are edits; a command is none', () => {
  const patch = '*** Begin Patch\n*** Add File: a\n+one\n*** Update File: b\n@@\n-x\n+y\n@@\n+z\n*** End Patch'
  expect(editHtml({ command: ['apply_patch', patch] })?.match(/class="file">\w/g)).toEqual([
    'class="file">a',
    'class="file">b',
  ])
  expect(editHtml({ file_path: 'a', content: 'x\ny' })?.match(/class="ins"/g)).toHaveLength(2)
  expect(editHtml({ command: 'ls' })).toBeNull()
  expect(editHtml('ls')).toBeNull()
  expect(editHtml(null)).toBeNull()
})

test('texts that have nothing in common are shown in bounded work', () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n')
  const html = editHtml({ file_path: 'a', old_string: lines('old'), new_string: lines('new') }) ?? ''
  expect(html).toContain('38000 more lines')
})

test('half a surrogate pair and control characters are harmless', () => {
  expect(escapeHtml('\u0007"\'<&>')).toBe('␇&quot;&#39;&lt;&amp;&gt;')
  expect(markdownHtml('\ud800 \u0000')).toContain('␀')
})
