import { anyCase, rule, unquoted, type Rule } from './redact-rule.ts'
import { isSlug, looksLikePassword, looksRandom, looksStrong } from './redact-values.ts'

const PASSWORD = `(${unquoted()}{6,256})`
const OPEN = '\\\\{0,6}["\'`]?'
/** What stands between a command and the option that matters. */
const ARGUMENTS = '[^\\n|;&]{0,128}?'

type Judge = (value: string) => boolean

/** The last group of the pattern is the value. */
function judged(rule: Rule, judge: Judge): Rule {
  return { ...rule, judge: (match) => judge(match[2] ?? '') }
}

/** Passwords and tokens on command lines: where to look, what stands before the secret. */
export function commandRules(): Rule[] {
  const passwords = PASSWORD_COMMANDS.map(([starts, head]) =>
    judged(rule('login-password', starts.split('|'), `(${head}${OPEN})${PASSWORD}`), looksLikePassword),
  )
  const tokens = TOKEN_COMMANDS.map(([starts, head]) =>
    judged(
      rule('login-token', starts.split('|'), `(${head}${OPEN})${PASSWORD}`),
      (value) => looksRandom(value) || looksStrong(value),
    ),
  )
  return [...passwords, ...tokens, piped(), put(), ...calls(), ...statements(), ...dialogues()]
}

const PASSWORD_COMMANDS: readonly (readonly [starts: string, head: string])[] = [
  ['sshpass -p', 'sshpass -p\\s{0,4}'],
  ['mysql|mariadb', `(?:mysql|mariadb)(?:dump|admin|-dump|-admin)?\\s${ARGUMENTS}\\s-p`],
  ['redis-cli', `redis-cli\\s${ARGUMENTS}(?:-a|--pass)\\s{1,3}`],
  ['mongo', `mongo(?:sh|dump|restore|export|import)?\\s${ARGUMENTS}\\s-p\\s{1,3}`],
  [' login ', `(?<=docker|podman|az|registry|oras|crane|skopeo|buildah|nerdctl|oc) login\\s${ARGUMENTS}-p\\s{1,3}`],
  ['twine upload', `twine upload\\s${ARGUMENTS}-p\\s{1,3}`],
  [' pass:', ' pass:'],
  ['openssl enc', `openssl enc\\s${ARGUMENTS}\\s-k\\s{1,3}`],
  ['storepass |keypass ', '(?:store|key)pass\\s{1,3}'],
  ['7z a |7z x |7za ', `7za?\\s${ARGUMENTS}\\s-p`],
  ['zip -P', 'zip -P\\s{1,3}'],
  ['ssh-keygen', `ssh-keygen\\s${ARGUMENTS}-[NP]\\s{1,3}`],
  ['ldap', `ldap(?:search|add|modify|delete|passwd|whoami)\\s${ARGUMENTS}-w\\s{1,3}`],
  ['sqlcmd', `sqlcmd\\s${ARGUMENTS}-P\\s{0,3}`],
  ['sqlplus', 'sqlplus\\s(?:-[a-zA-Z]\\s){0,3}[^\\s/@"\']{1,64}/'],
  ['jdbc:oracle:thin:', 'jdbc:oracle:thin:[^\\s/@"\']{1,64}/'],
  ['smbclient|rpcclient', `(?:smb|rpc)client\\s${ARGUMENTS}-U\\s{0,3}["']?[^\\s%"']{1,64}%`],
  [' /p:| /pass:', ' /p(?:ass)?:'],
  [' /user:', ' /user:[^\\s]{1,64}\\s{1,3}'],
  ['rabbitmqctl', 'rabbitmqctl (?:add_user|change_password) [^\\s]{1,64}\\s{1,3}'],
  [
    'htpasswd -',
    'htpasswd -[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\\s(?:-\\w\\s{1,3}){0,3}(?:[^\\s-][^\\s]{0,128}\\s)?[^\\s]{1,64}\\s{1,3}',
  ],
  ['mc alias set', 'mc alias set [^\\s]{1,64} [^\\s]{1,256} [^\\s]{1,64}\\s{1,3}'],
  ['requirepass', 'requirepass\\s{1,3}'],
  ['SecureString', '(?<=ConvertTo-)SecureString\\s{1,3}(?:-String\\s{1,3})?'],
  ['::add-mask::', '::add-mask::'],
  ['wpa_passphrase ', 'wpa_passphrase\\s(?:["\'][^"\'\\n]{1,64}["\']|[^\\s"\']{1,64})\\s{1,3}'],
  ['crypt(', '(?<![a-z])crypt\\(\\s{0,4}(?=[\'"])'],
  ['--proxy-user', '--proxy-user[ =]["\'`]?[^\\s:"\'`/]{1,128}:'],
  ['http -a |https -a |--auth', '(?:https? -a |--auth[ =])["\'`]?[^\\s:"\'`/]{1,128}:'],
  ['*:*:', '(?<=^|[\\s"\'`])\\*:\\*:[^\\s:]{1,64}:[^\\s:]{1,64}:'],
]

const TOKEN_COMMANDS: readonly (readonly [starts: string, head: string])[] = [
  [
    ' login ',
    '(?<=cargo|wandb|vault|railway|hf|huggingface-cli|doppler|infisical) login\\s{1,3}(?:--[a-z-]{1,24}[ =])?',
  ],
  ['snyk auth ', 'snyk auth\\s{1,3}'],
  ['codecov', `codecov\\s${ARGUMENTS}-t\\s{1,3}`],
  ['oathto', `oathtool\\s${ARGUMENTS}-b\\s{1,3}`],
  ['Appending key', 'Appending key(?: for [^\\s]{1,64} to your netrc file)?: '],
  ['AUTH ', 'AUTH (?:(?:PLAIN|LOGIN) )?'],
]

/** `echo … | sudo -S`: the password comes before what tells that it is one. */
function piped(): Rule {
  const readers = [
    'sudo\\s{1,3}-S',
    '(?:sudo\\s{1,3})?chpasswd',
    'passwd --stdin',
    'cryptsetup ',
    '[^\\n|]{0,120}?(?:--password-stdin|--with-token|--passphrase-fd|(?:secrets?|env) (?:put|set|create|add)|versions add)',
  ]
  const said =
    '(?:echo|(?<=pri)ntf)(?:\\s-[a-zA-Z]{1,2}|\\s["\']%s(?:\\\\n)?["\']){0,2}\\s{1,3}\\\\{0,6}["\']?(?:[\\w.-]{1,64}:)?'
  const source = `(${said})([^\\s"'\`|\\\\\\x1b]{6,256})(?=\\\\{0,6}["']?\\s{0,3}\\|\\s{0,3}(?:${readers.join('|')}))`
  return {
    ...judged(rule('login-password', ['echo ', 'ntf '], source), looksLikePassword),
    gate: (text, at) => text.slice(at + 6, at + 400).includes('|'),
  }
}

/** What is put into a store of secrets. */
function put(): Rule {
  const option = '(?:--body|--value|--data|-b)[ =]?|<<<\\s{0,2}'
  const head = `(?:secrets? (?:put|set|create|add)|put-parameter)\\s${ARGUMENTS}(?:${option})`
  const starts = ['secret p', 'secret s', 'secret c', 'secret a', 'secrets ', 'put-parameter']
  const source = `(${head}${OPEN})([^\\s"'\`\\\\\\x1b{]{6,2048})`
  return judged(rule('stored-secret', starts, source), (value) => looksRandom(value) || looksLikePassword(value))
}

/** A user and a password as arguments: `auth=("admin", "…")`. */
function calls(): Rule[] {
  const argument = '(?:\\\\{0,6}["\'][^"\'\\n]{0,64}["\']|[$\\w.]{1,40})'
  const names = 'auth=|asic_?[aA]uth|login|mysqli(?:_connect)?|PDO|orkCredential|ordAuthentication|getConnection'
  const ofJava = ['orkCredential(', 'ordAuthentication(', 'getConnection(']
  const starts = ['auth=(', 'asicAuth(', 'asic_auth(', 'login(', 'mysqli_connect(', 'mysqli(', 'PDO(', ...ofJava]
  const source = `((?:${names})\\(\\s{0,4}(?:${argument}\\s{0,4},\\s{0,4}){1,2}\\\\{0,6}["'])([^\\s"'\`\\\\]{6,256})(?=\\\\{0,6}["']\\s{0,4}[,.)])`
  const client = '((?:Client|\\.login|\\.auth)\\((?:[\\w.]{1,40},\\s{0,4})?["\'])([A-Za-z0-9_.-]{24,256})(?=["\']\\))'
  const option = '( auth: ["\'])([A-Za-z0-9_.-]{24,256})(?=["\'])'
  return [
    judged(rule('login-password', starts, source), looksLikePassword),
    judged(rule('login-token', ['Client(', '.login(', '.auth('], client), looksRandom),
    judged(rule('login-token', [' auth: "', " auth: '"], option), looksRandom),
  ]
}

/** What is sent to another program as the answer to its question, or as part of a form. */
function dialogues(): Rule[] {
  const field = '[^"\\n]{0,40}(?:pass|pwd|secret|token|api_?key)[^"\\n]{0,24}'
  const part = `(form-data; name="${field}"(?:\\s|\\\\r\\\\n){1,4})${PASSWORD}`
  return [
    judged(rule('login-password', [' LOGIN '], `( LOGIN ["']?[^\\s"']{1,128}["']? ["']?)${PASSWORD}`), looksStrong),
    judged(rule('login-password', ['send "'], `(send ")${PASSWORD}(?=\\\\{1,2}[rn]")`), looksStrong),
    judged(
      anyCase('form-secret', ['form-data; name="'], part),
      (value) => looksLikePassword(value) || looksRandom(value),
    ),
  ]
}

const REACH_BACK = 200

/** SQL, and addresses of databases that begin with the user. */
function statements(): Rule[] {
  const by =
    '(IDENTIFIED\\s{1,4}(?:WITH\\s{1,4}["\']?\\w{1,40}["\']?\\s{1,4})?(?:BY|AS)\\s{1,4}(?:PASSWORD\\s{1,4})?["\'])'
  const login = '((?:login|credentials?|creds)\\s{0,2}[:=]\\s{0,3}["\'`]?[\\w.@-]{1,64}\\s{0,2}[:/]\\s{0,2})'
  const braces = '((?:PWD|Pwd|Password)=\\{)([^\\s{}"\'`\\\\]{6,128})(?=\\})'
  const fours = '[a-z]{4}(?: [a-z]{4}){3}'
  const salt = (quote: string): string => `${quote}(?!\\[REDACTED)[^${quote}\\n]{32,160}${quote}`
  const salts = `((?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\\s{0,16})(?:${salt("'")}|${salt('"')})(?=\\s{0,4}\\))`
  return [
    {
      ...judged(rule('login-password', [' /user:'], `()${PASSWORD}(?= /user:)`), looksLikePassword),
      seek: (text, at) =>
        /net use [^\n]{1,200}$/i.test(text.slice(Math.max(0, at - REACH_BACK), at)) ? wordBefore(text, at) : -1,
    },
    judged(rule('login-password', ['PWD={', 'Pwd={', 'Password={'], braces), looksLikePassword),
    judged(rule('login-password', ['IDENTIFIED '], `${by}([^\\s"'\`\\\\]{6,256})(?=["'])`), looksLikePassword),
    judged(
      anyCase('login-password', ['login:', 'login :', 'credential', 'creds:'], `${login}([^\\s"'\`\\\\\\x1b]{6,128})`),
      (value) =>
        looksStrong(value) || looksRandom(value) || (looksLikePassword(value) && /\d/.test(value) && !isSlug(value)),
    ),
    rule('wordpress-salt', ['AUTH_KEY', 'AUTH_SALT', 'LOGGED_IN_', 'NONCE_KEY', 'NONCE_SALT'], salts),
    {
      ...anyCase('app-password', ['Password'], `(password["']?\\s{0,4}[:=]\\s{0,4}["']?)${fours}(?![a-z ])`),
      gate: (text, at) => /^["']?\s{0,4}[:=]/.test(text.slice(at + 8, at + 16)),
    },
    {
      ...judged(
        rule(
          'url-password',
          ['@tcp(', '@unix('],
          '([^\\s:@/"\'`\\\\[\\]]{1,64}:)([^\\s"\'`\\\\[\\]]{1,128})(?=@(?:tcp|unix)\\()',
        ),
        (value) => looksLikePassword(value) || value.length >= 8,
      ),
      seek: beforeHost,
    },
  ]
}

const WORD_STOP = new Set(' \t\n\r"\'`\\/=[]()@')

/** Where the word before an `@` begins. */
function beforeHost(text: string, at: number): number {
  let from = at
  while (from > 0 && at - from < REACH_BACK && !WORD_STOP.has(text[from - 1] ?? '')) from--
  return from
}

function wordBefore(text: string, at: number): number {
  return Math.max(0, text.lastIndexOf(' ', at - 1) + 1, at - REACH_BACK)
}
