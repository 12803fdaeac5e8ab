// Bundles src/web/browser/ into dist/page/: what `recall serve` gives a browser. Names carry a hash, so that a browser
// may keep them for good.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './prepare.mjs'

const from = path.join(root, 'src/web/browser')

/** In this order. */
const STYLES = ['base.css', 'shell.css', 'parts.css', 'views.css', 'reader.css']

export async function buildPage(dir) {
  const { rolldown } = await import('rolldown')
  const out = path.join(dir, 'page')
  mkdirSync(out, { recursive: true })
  const bundle = await rolldown({
    cwd: root,
    platform: 'browser',
    input: { app: path.join(from, 'app.tsx') },
    transform: {
      jsx: { runtime: 'automatic', importSource: 'preact' },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    tsconfig: false,
  })
  const { output } = await bundle.write({
    dir: out,
    format: 'es',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  })
  const app = output.find((chunk) => chunk.isEntry).fileName
  const styles = ['../../../node_modules/uplot/dist/uPlot.min.css', ...STYLES].map((name) =>
    readFileSync(path.join(from, name), 'utf8'),
  )
  const css = styles
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
  const style = `style-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  writeFileSync(path.join(out, style), css)
  for (const page of ['index.html', 'stranger.html'])
    writeFileSync(
      path.join(out, page),
      readFileSync(path.join(from, page), 'utf8').replace('APP.js', app).replace('STYLE.css', style),
    )
  writeFileSync(path.join(out, 'icon.svg'), readFileSync(path.join(from, 'icon.svg')))
}
