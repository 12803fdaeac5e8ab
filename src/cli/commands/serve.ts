import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeSignals } from '../../capture/signals.ts'
import { writeDemoHome } from '../../demo/demo.ts'
import { UserError } from '../../model/errors.ts'
import type { DemoPlace } from '../../web/serve.ts'
import type { Command, Context } from '../command.ts'
import { count, flag, word } from '../option-values.ts'

const PORT = 4321
const HOST = '127.0.0.1'
const INTERRUPTED = 130

export const serve: Command = {
  name: 'serve',
  summary: 'look at the memory in a browser',
  details:
    'Serves a page on this machine alone and prints its address. The token in the address lets in one browser, which is ' +
    'known by a cookie afterwards; then the address for the next one is printed. The page follows what is indexed ' +
    'meanwhile (`recall watch`, the agents’ hooks). It reads nothing by itself and deletes nothing. `--host` lets others ' +
    'in, too: they need the token of `--token-file`, and whoever has it can read every session. Nothing is encrypted on ' +
    'the way: put it behind a proxy that does.',
  args: [],
  options: [
    { flags: '--port <n>', help: `listen on this port (${PORT}, or another that is free; 0: any)` },
    { flags: '--open', help: 'open it in the browser' },
    { flags: '--host <name>', help: `listen there (${HOST}); beyond this machine it takes --token-file` },
    { flags: '--token-file <file>', help: 'the token that lets in, for as long as this runs; at least 16 characters' },
  ],
  examples: ['recall serve', 'recall serve --open', 'recall serve --host 0.0.0.0 --token-file ~/.recall-token'],
  async run(context, _args, values) {
    const { terminal } = context
    const host = word(values, 'host') ?? HOST
    const file = word(values, 'tokenFile')
    const { serve: start } = await import('../../web/serve.ts')
    const options = {
      version: context.version,
      host,
      token: file === undefined ? null : tokenIn(file),
      makeDemo: () => makeDemo(context),
      onAddress: (url: string) => terminal.note(`a browser came in; for another one: ${url}`),
      onBug: (error: unknown) => terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    }
    const port = count(values, 'port')
    const signal = new Promise<NodeJS.Signals>((resolve) => takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], resolve))
    const served = await (port === undefined
      ? start(context, { ...options, port: PORT }).catch(() => start(context, { ...options, port: 0 }))
      : start(context, { ...options, port }))
    if (options.token !== null) terminal.note(`${host}: whoever has the token can read every session`)
    terminal.line(served.url)
    terminal.note('Ctrl-C ends it')
    if (flag(values, 'open')) await openInBrowser(served.url)
    const by = await signal
    await served.close()
    return by === 'SIGINT' ? INTERRUPTED : 0
  },
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UserError('USAGE', `cannot read the token in ${file}`, 'write one there: openssl rand -base64 24', error)
  }
}

/** About 30 made-up sessions in a store of their own. */
async function makeDemo(context: Context): Promise<DemoPlace> {
  const dir = mkdtempSync(path.join(tmpdir(), 'recall-demo-'))
  const storePath = path.join(dir, 'data', 'recall.db')
  writeDemoHome(dir, context.now())
  const recall = context.recallFor(dir, storePath)
  try {
    await recall.index()
    await recall.analyze({ all: true })
  } finally {
    await recall.close()
  }
  const env = { HOME: dir, XDG_DATA_HOME: path.join(dir, 'data'), XDG_CONFIG_HOME: path.join(dir, 'config') }
  const start = { env, cwd: dir, store: storePath }
  return { start, storePath, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

async function openInBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? []
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  // Without a browser the printed address is what there is.
  child.once('error', () => undefined)
  child.unref()
}
