/**
 * Lets a person read a text in their pager, until they leave it. False if there is no such program: nothing was shown.
 * Whoever leaves before the end has seen enough.
 */
export async function page(text: string, command: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  // As git does: what people have set for `less` holds, else it shows colours and leaves the text on the screen.
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', ...env } })
  child.stdin.on('error', () => undefined)
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    // What a shell says when it finds no such program, or may not run it. Ctrl-C ends the shell, not what it has shown.
    child.once('close', (code) => resolve(code !== 126 && code !== 127))
  })
  child.stdin.end(text)
  return ended
}
