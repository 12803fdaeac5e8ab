/** Hosts that name nobody. */
const NOBODYS = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|(?:.+\.)?example(?:\.\w+)?|.*\.invalid)$/i
/** Places of everybody's, where only what follows the host may name somebody. */
const PUBLIC = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'npmjs.com',
  'registry.npmjs.org',
  'pypi.org',
  'crates.io',
  'stackoverflow.com',
  'developer.mozilla.org',
  'nodejs.org',
  'docs.rs',
  'google.com',
])
/** Names of accounts that are no names. */
const ACCOUNTS = new Set([
  'root',
  'user',
  'users',
  'home',
  'admin',
  'ubuntu',
  'runner',
  'node',
  'shared',
  'public',
  'default',
  'app',
  'git',
  'www',
  'dev',
  'test',
  'me',
])

const EMAIL = /(?<![\w.+-])([A-Za-z0-9][\w.+-]{0,63})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})(?![\w-])/g
const AUTHOR =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}[\p{L}.'’-]{0,40}){1,3}) <[^<>\s@]{1,64}@[^<>\s]{1,255}>/gu
const HOME = /(?:\/home\/|\/Users\/|[A-Za-z]:(?:\\\\?|\/)Users(?:\\\\?|\/))([^\s/\\:"'<>|*?`,;)(\][{}]{1,64})/g
const ENCODED_HOME = /(?<![A-Za-z0-9])-(?:home|Users)-([A-Za-z0-9_]{2,32})(?=-|$)/gm
const URL_HOST = /\b[a-z][a-z0-9+.-]{1,15}:\/\/(?:[^\s/@:"'<>]{1,64}(?::[^\s/@"'<>]{1,128})?@)?([A-Za-z0-9.-]{1,253})/gi
const SSH_HOST = /(?<![\w.+-])[\w.-]{1,64}@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8})(?=[:\s]|$)/gm
const INSIDE =
  /(?<![\w.-])[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.(?:local|lan|internal|intranet|corp|home|localdomain)(?![\w-])/gi
const IPV4 = /(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w.])/g

/**
 * Names of people, accounts, machines and mailboxes, each by a name that says nothing and is always the same. First
 * everything is looked at (`learn`), then told anew: a name that is met late is no name anywhere. What it cannot know
 * is a name that stands nowhere as one: of a person in prose, of a customer, of a project.
 */
export class Anonymizer {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  #pattern: RegExp | null = null

  constructor(hostname = '') {
    if (hostname.length > 2 && !NOBODYS.test(hostname)) this.#know(hostname, 'host')
  }

  learn(text: string): void {
    for (const [, name = ''] of text.matchAll(AUTHOR)) this.#know(name, 'person')
    for (const [, account = ''] of text.matchAll(HOME)) this.#account(account)
    for (const [, account = ''] of text.matchAll(ENCODED_HOME)) this.#account(account)
    for (const [mail, account = '', host = ''] of text.matchAll(EMAIL)) {
      if (NOBODYS.test(host)) continue
      this.#know(mail, 'mail')
      if (account.length > 3 && account !== 'git') this.#account(account)
      this.#host(host)
    }
    for (const pattern of [URL_HOST, SSH_HOST]) for (const [, host = ''] of text.matchAll(pattern)) this.#host(host)
    for (const [host] of text.matchAll(INSIDE)) this.#host(host)
  }

  text(value: string): string {
    const pattern = (this.#pattern ??= this.#compiled())
    const named = value.replace(pattern, (found) => this.#names.get(found.toLowerCase()) ?? found)
    return named.replace(IPV4, (ip) => (NOBODYS.test(ip) ? ip : this.#know(ip, 'ip')))
  }

  /** Every string of a value; of the names of its fields those that are paths or addresses. */
  json<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((one: unknown) => this.json(one)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [/[/\\@]/.test(key) ? this.text(key) : key, this.json(one as unknown)]),
    ) as T
  }

  /** The same over every string of a value. */
  learnAll(value: unknown): void {
    if (typeof value === 'string') this.learn(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) this.learnAll(one)
  }

  #account(name: string): void {
    if (name.length > 1 && !ACCOUNTS.has(name.toLowerCase())) this.#know(name, 'user')
  }

  #host(host: string): void {
    const plain = host.replace(/\.$/, '').toLowerCase()
    if (plain.length < 3 || NOBODYS.test(plain) || PUBLIC.has(plain.replace(/^www\./, '')) || /^[\d.]+$/.test(plain))
      return
    this.#know(plain, 'host')
  }

  #know(name: string, kind: 'person' | 'user' | 'mail' | 'host' | 'ip'): string {
    const key = name.toLowerCase()
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const n = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, n)
    const anonymous = {
      person: `Person ${n}`,
      user: `user${n}`,
      mail: `person${n}@example.com`,
      host: `host${n}.example`,
      ip: `192.0.2.${n % 256}`,
    }[kind]
    this.#names.set(key, anonymous)
    if (kind !== 'ip') this.#pattern = null
    return anonymous
  }

  /** The longest first; never within a longer word. */
  #compiled(): RegExp {
    const names = [...this.#names.keys()].sort((a, b) => b.length - a.length)
    if (names.length === 0) return /(?!)/g
    const all = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  }
}
