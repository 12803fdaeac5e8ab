import { programOf } from './capture/program.ts'
import type { Context } from './cli/command.ts'
import { loadCommands } from './cli/commands.ts'
import { runCommandLine, wantsJson } from './cli/run.ts'
import { Terminal } from './cli/terminal.ts'
import { now, productFor, settingsFor, sourcesFor } from './product.ts'

/** Damage that an answer may suffer from is said beside it. */
function warnOf(terminal: Terminal): (message: string) => void {
  return (message) =>
    terminal.note(
      `${terminal.yellow(`warning: ${terminal.cell(message)}`)}\n  \`recall doctor --deep\` says what is damaged`,
    )
}

type Surroundings = Pick<Context, 'env' | 'terminal' | 'version'>

async function contextFor(around: Surroundings, store?: string, group?: string): Promise<Context> {
  const { env, terminal, version } = around
  const settings = await settingsFor(env, store, group)
  return {
    recall: productFor(settings, env, warnOf(terminal), 'own'),
    settings,
    sources: sourcesFor(settings),
    terminal,
    version,
    env,
    cwd: process.cwd(),
    now,
    program: () => programOf(process),
    watching: { onNote: (text) => terminal.note(text) },
    commands: loadCommands,
    recallFor: (home, storePath) =>
      productFor({ ...settings, storePath, roots: new Map() }, { HOME: home }, warnOf(terminal), 'own'),
  }
}

/** Throws only if a part of the program is not there. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const { env, stdout, stderr } = process
  process.umask(0o077)
  stdout.on('error', onUnwritable)
  stderr.on('error', () => undefined)
  const terminal = new Terminal(stdout, stderr, !env['NO_COLOR'])
  process.on('SIGINT', () => {
    if (terminal.isPaging) return
    const error = { code: 'INTERRUPTED', message: 'interrupted', hint: 'what was kept stays; run it again to go on' }
    if (wantsJson(argv) && !terminal.answered) terminal.json({ error })
    process.exit(130)
  })
  try {
    process.exitCode = await runCommandLine({
      argv,
      version,
      terminal,
      context: (store, group) => contextFor({ env, terminal, version }, store, group),
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') throw error
    process.exitCode = 70
    const trace = error instanceof Error ? error.stack : String(error)
    terminal.note(`recall: this is a bug; please report it with what follows\n${trace}`)
  }
}

/** A reader that has seen enough (`recall list | head`) is no failure; a full disk is. */
function onUnwritable(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(
    `recall: the answer cannot be written (${error.message})\n  nothing was lost; give it another place\n`,
  )
  process.exit(4)
}
