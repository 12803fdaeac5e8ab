import { fakeGithubToken } from '../derive.ts'
import { bash, denied, edit, fails, on, read, rest, say, session, shell, think, user } from '../script.ts'
import type { Session } from '../script.ts'

const STATE_LOCK = [
  'Error: Error acquiring the state lock',
  'Error message: ConditionalCheckFailedException: The conditional request failed',
  'Lock Info:\n  Path: platform-state/prod/terraform.tfstate\n  Operation: OperationTypeApply',
].join('\n')

const NGINX_TEST = 'docker run --rm -v $PWD/edge:/etc/nginx/conf.d:ro nginx:1.27 nginx -t'

/** What kubectl has to say about a pod: mostly things one does not need. */
function describedPod(): string {
  const events = Array.from({ length: 48 }, (_, i) => {
    if (i % 2)
      return `  Normal   ${3 + i * 4}m  kubelet  Pulled   Image "registry.example.net/thumbs:1.9.2" already present`
    return `  Warning  ${3 + i * 4}m  kubelet  BackOff  Back-off restarting failed container thumbs in pod thumbs-7d4b9`
  })
  return [
    'Name:         thumbs-7d4b9\nNamespace:    media\nNode:         ip-10-0-3-77/10.0.3.77',
    '    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137',
    '    Limits:\n      memory:  256Mi\nEvents:',
    ...events,
  ].join('\n')
}

export const platform = (): readonly Session[] => [
  session('nginx-emerg', on('main', 4, '15:40', 'large'), 'nginx does not start after a config change', [
    user(
      'Deploy of the edge proxy fails since I merged the timeout change. The old pods still serve. Find it quickly.',
    ),
    shell(`
      $ kubectl get pods -n edge
      nginx-5c8f7   1/1   Running            0             12d
      nginx-78d5c   0/1   CrashLoopBackOff   6 (40s ago)   8m`),
    shell(`
      $ kubectl logs -n edge nginx-78d5c
      nginx: [emerg] unknown directive "proxy_read_timout" in /etc/nginx/conf.d/api.conf:14
      nginx: configuration file /etc/nginx/nginx.conf test failed`),
    say('A typo: `proxy_read_timout` in api.conf, line 14. nginx refuses the whole file.'),
    read('edge/api.conf', 'location /api/ {\n  proxy_pass http://api;\n  proxy_read_timout 75s;\n}'),
    edit('edge/api.conf', 'proxy_read_timout', 'proxy_read_timeout'),
    bash(NGINX_TEST, 'nginx: configuration file /etc/nginx/nginx.conf test is successful'),
    bash('helm upgrade edge charts/edge -n edge', 'Release "edge" has been upgraded. Happy Helming!'),
    bash('kubectl get pods -n edge', 'nginx-6b9d4   1/1   Running   0   31s'),
    user('add nginx -t to CI so this cannot happen again'),
    edit('.github/workflows/edge.yml', '- run: helm lint', `- run: ${NGINX_TEST}\n- run: helm lint`),
    bash('git status --short', ' M .github/workflows/edge.yml\n M edge/api.conf'),
    say('The new pods are up, and every pull request now runs `nginx -t` on the real files.'),
  ]),

  session('state-lock', on('feat/staging-db', 13, '10:15'), 'Terraform state is locked by a dead CI run', [
    user('terraform plan says the state is locked. Nobody is applying anything.'),
    fails('terraform plan -out=plan.bin', STATE_LOCK),
    bash('gh run list --limit 2', 'X  apply prod  cancelled  1h12m ago\n✓  lint  success  1h15m ago'),
    say('The apply of an hour ago was cancelled while it held the lock. Nothing runs now, so it can be broken.'),
    bash('terraform force-unlock -force 6b1f0a52', 'Terraform state has been successfully unlocked!'),
    bash('terraform plan -out=plan.bin', 'Plan: 3 to add, 1 to change, 0 to destroy.'),
    denied('terraform apply plan.bin'),
    user('plan only! applies go through CI'),
    say('Understood. The plan adds the staging database, its subnet and security groups, and changes one tag.'),
  ]),

  session('oomkilled', on('main', 9, '14:10'), 'Thumbnail pods restart over and over', [
    user('thumbs pods restart every few minutes since this morning, no deploy happened. why?'),
    bash('kubectl get pods -n media', 'thumbs-7d4b9   1/1   Running   31 (2m ago)   5d'),
    bash('kubectl describe pod -n media thumbs-7d4b9', describedPod()),
    think('OOMKilled at 256Mi. No deploy, so the input changed: bigger images.'),
    bash('kubectl logs -n media thumbs-7d4b9 --previous --tail 1', 'resize 11648x8736 image/tiff 291 MB'),
    say(`
      OOMKilled: someone uploads 100-megapixel TIFFs. Decoding one takes about 400 MB, the limit is 256Mi, and the queue
      hands the same image to the next pod.`),
    user('raise the limit for now, and reject > 80 megapixels'),
    edit('charts/thumbs/values.yaml', 'memory: 256Mi', 'memory: 768Mi\nmaxMegapixels: 80'),
    bash('helm upgrade thumbs charts/thumbs -n media', 'Release "thumbs" has been upgraded. Happy Helming!'),
    rest(6),
    bash('kubectl get pods -n media', 'thumbs-5f6c8   1/1   Running   0   6m'),
    say('No restart for six minutes. The big images go to the dead-letter queue now.'),
  ]),

  session('certificate', on('fix/dns-challenge', 15, '08:40'), 'Certificate for docs.example.net does not renew', [
    user('cert-manager did not renew docs.example.net, it expires in 4 days'),
    bash('kubectl get challenges -A', 'docs   docs-tls-1-904   pending   docs.example.net   26d'),
    bash('kubectl get pods -n cert-manager', 'cert-manager-5bd57   1/1   Running   0   90d'),
    say('The DNS-01 challenge is pending for 26 days: the role may not write to the zone since it moved.'),
    edit('modules/dns/iam.tf', 'hostedzone/Z0OLD', 'hostedzone/${aws_route53_zone.public.zone_id}'),
    fails('terraform plan', STATE_LOCK),
    rest(9),
    bash('terraform plan', 'Plan: 0 to add, 1 to change, 0 to destroy.'),
    bash('git commit -qam "dns: let cert-manager write to the new zone" && git push -q'),
    rest(20),
    bash('kubectl get certificate -n docs', 'docs-tls   True   docs-tls   300d'),
    say('Renewed. The role still named the old zone; it now takes the id from the zone itself.'),
  ]),

  session('image-pull', on('main', 2, '16:20'), 'ImagePullBackOff after the registry token expired', [
    user('new pods hang in ImagePullBackOff'),
    bash('kubectl get pods -n jobs', 'nightly-29181   0/1   ImagePullBackOff   0   14m'),
    fails('docker pull ghcr.io/sam/nightly:2.4.0', 'Error response from daemon: Head "https://ghcr.io/v2/": denied'),
    bash('kubectl get secret -n jobs ghcr -o json | jq -r .data.auth | base64 -d', `sam:${fakeGithubToken()}`),
    say(
      'The pull secret is a personal token that has expired. It is in this log now too: revoke it, do not extend it.',
    ),
    user('revoked, the new one is in the vault under ci/ghcr'),
    bash('kubectl annotate externalsecret -n jobs ghcr force-sync=1', 'externalsecret/ghcr annotated'),
    bash('kubectl get pods -n jobs', 'nightly-29181   1/1   Running   0   19m'),
    say('The job pulls again. The secret now comes from the vault and renews itself.'),
  ]),
]
