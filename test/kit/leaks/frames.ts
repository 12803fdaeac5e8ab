const each =
  (f: (line: string, i: number) => string) =>
  (text: string): string =>
    `${text.split('\n').map(f).join('\n')}\n`

/** How a block of lines is quoted. */
export const FRAMES: readonly { readonly frame: string; readonly wrap: (text: string) => string }[] = [
  { frame: 'as it is', wrap: (t) => `${t}\n` },
  { frame: 'diff, removed', wrap: (t: string) => `@@ -1,9 +0,0 @@\n${each((l) => `-${l}`)(t)}` },
  { frame: 'diff, added', wrap: each((l) => `+${l}`) },
  { frame: 'cat -n', wrap: each((l, i) => `${String(i + 1).padStart(6)}\t${l}`) },
  { frame: 'numbered arrow', wrap: each((l, i) => `${String(i + 1).padStart(5)}→${l}`) },
  { frame: 'grep -C', wrap: each((l, i) => `ops/secret.txt-${i + 10}-${l}`) },
  { frame: 'quoted', wrap: each((l) => `> ${l}`) },
  { frame: 'comment #', wrap: each((l) => `# ${l}`) },
  { frame: 'comment //', wrap: each((l) => `// ${l}`) },
  { frame: 'json string', wrap: (t) => JSON.stringify({ role: 'tool', content: t }) },
  { frame: 'json in json', wrap: (t) => JSON.stringify({ payload: JSON.stringify({ stdout: t, exit: 0 }) }) },
  { frame: 'yaml block', wrap: (t) => `data:\n  file: |\n${each((l) => `    ${l}`)(t)}next: 1\n` },
  { frame: 'log lines', wrap: each((l, i) => `2026-11-03T10:01:${String(10 + i)}.123Z INFO  [main] ${l}`) },
  { frame: 'compose log', wrap: each((l) => `web-1  | ${l}`) },
  { frame: 'heredoc', wrap: (t) => `cat > f <<'EOF'\n${t}\nEOF\n` },
  { frame: 'fenced', wrap: (t) => `This is it:\n\n\`\`\`\n${t}\n\`\`\`\nthanks\n` },
  { frame: 'html pre', wrap: (t) => `<pre><code>${t}</code></pre>\n` },
  { frame: 'python triple quotes', wrap: (t) => `text = """${t}\n"""\n` },
  { frame: 'windows line ends', wrap: (t) => t.replaceAll('\n', '\r\n') + '\r\n' },
]
