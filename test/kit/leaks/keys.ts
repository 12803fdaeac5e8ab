import { lines, one, pem, password, safe, human, D5, type BlockKind } from './block.ts'
import { ALNUM, B64, b64, chars, HEX, URLSAFE } from './random.ts'

/** Keys, and addresses with a password in them. */
export const KEYS: readonly BlockKind[] = [
  { kind: 'rsa key', make: pem('RSA PRIVATE KEY') },
  {
    kind: 'encrypted rsa key',
    make: pem('RSA PRIVATE KEY', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,6E7A', '']),
  },
  { kind: 'openssh key', make: pem('OPENSSH PRIVATE KEY') },
  { kind: 'pgp key', make: pem('PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', '']) },
  {
    kind: 'pem, middle',
    make: (r) => {
      const body = lines(r, 6)
      return { text: body.join('\n'), secrets: body }
    },
  },
  {
    kind: 'pem, tail',
    make: (r) => {
      const body = [...lines(r, 4), `${chars(r, B64, 30)}==`]
      return { text: [...body, `${D5}END PRIVATE KEY${D5}`].join('\n'), secrets: body }
    },
  },
  {
    kind: 'pem, one line with \\n',
    make: (r) => {
      const body = lines(r, 8)
      return {
        text: `FIREBASE_PRIVATE_KEY="${D5}BEGIN PRIVATE KEY${D5}\\n${body.join('\\n')}\\n${D5}END PRIVATE KEY${D5}\\n"`,
        secrets: body,
      }
    },
  },
  {
    kind: 'service account',
    make: (r) => {
      const body = lines(r, 8)
      return {
        text: JSON.stringify(
          {
            type: 'service_account',
            project_id: 'acme-prod',
            private_key_id: chars(r, HEX, 40),
            private_key: `${D5}BEGIN PRIVATE KEY${D5}\n${body.join('\n')}\n${D5}END PRIVATE KEY${D5}\n`,
            client_email: 'ci@acme-prod.iam.gserviceaccount.com',
          },
          null,
          2,
        ),
        secrets: body,
      }
    },
  },
  {
    kind: 'age key file',
    make: (r) => {
      const s = `AGE-SECRET-KEY-1${chars(r, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`
      return {
        text: `# created: 2026-11-02T10:00:00Z\n# public key: age1${chars(r, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}\n${s}`,
        secrets: [s],
      }
    },
  },
  {
    kind: 'wireguard',
    make: (r) => {
      const [a, b] = [`${chars(r, B64, 43)}=`, `${chars(r, B64, 43)}=`]
      return {
        text: `[Interface]\nPrivateKey = ${a}\nAddress = 10.0.0.2/32\n[Peer]\nPresharedKey = ${b}\nAllowedIPs = 0.0.0.0/0`,
        secrets: [a, b],
      }
    },
  },
  one('postgres url', (s) => `DATABASE_URL=postgresql://app_rw:${s}@db-1.internal:5432/app?sslmode=require`, safe),
  one('mongodb+srv url', (s) => `mongodb+srv://svc:${s}@cluster0.ab1cd.mongodb.net/prod?retryWrites=true`, safe),
  one('redis url, no user', (s) => `rediss://:${s}@cache.internal:6380/0`, safe),
  one(
    'url, encoded password',
    (s) => `amqps://worker:${encodeURIComponent(s)}@mq.internal/vhost`,
    (r) => `${safe(r)}%21`,
  ),
  one('git remote', (s) => `origin\thttps://x-access-token:${s}@git.acme.dev/acme/web.git (fetch)`, safe),
  one('sqlalchemy', (s) => `engine = create_engine("mysql+pymysql://root:${s}@10.1.2.3/shop")`, safe),
  one('jdbc params', (s) => `jdbc:postgresql://db1:5432/app?user=app&password=${s}&ssl=true`, safe),
  one('jdbc oracle', (s) => `jdbc:oracle:thin:scott/${s}@//db1.internal:1521/XEPDB1`, safe),
  one(
    'ado.net',
    (s) => `Server=tcp:db1.database.windows.net,1433;Initial Catalog=app;User ID=app;Password=${s};Encrypt=True;`,
    password,
  ),
  one('ado.net, pwd', (s) => `Data Source=10.0.0.4;Uid=sa;Pwd=${s};TrustServerCertificate=true`, human),
  one('odbc braces', (s) => `Driver={ODBC Driver 18 for SQL Server};Server=db1;UID=app;PWD={${s}}`, password),
  one('libpq words', (s) => `psql "host=db1 port=5432 dbname=app user=app password=${s} sslmode=require"`, safe),
  one(
    'azure storage',
    (s) => `DefaultEndpointsProtocol=https;AccountName=acmeprod;AccountKey=${s};EndpointSuffix=core.windows.net`,
    (r) => `${chars(r, B64, 86)}==`,
  ),
  one(
    'service bus',
    (s) => `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=RootManage;SharedAccessKey=${s}`,
    (r) => `${chars(r, B64, 43)}=`,
  ),
  one(
    'sas url',
    (s) =>
      `https://acmeprod.blob.core.windows.net/in/a.csv?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sr=b&sp=r&sig=${s}`,
    (r) => `${chars(r, ALNUM, 42)}%3D`,
  ),
  one(
    'presigned s3',
    (s) =>
      `https://acme.s3.amazonaws.com/a.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261101T000000Z&X-Amz-Expires=900&X-Amz-Signature=${s}`,
    (r) => chars(r, HEX, 64),
  ),
  one(
    'basic header',
    (s) => `Authorization: Basic ${s}`,
    (r) => b64(`deploy:${safe(r)}`),
  ),
  one(
    'digest of user:password',
    (s) => `proxy_auth: ${s}`,
    (r) => b64(`proxyuser:${safe(r)}`),
  ),
  one(
    'cookie',
    (s) => `Cookie: theme=dark; connect.sid=s%3A${s}; lang=de`,
    (r) => `${chars(r, URLSAFE, 32)}.${chars(r, ALNUM, 43)}`,
  ),
  one(
    'set-cookie',
    (s) => `Set-Cookie: __Host-session=${s}; Path=/; HttpOnly; Secure; SameSite=Lax`,
    (r) => chars(r, URLSAFE, 64),
  ),
]
