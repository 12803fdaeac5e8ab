// Bundles src/ into dist/: one entry for the program, one for those who use it as a library.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

export async function build() {
  const esbuild = await import('esbuild')
  rmSync(path.join(root, 'dist'), { recursive: true, force: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/recall.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    external: ['@photostructure/sqlite'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/hook.ts'],
    outfile: 'dist/hook.cjs',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build()
