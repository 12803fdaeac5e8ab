import { ALNUM, B64, chars, DIGITS, HEX, LOWER, pick, UPPER, URLSAFE, uuid, b64url, type Random } from './random.ts'

/** A secret with the name that people give it. `bare`: known by its shape alone. */
export interface Value {
  readonly kind: string
  readonly name: string
  readonly bare: boolean
  /** What must be gone: value without what anybody knows of it. */
  readonly make: (r: Random) => string
}
const bare = (kind: string, name: string, make: (r: Random) => string): Value => ({ kind, name, bare: true, make })
const named = (kind: string, name: string, make: (r: Random) => string): Value => ({ kind, name, bare: false, make })
const hex = (n: number) => (r: Random) => chars(r, HEX, n)
const alnum = (n: number) => (r: Random) => chars(r, ALNUM, n)
const after = (prefix: string, alphabet: string, n: number) => (r: Random) => prefix + chars(r, alphabet, n)

export const VALUES: readonly Value[] = [
  // known by shape; newer ones
  bare('anthropic api', 'ANTHROPIC_API_KEY', (r) => `sk-ant-api03-${chars(r, URLSAFE, 93)}AA`),
  bare('anthropic oauth', 'CLAUDE_CODE_OAUTH_TOKEN', (r) => `sk-ant-oat01-${chars(r, URLSAFE, 93)}AA`),
  bare('openai project', 'OPENAI_API_KEY', (r) => `sk-proj-${chars(r, URLSAFE, 74)}T3BlbkFJ${chars(r, URLSAFE, 74)}`),
  bare('openai service', 'OPENAI_KEY', (r) => `sk-svcacct-${chars(r, URLSAFE, 58)}T3BlbkFJ${chars(r, URLSAFE, 58)}`),
  bare('xai', 'XAI_API_KEY', after('xai-', ALNUM, 80)),
  bare('groq', 'GROQ_API_KEY', after('gsk_', ALNUM, 52)),
  bare('openrouter', 'OPENROUTER_API_KEY', after('sk-or-v1-', HEX, 64)),
  bare('perplexity', 'PPLX_API_KEY', after('pplx-', ALNUM, 48)),
  bare('google auth key', 'GEMINI_API_KEY', after('AQ.Ab8RN6', URLSAFE, 44)),
  bare('bedrock api key', 'AWS_BEARER_TOKEN_BEDROCK', (r) => `ABSKQmVkcm9ja0FQSUtleS${chars(r, B64, 108)}==`),
  bare('nvidia', 'NVIDIA_API_KEY', after('nvapi-', URLSAFE, 64)),
  bare('cerebras', 'CEREBRAS_API_KEY', after('csk-', LOWER + DIGITS, 48)),
  bare('tavily', 'TAVILY_API_KEY', after('tvly-prod-', ALNUM, 32)),
  bare('langsmith', 'LANGSMITH_API_KEY', (r) => `lsv2_pt_${chars(r, HEX, 32)}_${chars(r, HEX, 10)}`),
  bare('langfuse', 'LANGFUSE_SECRET_KEY', (r) => `sk-lf-${uuid(r)}`),
  bare('pinecone', 'PINECONE_API_KEY', (r) => `pcsk_${chars(r, ALNUM, 6)}_${chars(r, ALNUM, 63)}`),
  bare('e2b', 'E2B_API_KEY', after('e2b_', HEX, 40)),
  bare('vercel gateway', 'AI_GATEWAY_API_KEY', after('vck_', ALNUM, 56)),
  bare('cursor', 'CURSOR_API_KEY', after('crsr_', HEX, 64)),
  bare('huggingface', 'HF_TOKEN', after('hf_', ALNUM, 34)),
  bare('replicate', 'REPLICATE_API_TOKEN', after('r8_', ALNUM, 37)),
  bare('llama cloud', 'LLAMA_CLOUD_API_KEY', after('llx-', ALNUM, 48)),
  bare('firecrawl', 'FIRECRAWL_API_KEY', after('fc-', HEX, 32)),
  bare('apify', 'APIFY_TOKEN', after('apify_api_', ALNUM, 36)),
  bare('supabase secret', 'SUPABASE_SECRET_KEY', (r) => `sb_secret_${chars(r, URLSAFE, 22)}_${chars(r, ALNUM, 8)}`),
  bare('neon', 'NEON_API_KEY', after('napi_', LOWER + DIGITS, 64)),
  bare('resend', 'RESEND_API_KEY', (r) => `re_${chars(r, ALNUM, 8)}_${chars(r, ALNUM, 24)}`),
  bare('github fine', 'GH_PAT', (r) => `github_pat_${chars(r, ALNUM, 22)}_${chars(r, ALNUM, 59)}`),
  bare('github server', 'GITHUB_TOKEN', after('ghs_', ALNUM, 36)),
  bare(
    'gitlab routable',
    'GITLAB_TOKEN',
    (r) => `glpat-${chars(r, URLSAFE, 27)}.${chars(r, LOWER + DIGITS, 2)}.${chars(r, LOWER + DIGITS, 9)}`,
  ),
  bare('npm', 'NPM_TOKEN', after('npm_', ALNUM, 36)),
  bare('docker org', 'DOCKER_TOKEN', after('dckr_oat_', URLSAFE, 32)),
  bare('stripe restricted', 'STRIPE_KEY', after('rk_live_', ALNUM, 99)),
  bare('stripe webhook', 'STRIPE_WEBHOOK_SECRET', after('whsec_', ALNUM, 32)),
  bare(
    'slack bot',
    'SLACK_BOT_TOKEN',
    (r) => `xoxb-${chars(r, DIGITS, 12)}-${chars(r, DIGITS, 13)}-${chars(r, ALNUM, 24)}`,
  ),
  bare(
    'slack app',
    'SLACK_APP_TOKEN',
    (r) => `xapp-1-A${chars(r, UPPER + DIGITS, 10)}-${chars(r, DIGITS, 13)}-${chars(r, HEX, 64)}`,
  ),
  bare('fly', 'FLY_API_TOKEN', after('fm2_lJPECAAAAAAA', B64, 150)),
  bare('linear', 'LINEAR_API_KEY', after('lin_api_', ALNUM, 40)),
  bare('notion', 'NOTION_TOKEN', after('ntn_', ALNUM, 46)),
  bare('atlassian', 'JIRA_API_TOKEN', (r) => `ATATT3xFfGF0${chars(r, URLSAFE, 170)}=${chars(r, UPPER + DIGITS, 8)}`),
  bare('grafana', 'GRAFANA_TOKEN', (r) => `glsa_${chars(r, ALNUM, 32)}_${chars(r, HEX, 8)}`),
  bare(
    'sentry org',
    'SENTRY_AUTH_TOKEN',
    (r) => `sntrys_${b64url(`{"iat":17${chars(r, DIGITS, 8)},"url":"https://sentry.io"}`)}_${chars(r, B64, 43)}`,
  ),
  bare('vault', 'VAULT_TOKEN', after('hvs.CAESI', URLSAFE, 86)),
  bare('tailscale', 'TS_AUTHKEY', (r) => `tskey-auth-k${chars(r, ALNUM, 11)}CNTRL-${chars(r, ALNUM, 32)}`),
  bare(
    'onepassword',
    'OP_SERVICE_ACCOUNT_TOKEN',
    (r) =>
      `ops_${b64url(JSON.stringify({ email: `${chars(r, LOWER, 12)}@1passwordserviceaccounts.com`, srpX: chars(r, HEX, 64) }))}`,
  ),
  bare('azure entra', 'AZURE_CLIENT_SECRET', (r) => `${chars(r, ALNUM, 3)}8Q~${chars(r, URLSAFE, 34)}`),
  bare(
    'azure openai',
    'AZURE_OPENAI_API_KEY',
    (r) =>
      `${chars(r, ALNUM, 52)}JQQJ99B${pick(r, ['C', 'D', 'E', 'F'])}AC${chars(r, ALNUM, 10)}AAABACOG${chars(r, ALNUM, 4)}`,
  ),
  bare('aws key id', 'AWS_ACCESS_KEY_ID', after('AKIA', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)),
  bare('databricks', 'DATABRICKS_TOKEN', after('dapi', HEX, 32)),
  bare('digitalocean', 'DO_TOKEN', after('dop_v1_', HEX, 64)),
  bare('telegram', 'TG_BOT_TOKEN', (r) => `${chars(r, '123456789', 10)}:AA${chars(r, URLSAFE, 33)}`),
  bare('posthog personal', 'POSTHOG_KEY', after('phx_', ALNUM, 43)),
  bare(
    'jwt',
    'SESSION_JWT',
    (r) =>
      `${b64url('{"alg":"RS256","typ":"JWT","kid":"7"}')}.${b64url(`{"sub":"${uuid(r)}","iat":17${chars(r, DIGITS, 8)}}`)}.${chars(r, URLSAFE, 342)}`,
  ),
  bare('age', 'SOPS_AGE_KEY', after('AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
  bare('polar', 'POLAR_ACCESS_TOKEN', after('polar_oat_', ALNUM, 43)),
  bare('hubspot', 'HUBSPOT_TOKEN', (r) => `pat-na1-${uuid(r)}`),
  // known by name
  named('password, machine', 'DB_PASSWORD', (r) => chars(r, ALNUM + '!#%*+-', 18)),
  named(
    'password, human',
    'ADMIN_PASSWORD',
    (r) =>
      `${pick(r, ['Sommer', 'Autumn', 'Lakers', 'Dragon', 'Monday'])}${chars(r, DIGITS, 4)}${pick(r, ['!', '?', '#'])}`,
  ),
  named(
    'passphrase',
    'BACKUP_PASSPHRASE',
    (r) =>
      [0, 1, 2, 3]
        .map(() => pick(r, ['orbit', 'velvet', 'cactus', 'marble', 'tundra', 'pepper', 'lagoon', 'walnut']))
        .join('-') + chars(r, DIGITS, 2),
  ),
  named('jwt secret', 'JWT_SECRET', hex(64)),
  named('aws secret', 'AWS_SECRET_ACCESS_KEY', (r) => chars(r, B64, 40)),
  named('aws session', 'AWS_SESSION_TOKEN', (r) => `IQoJb3JpZ2luX2VjE${chars(r, B64, 260)}==`),
  named('mistral', 'MISTRAL_API_KEY', alnum(32)),
  named('cohere', 'COHERE_API_KEY', alnum(40)),
  named('datadog', 'DD_API_KEY', hex(32)),
  named('twilio', 'TWILIO_AUTH_TOKEN', hex(32)),
  named('cloudflare', 'CLOUDFLARE_API_TOKEN', (r) => chars(r, URLSAFE.replace('-', ''), 40)),
  named('vercel', 'VERCEL_TOKEN', alnum(24)),
  named('cookie secret', 'SESSION_SECRET', (r) => chars(r, B64, 43) + '='),
  named('oauth client', 'OAUTH_CLIENT_SECRET', (r) => chars(r, URLSAFE, 32)),
  named('encryption key', 'ENCRYPTION_KEY', (r) => chars(r, B64, 43) + '='),
  named('algolia admin', 'ALGOLIA_ADMIN_API_KEY', hex(32)),
  named('railway', 'RAILWAY_TOKEN', uuid),
  named('pgpassword', 'PGPASSWORD', (r) => chars(r, ALNUM, 14)),
  named('signing', 'WEBHOOK_SIGNING_SECRET', (r) => chars(r, URLSAFE, 44)),
  named('refresh', 'REFRESH_TOKEN', (r) => `1//0${chars(r, URLSAFE, 98)}`),
]
