import { maker, whole } from './secrets.ts'

/**
 * What a secret is known by: its own shape (`token`), nothing but the name before it (`password`, `opaque`), its lines
 * (`block`), or the address that it is part of (`address`).
 */
export type Form = 'token' | 'password' | 'opaque' | 'block' | 'address'

export interface SecretKind {
  readonly kind: string
  readonly form: Form
  /** What is written. */
  readonly text: string
  /** The part of it that must go; all of it if absent. */
  readonly secret?: string
}

const url = (text: string): string => Buffer.from(text).toString('base64url')

/** Secrets of many vendors, made anew for each seed. No two seeds have a character in common but for prefixes. */
export function secretKinds(seed: number): readonly SecretKind[] {
  const { run, hex, alnum, capitals, digits, uuid, password } = maker(seed)
  const lower = (n: number): string => run('abcdefghijklmnopqrstuvwxyz0123456789', n)
  const token = (kind: string, text: string): SecretKind => ({ kind, form: 'token', text })
  const address = (kind: string, before: string, secret: string, after = ''): SecretKind => ({
    kind,
    form: 'address',
    text: before + secret + after,
    secret,
  })
  const header = (fields: object): string => url(JSON.stringify(fields))
  const claims = url(JSON.stringify({ sub: digits(10), name: alnum(12), iat: 1700000000, scope: 'read write' }))
  const body = (lines: number, width: number): string[] => Array.from({ length: lines }, () => alnum(width))
  const block = (kind: string, lines: readonly string[]): SecretKind => ({
    kind,
    form: 'block',
    text: lines.join('\n'),
  })
  const pem = (kind: string, width = 64): string[] => [
    whole`-----BE|GIN ${kind}-----`,
    ...body(8, width),
    `${alnum(30)}==`,
    whole`-----E|ND ${kind}-----`,
  ]
  return [
    token('anthropic', whole`sk-|ant-api03-${alnum(93)}AA`),
    token('anthropic oauth', whole`sk-|ant-oat01-${alnum(40)}-${alnum(52)}AA`),
    token('openai', whole`sk-|proj-${alnum(48)}_${alnum(40)}T3Blbk|FJ${alnum(40)}`),
    token('openai old', whole`sk-${alnum(20)}T3Blbk|FJ${alnum(20)}`),
    token('openai service account', whole`sk-|svcacct-${alnum(70)}`),
    token('openrouter', whole`sk-|or-v1-${hex(64)}`),
    token('deepseek', whole`sk-${hex(32)}`),
    token('xai', whole`xa|i-${alnum(80)}`),
    token('hugging face', whole`h|f_${alnum(34)}`),
    token('groq', whole`gs|k_${alnum(52)}`),
    token('replicate', whole`r|8_${alnum(37)}`),
    token('perplexity', whole`ppl|x-${alnum(48)}`),
    token('nvidia', whole`nv|api-${alnum(64)}`),
    token('cerebras', whole`cs|k-${lower(48)}`),
    token('vercel', whole`vc|p_${alnum(56)}`),
    token('vercel blob', whole`vercel|_blob_rw_${alnum(16)}_${alnum(30)}`),
    token('supabase', whole`sb|p_${hex(40)}`),
    token('supabase secret', whole`sb_|secret_${alnum(22)}_${alnum(8)}`),
    token('sentry', whole`snt|rys_ey|J${alnum(90)}`),
    token('sentry user', whole`snt|ryu_${hex(64)}`),
    token('slack bot', whole`xo|xb-${digits(12)}-${digits(12)}-${alnum(24)}`),
    token('slack app', whole`xa|pp-1-A${capitals(10)}-${digits(13)}-${hex(64)}`),
    token('slack user', whole`xo|xp-${digits(12)}-${digits(12)}-${digits(12)}-${hex(32)}`),
    token('stripe', whole`sk|_live_${alnum(99)}`),
    token('stripe restricted', whole`rk|_live_${alnum(24)}`),
    token('stripe webhook', whole`wh|sec_${alnum(32)}`),
    token('twilio', whole`S|K${hex(32)}`),
    token('sendgrid', whole`S|G.${alnum(22)}.${alnum(43)}`),
    token('npm', whole`np|m_${alnum(36)}`),
    token('pypi', whole`py|pi-AgE|IcHlwaS5vcmc${alnum(120)}`),
    token('crates.io', whole`ci|o${alnum(32)}`),
    token('rubygems', whole`ruby|gems_${hex(48)}`),
    token('github', whole`gh|p_${alnum(36)}`),
    token('github app', whole`gh|s_${alnum(36)}`),
    token('github fine-grained', whole`github|_pat_${alnum(22)}_${alnum(59)}`),
    token('gitlab', whole`gl|pat-${alnum(20)}`),
    token('gitlab routable', whole`gl|pat-${alnum(27)}.01.${lower(9)}`),
    token('gitlab runner', whole`gl|rt-${alnum(20)}`),
    token('azure client', whole`${alnum(3)}8|Q~${alnum(34)}`),
    token('azure devops', whole`${alnum(76)}AZ|DO${alnum(4)}`),
    token('google api', whole`AI|zaSy${alnum(33)}`),
    token('google oauth', whole`ya|29.a0${alnum(120)}`),
    token('google client secret', whole`GOC|SPX-${alnum(28)}`),
    token('aws key id', whole`AK|IA${capitals(16)}`),
    token('aws session', whole`IQoJ|b3JpZ2lu${alnum(300)}==`),
    token('digitalocean', whole`do|p_v1_${hex(64)}`),
    token('databricks', whole`da|pi${hex(32)}`),
    token('linear', whole`lin|_api_${alnum(40)}`),
    token('notion', whole`nt|n_${digits(11)}${alnum(35)}`),
    token('figma', whole`fi|gd_${alnum(40)}`),
    token('postman', whole`PM|AK-${hex(24)}-${hex(34)}`),
    token('doppler', whole`dp.|pt.${alnum(43)}`),
    token('vault', whole`hv|s.${alnum(90)}`),
    token('vault old', whole`hv|b.${alnum(120)}`),
    token('1password', whole`ops|_ey|J${alnum(400)}`),
    token('1password secret key', whole`A|3-${[6, 11, 5, 5, 5].map(capitals).join('-')}`),
    token('age', whole`AGE-|SECRET-KEY-1${capitals(58)}`),
    token('telegram', whole`${digits(10)}:A|A${alnum(33)}`),
    token('discord', whole`MTAw${alnum(22)}.${alnum(6)}.${alnum(38)}`),
    token('mailgun', whole`ke|y-${hex(32)}`),
    token('mapbox', whole`s|k.ey|J${alnum(60)}.${alnum(22)}`),
    token('facebook', whole`EA|A${alnum(180)}`),
    token('key_', whole`ke|y_${alnum(24)}`),
    token('shopify', whole`shp|at_${hex(32)}`),
    token('docker hub', whole`dc|kr_pat_${alnum(27)}`),
    token('grafana', whole`gl|sa_${alnum(32)}_${hex(8)}`),
    token('new relic', whole`NR|AK-${capitals(27)}`),
    token('atlassian', whole`ATA|TT3${alnum(180)}=${capitals(8)}`),
    token('airtable', whole`pa|t${alnum(14)}.${hex(64)}`),
    token('tailscale', whole`ts|key-auth-${alnum(12)}-${alnum(32)}`),
    token('pinecone', whole`pc|sk_${alnum(6)}_${alnum(63)}`),
    token('netlify', whole`nf|p_${alnum(36)}`),
    token('fly', whole`fm|2_${alnum(120)}==`),
    token('terraform', whole`${alnum(14)}.atlas|v1.${alnum(67)}`),
    token('resend', whole`r|e_${alnum(8)}_${alnum(24)}`),
    token('square', whole`sq0|csp-${alnum(43)}`),
    token('honeycomb', whole`hc|aik_01${lower(56)}`),
    token('new relic licence', whole`${hex(36)}NR|AL`),
    token('gitlab runner', whole`gl|rt-${alnum(20)}`),
    token('brevo', whole`xkey|sib-${hex(64)}-${alnum(16)}`),
    token('mailchimp', whole`${hex(32)}-u|s14`),
    token('azure client secret', whole`${alnum(3)}8|Q~${alnum(34)}`),
    token('bitbucket', whole`AT|BB${alnum(24)}${capitals(8)}`),
    token('pulumi', whole`pu|l-${hex(40)}`),
    token('planetscale', whole`pscale|_pw_${alnum(43)}`),
    token('neon', whole`na|pi_${lower(64)}`),
    token('heroku', whole`HR|KU-AA${alnum(58)}`),
    token('dropbox', whole`s|l.${alnum(135)}`),
    token('langsmith', whole`ls|v2_pt_${hex(32)}_${hex(10)}`),
    token('posthog', whole`ph|x_${alnum(43)}`),
    token('artifactory', whole`AK|Cp${alnum(69)}`),
    token('sourcegraph', whole`sg|p_${hex(16)}_${hex(40)}`),
    token('circleci', whole`CCI|PAT_${alnum(22)}_${hex(40)}`),
    token('buildkite', whole`bk|ua_${hex(40)}`),
    token('contentful', whole`CF|PAT-${alnum(43)}`),
    token('flutterwave', whole`FLW|SECK-${hex(32)}-X`),
    token('paddle', whole`pdl|_live_apikey_${lower(26)}_${alnum(22)}_${alnum(3)}`),
    token('jwt', `${header({ alg: 'HS256', typ: 'JWT' })}.${claims}.${alnum(43)}`),
    token('jwt rs256', `${header({ alg: 'RS256', kid: alnum(16), typ: 'JWT' })}.${claims}.${alnum(342)}`),
    token('jws of anything', `${header({ alg: 'HS256' })}.${url(`raw ${alnum(40)}`)}.${alnum(43)}`),
    token(
      'jwe',
      `${header({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.${alnum(342)}.${alnum(16)}.${alnum(120)}.${alnum(22)}`,
    ),
    token('jwe direct', `${header({ alg: 'dir', enc: 'A128CBC-HS256' })}..${alnum(22)}.${alnum(86)}.${alnum(22)}`),
    address('postgres', 'postgres://app:', password().replace('#', '!'), '@db.internal:5432/shop'),
    address('mongodb', 'mongodb+srv://svc:', alnum(16), '@cluster0.abcde.mongodb.net/app'),
    address('mysql', 'mysql://root:', password().replace('#', '^'), '@10.0.0.5:3306/x'),
    address('redis', 'redis://:', alnum(24), '@cache:6379/0'),
    address('amqp', 'amqps://queue:', alnum(20), '@mq.internal/vhost'),
    address('slack webhook', whole`https://hooks.|slack.com/services/T${capitals(8)}/B${capitals(8)}/`, alnum(24)),
    address('discord webhook', `https://discord.com/api/webhooks/${digits(18)}/`, alnum(68)),
    address('git remote', 'https://oauth2:', alnum(26), '@gitlab.internal/a/b.git'),
    address('sentry dsn', 'https://', hex(32), '@o4504.ingest.sentry.io/450'),
    { kind: 'password', form: 'password', text: password() },
    { kind: 'generated password', form: 'password', text: `${alnum(6)}!${alnum(5)}@${alnum(4)}` },
    { kind: 'words and a number', form: 'password', text: `${run('bcdfghklmn', 3)}Summer${digits(4)}!` },
    { kind: 'hex key', form: 'opaque', text: hex(32) },
    { kind: 'random key', form: 'opaque', text: alnum(32) },
    { kind: 'aws secret key', form: 'opaque', text: `${alnum(18)}/${alnum(20)}+` },
    { kind: 'uuid key', form: 'opaque', text: uuid() },
    block('private key', pem('PRIVATE KEY')),
    block('rsa key', pem('RSA PRIVATE KEY')),
    block('ec key', [
      whole`-----BE|GIN EC PRIVATE KEY-----`,
      ...body(2, 64),
      `${alnum(34)}==`,
      whole`-----E|ND EC PRIVATE KEY-----`,
    ]),
    block('ssh key', pem('OPENSSH PRIVATE KEY', 70)),
    block('pgp key', pem('PGP PRIVATE KEY BLOCK')),
    block('putty key', ['PuTTY-User-Key-File-3: ssh-rsa', whole`Private-|Lines: 4`, ...body(4, 64)]),
    block('minisign key', ['untrusted comment: minisign encrypted secret key', whole`RWRT|Y0Iy${alnum(204)}`]),
  ]
}

/** Stretches that must not be left of a secret: enough of it to be of use. */
export function tracesOf(secret: string): string[] {
  const lines = secret.split('\n').filter((line) => !/^-----|^PuTTY|^Private|^untrusted/.test(line))
  return lines.flatMap((line) => {
    if (line.length < 24) return line.length < 6 ? [] : [line, line.slice(2), line.slice(0, -2)]
    const windows: string[] = []
    for (let at = 12; at + 12 <= line.length; at += 6) windows.push(line.slice(at, at + 12))
    return windows
  })
}
