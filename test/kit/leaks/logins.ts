import { lines, one, password, safe, human, D5, WORDS, type BlockKind } from './block.ts'
import { ALNUM, B64, b64, b64url, chars, DIGITS, HEX, LOWER, pick, UPPER, URLSAFE, uuid } from './random.ts'

/** Passwords on command lines, in files of settings and in sentences. */
export const LOGINS: readonly BlockKind[] = [
  one('curl -u', (s) => `curl -fsS -u admin:${s} https://nexus.acme.dev/repository/raw/a.tgz`, safe),
  one('curl --user', (s) => `curl --user 'svc-ci:${s}' -X POST https://ci.acme.dev/job/deploy/build`, password),
  one('wget', (s) => `wget --user=ann --password='${s}' https://files.acme.dev/a.zip`, password),
  one('mysql -p', (s) => `mysqldump -h db1 -u root -p${s} --all-databases > all.sql`, safe),
  one('sshpass', (s) => `sshpass -p '${s}' ssh root@10.2.3.4 uptime`, password),
  one('docker login', (s) => `docker login registry.acme.dev -u ci -p ${s}`, safe),
  one('docker login stdin', (s) => `echo '${s}' | docker login -u ci --password-stdin ghcr.io`, password),
  one('openssl pass', (s) => `openssl enc -aes-256-cbc -pbkdf2 -pass pass:${s} -in a.tar -out a.enc`, safe),
  one('openssl passin', (s) => `openssl pkcs12 -in cert.p12 -nodes -passin 'pass:${s}'`, password),
  one('keytool', (s) => `keytool -list -keystore app.jks -storepass ${s}`, safe),
  one('ldapsearch -w', (s) => `ldapsearch -x -D cn=admin,dc=acme,dc=dev -w '${s}' -b dc=acme,dc=dev`, password),
  one('net use', (s) => `net use Z: \\\\files\\share ${s} /user:ACME\\ann`, password),
  one('smbclient', (s) => `smbclient //files/share -U 'ann%${s}' -c ls`, safe),
  one('chpasswd', (s) => `echo "deploy:${s}" | chpasswd`, password),
  one('create user', (s) => `CREATE USER app WITH LOGIN PASSWORD '${s}';`, password),
  one('alter user mysql', (s) => `ALTER USER 'root'@'%' IDENTIFIED WITH caching_sha2_password BY '${s}';`, password),
  one('netrc', (s) => `machine api.heroku.com\n  login ann@example.net\n  password ${s}`, uuid),
  one('pgpass', (s) => `db1.internal:5432:app:app_rw:${s}`, safe),
  one(
    'npmrc',
    (s) => `//registry.acme.dev/:_authToken=${s}\nalways-auth=true`,
    (r) => chars(r, B64, 60),
  ),
  one(
    'npmrc _auth',
    (s) => `//nexus.acme.dev/repository/npm/:_auth=${s}`,
    (r) => b64(`ci:${safe(r)}`),
  ),
  one('pip index', (s) => `pip install --index-url https://ci:${s}@pypi.acme.dev/simple acme-core`, safe),
  one(
    'docker config.json',
    (s) => JSON.stringify({ auths: { 'ghcr.io': { auth: s } } }, null, 2),
    (r) => b64(`ci:${safe(r)}`),
  ),
  one(
    'k8s secret data',
    (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\ntype: Opaque\ndata:\n  db: ${s}`,
    (r) => b64(safe(r)),
  ),
  one(
    'k8s secret stringData',
    (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  db-password: ${s}`,
    password,
  ),
  one(
    'kubeconfig key',
    (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}`,
    (r) => b64(`${D5}BEGIN RSA PRIVATE KEY${D5}\n${lines(r, 4).join('\n')}\n`),
  ),
  one(
    'aws credentials file',
    (s, r) => `[default]\naws_access_key_id = AKIA${chars(r, UPPER, 16)}\naws_secret_access_key = ${s}`,
    (r) => chars(r, B64, 40),
  ),
  one(
    'aws configure',
    (s, r) =>
      `AWS Access Key ID [None]: AKIA${chars(r, UPPER, 16)}\nAWS Secret Access Key [None]: ${s}\nDefault region name [None]: eu-west-1`,
    (r) => chars(r, B64, 40),
  ),
  one(
    'aws sts json',
    (s, r) =>
      JSON.stringify(
        {
          Credentials: {
            AccessKeyId: `ASIA${chars(r, UPPER, 16)}`,
            SecretAccessKey: s,
            Expiration: '2026-11-02T10:00:00Z',
          },
        },
        null,
        2,
      ),
    (r) => chars(r, B64, 40),
  ),
  one(
    'slack webhook',
    (s, r) =>
      `curl -X POST -d '{"text":"hi"}' https://hooks.slack.com/services/T${chars(r, UPPER + DIGITS, 10)}/B${chars(r, UPPER + DIGITS, 10)}/${s}`,
    (r) => chars(r, ALNUM, 24),
  ),
  one(
    'discord webhook',
    (s, r) => `https://discord.com/api/webhooks/${chars(r, '123456789', 18)}/${s}`,
    (r) => chars(r, URLSAFE, 68),
  ),
  one(
    'teams workflow',
    (s) =>
      `https://prod-12.westeurope.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${s}`,
    (r) => chars(r, URLSAFE, 43),
  ),
  one(
    'otpauth',
    (s) => `otpauth://totp/Acme:ann@example.net?secret=${s}&issuer=Acme&digits=6`,
    (r) => chars(r, UPPER + '234567', 32),
  ),
  one(
    'jwk',
    (s, r) => JSON.stringify({ kty: 'EC', crv: 'P-256', x: chars(r, URLSAFE, 43), y: chars(r, URLSAFE, 43), d: s }),
    (r) => chars(r, URLSAFE, 43),
  ),
  one(
    'laravel',
    (s) => `APP_NAME=Shop\nAPP_KEY=base64:${s}\nAPP_DEBUG=false`,
    (r) => `${chars(r, B64, 43)}=`,
  ),
  one(
    'django',
    (s) => `SECRET_KEY = 'django-insecure-${s}'`,
    (r) => chars(r, LOWER + DIGITS + '!@#%^&*(-_=+)', 50).replaceAll("'", 'x'),
  ),
  one(
    'wordpress salt',
    (s) => `define( 'AUTH_KEY',         '${s}' );`,
    (r) => chars(r, ALNUM + '!@#$%^&*()-_ []{}<>~+=,.;:/?|', 64),
  ),
  one(
    'rails credentials',
    (s) => `production:\n  secret_key_base: ${s}`,
    (r) => chars(r, HEX, 128),
  ),
  one(
    'shadow',
    (s) => `deploy:$6$${s}:19700:0:99999:7:::`,
    (r) => `${chars(r, ALNUM, 16)}$${chars(r, ALNUM + './', 86)}`,
  ),
  one(
    'htpasswd',
    (s) => `ann:$2y$05$${s}`,
    (r) => chars(r, ALNUM + './', 53),
  ),
  one(
    'seed phrase',
    (s) => `seed phrase: ${s}`,
    (r) => Array.from({ length: 12 }, () => pick(r, WORDS)).join(' '),
  ),
  one('wpa_supplicant', (s) => `network={\n    ssid="Office"\n    psk="${s}"\n}`, human),
  one('ansible', (s) => `ansible_user: root\nansible_become_password: ${s}`, password),
  one(
    'hcl backend',
    (s) => `backend "http" {\n  address  = "https://tf.acme.dev"\n  username = "ci"\n  password = "${s}"\n}`,
    password,
  ),
  one(
    'jaas',
    (s) =>
      `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${s}";`,
    password,
  ),
  one(
    'maven settings',
    (s) => `<server>\n  <id>releases</id>\n  <username>ci</username>\n  <password>${s}</password>\n</server>`,
    password,
  ),
  one(
    'nuget config',
    (s) =>
      `<packageSourceCredentials>\n  <acme>\n    <add key="Username" value="ci" />\n    <add key="ClearTextPassword" value="${s}" />\n  </acme>\n</packageSourceCredentials>`,
    password,
  ),
  one('securestring', (s) => `$p = ConvertTo-SecureString '${s}' -AsPlainText -Force`, password),
  one(
    'smtp auth plain',
    (s) => `AUTH PLAIN ${s}\n235 2.7.0 Authentication successful`,
    (r) => b64(`\0ann@example.net\0${safe(r)}`),
  ),
  one('login prompt', (s) => `Username: ann\nPassword: ${s}\nWelcome, ann.`, human),
  one('playwright fill', (s) => `await page.fill('#password', '${s}')`, human),
  one('requests auth', (s) => `requests.get(url, auth=("svc", "${s}"), timeout=5)`, password),
  one('paramiko', (s) => `ssh.connect("10.0.0.9", username="root", password="${s}")`, human),
  one('prose, German', (s) => `Das Passwort für den Server ist ${s} – bitte nicht weitergeben.`, human),
  one('prose, French', (s) => `le mot de passe du serveur est ${s}, ne le partage pas`, human),
  one('prose, Spanish', (s) => `la contraseña del servidor es ${s} (cámbiala luego)`, human),
  one('prose, Polish', (s) => `hasło: ${s}`, human),
  one('prose, Chinese', (s) => `数据库密码是 ${s}，请勿外传`, password),
  one('prose, Russian', (s) => `пароль от базы: ${s}`, password),
  one('prose, Dutch', (s) => `het wachtwoord is ${s}`, human),
  one('prose, login as', (s) => `log in as admin / ${s} on the staging page`, password),
  one('prose, credentials', (s) => `Credentials: ann@example.net / ${s}`, password),
  one(
    'saml or oidc code',
    (s) => `https://app.acme.dev/cb?code=${s}&state=${'af0ifjsldkj'}`,
    (r) => chars(r, URLSAFE, 43),
  ),
  one(
    'jwe',
    (s) => s,
    (r) =>
      `${b64url('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.${chars(r, URLSAFE, 342)}.${chars(r, URLSAFE, 16)}.${chars(r, URLSAFE, 120)}.${chars(r, URLSAFE, 22)}`,
  ),
  one(
    'jws, opaque payload',
    (s) => `token: ${s}`,
    (r) => `${b64url('{"alg":"HS256"}')}.${chars(r, URLSAFE, 80)}.${chars(r, URLSAFE, 43)}`,
  ),
  one(
    'recovery codes',
    (s, r) => `Recovery codes:\n${s}\n${chars(r, HEX, 5)}-${chars(r, HEX, 5)}`,
    (r) => `${chars(r, HEX, 5)}-${chars(r, HEX, 5)}`,
  ),
]
