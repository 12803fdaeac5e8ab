import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { takeSignals } from './signals.ts'

export interface Ending {
  /** False if there is no such command, or none that can be run. */
  readonly started: boolean
  readonly code: number
  /** Set if a signal ended it; `code` is then what a shell would say. */
  readonly signal: NodeJS.Signals | null
}

const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

/**
 * Runs a command with our own standard streams and waits for it. Signals are the command's to answer: we stay until it
 * ends. A terminal sends its own to both of us, elsewhere they are handed on.
 */
export function passThrough(command: string, args: readonly string[], cwd = process.cwd()): Promise<Ending> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd })
    const handOn = (signal: NodeJS.Signals) => {
      const fromTerminal = process.stdin.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!fromTerminal) child.kill(signal)
    }
    const giveBack = takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'], handOn)
    child.on('error', (error: NodeJS.ErrnoException) => {
      giveBack()
      resolve({ started: false, code: error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, signal: null })
    })
    child.on('close', (code, signal) => {
      giveBack()
      resolve({ started: true, code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal })
    })
  })
}

/** Ends this process as the command ended, so that whoever waits for us sees the same. Returns if the signal is ignored. */
export function endBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
