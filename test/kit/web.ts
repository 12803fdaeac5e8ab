import { spawn, type ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { afterAll } from 'vitest'
import { bin } from './cli.ts'

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  readonly json: <T = Record<string, unknown>>() => T
}

export interface WebServer {
  /** With the token that lets in. */
  readonly url: string
  readonly origin: string
  readonly port: number
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Comes in with the token; the cookie is sent from then on. */
  enter(): Promise<string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<WebAnswer>
  send(method: string, path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<WebAnswer>
  /** Ends it as Ctrl-C would; its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGTERM')
})

/** `recall serve` as it is built, on any port. */
export async function serveWeb(env: Readonly<Record<string, string>>, ...args: string[]): Promise<WebServer> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data))
  child.stderr.on('data', (data: Buffer) => (err += data))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /http:\S+/.exec(out)
      if (found !== null) resolve(found[0])
    })
    child.once('exit', (code) => reject(new Error(`recall serve ended with ${code}: ${err}`)))
  })
  const { origin, port } = new URL(url)
  let cookie = ''
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
    new Promise<WebAnswer>((resolve, reject) => {
      const all = { ...(cookie === '' ? {} : { cookie }), ...headers }
      const asked = request({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (data: Buffer) => parts.push(data))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) })
        })
      })
      asked.once('error', reject)
      asked.end(body)
    })
  return {
    url,
    origin,
    port: Number(port),
    child,
    out: () => out,
    err: () => err,
    async enter() {
      const { pathname, search } = new URL(url)
      const { headers } = await ask('GET', pathname + search, {})
      cookie = String(headers['set-cookie']).split(';')[0] ?? ''
      return cookie
    },
    get: (path, headers = {}) => ask('GET', path, headers),
    send: (method, path, body, headers = {}) =>
      ask(
        method,
        path,
        { origin, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
        body,
      ),
    end: (signal = 'SIGINT') =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill(signal)
      }),
  }
}
