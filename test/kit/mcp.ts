import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { spawn } from 'node:child_process'
import { afterEach } from 'vitest'
import { bin } from './cli.ts'

export interface Answered {
  readonly isError?: boolean | undefined
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent: Readonly<Record<string, unknown>> & {
    readonly rows: readonly (Readonly<Record<string, unknown>> & {
      readonly session_uid: string
      readonly pointer: string | null
    })[]
    readonly notes?: readonly string[]
    readonly left_out?: string
    readonly cursor?: string
  }
}

/** What both generations of the client can do, as far as tests need it. */
export type AnyClient = Pick<Client, 'listTools' | 'getInstructions' | 'listPrompts' | 'listResourceTemplates'> & {
  callTool(params: { name: string; arguments: object }, ...more: unknown[]): Promise<unknown>
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<unknown>
  readResource(params: { uri: string }): Promise<{ contents: readonly { text?: string }[] }>
  listResources(): Promise<{ resources: readonly unknown[] }>
  close(): Promise<void>
}

/** The official clients: of today in both ways of saying hello, and of the generation before. */
export const ERAS = ['modern', 'handshake', 'sdk 1.x'] as const
export type Era = (typeof ERAS)[number]

const ME = { name: 'test', version: '1' }
const open: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

export interface Connected {
  readonly client: AnyClient
  ask(name: string, input?: object): Promise<Answered>
}

function connected(client: AnyClient): Connected {
  open.push(client)
  return { client, ask: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as Answered }
}

function newClient(era: Era): Client | OldClient {
  if (era === 'sdk 1.x') return new OldClient(ME)
  return new Client(ME, { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } })
}

/** A client of a server of its own; closed after the test. */
export async function connect(
  env: Record<string, string>,
  { era = 'modern', args = [], cwd }: { era?: Era; args?: readonly string[]; cwd?: string } = {},
): Promise<Connected> {
  const server = { command: process.execPath, args: [bin, 'mcp', ...args], env, ...(cwd === undefined ? {} : { cwd }) }
  const client = newClient(era)
  await client.connect((era === 'sdk 1.x' ? new OldStdio(server) : new StdioClientTransport(server)) as never)
  return connected(client as AnyClient)
}

export interface HttpServer {
  readonly url: string
  readonly token: string
}

/** `recall mcp --http`, until the end of the test. */
export function serveHttp(env: Record<string, string>, ...args: string[]): Promise<HttpServer> {
  const child = spawn(process.execPath, [bin, 'mcp', '--http', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  open.push({ close: () => void child.kill() })
  return new Promise((listening) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const [, url, token] = /^(\S+)\nAuthorization: Bearer (\S+)\n/.exec(out) ?? []
      if (url !== undefined && token !== undefined) listening({ url, token })
    })
  })
}

export async function connectHttp({ url, token }: HttpServer, era: Era): Promise<Connected> {
  const client = newClient(era)
  const how = { requestInit: { headers: { authorization: `Bearer ${token}` } } }
  const place = new URL(url)
  await client.connect(
    (era === 'sdk 1.x' ? new OldHttp(place, how) : new StreamableHTTPClientTransport(place, how)) as never,
  )
  return connected(client as AnyClient)
}
