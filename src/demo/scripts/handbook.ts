import { fakeAwsKeyId } from '../derive.ts'
import { bash, edit, fails, grep, on, read, say, session, shell, think, user, write, type Session } from '../script.ts'

const RUNBOOK = `# The edge proxy does not start

1. Old pods still serve? \`kubectl get pods -n edge\`. Then breathe.
2. \`kubectl logs\` of the crashing pod: \`[emerg]\` names file and line.
3. Roll back first, understand later: \`helm rollback edge\`.
4. Try the fix with \`nginx -t\` in a container before you deploy it.
`

export const handbook = (): readonly Session[] => [
  session('dead-links', on('fix/links', 6, '09:05'), 'Fix dead links after the move to /guides', [
    user(
      'Since we moved pages under /guides the link checker is red. Fix the links, add redirects for the old addresses.',
    ),
    shell(`
      $ npm run check-links
      ✗ docs/start.md -> /install (404)
      ✗ docs/faq.md -> /deploy#rollback (404)
      2 dead links in 141 pages
      [1]`),
    edit('docs/start.md', '(/install)', '(/guides/install)'),
    edit('docs/faq.md', '(/deploy#rollback)', '(/guides/deploy#rollback)'),
    write('static/_redirects', '/install  /guides/install  301\n/deploy   /guides/deploy   301'),
    bash('npm run check-links', '0 dead links in 141 pages'),
    bash('git status --short', ' M docs/faq.md\n M docs/start.md\n?? static/_redirects'),
    say('Two links, two redirects. Anchors survive a redirect, so old bookmarks still land in the right place.'),
  ]),

  session('empty-search', on('fix/search-index', 11, '09:50'), 'Site search finds nothing in production', [
    user('Search on the docs site returns nothing in production, locally it works.'),
    fails('curl -sSf https://docs.example.net/search-index.json', 'curl: (22) The requested URL returned error: 404'),
    grep('search-index', "src/search.ts:3:const index = await fetch('/search-index.json')"),
    think('Production lives under /handbook; the client asks at the root.'),
    edit('src/search.ts', "'/search-index.json'", "new URL('search-index.json', document.baseURI)"),
    bash('npm test', 'Test Files  12 passed (12)\n     Tests  40 passed (40)'),
    bash('git status --short', ' M src/search.ts'),
    say('The client asked for its index at the root; production lives under /handbook. It follows the base path now.'),
  ]),

  session('preview-deploy', on('ci/previews', 8, '13:30'), 'Preview deploys for pull requests', [
    user('Every pull request should get a preview at pr-<number>.docs.example.net'),
    read('.github/workflows/docs.yml', 'on: { push: { branches: [main] } }'),
    write('.github/workflows/preview.yml', 'on: pull_request\njobs: { preview: { uses: docs.yml } }'),
    bash('git add -A && git commit -qm "ci: previews" && git push -q'),
    shell(`
      $ gh run watch --exit-status
      AWS_ACCESS_KEY_ID=${fakeAwsKeyId()}
      fatal error: An error occurred (AccessDenied) when calling the PutObject operation: Access Denied
      [1]`),
    say('The key may not write there, and a debug step prints its id. Better to drop it and let CI assume a role.'),
    edit('.github/workflows/preview.yml', 'on: pull_request', 'on: pull_request\npermissions: { id-token: write }'),
    bash('git commit -qam "ci: previews assume a role" && git push -q'),
    bash('gh run watch --exit-status', '✓ preview in 1m04s'),
    say('Previews work and no long-lived key is left. Please delete the old one in the console.'),
  ]),

  session('runbook', on('docs/edge-runbook', 3, '15:20'), 'Runbook for a failed edge deploy', [
    user('Write a short runbook for on-call: the edge proxy does not come up after a deploy, as with the nginx typo.'),
    write('docs/guides/edge-deploy.md', RUNBOOK),
    fails('npm run lint:prose', 'edge-deploy.md:3  "breathe" is not in the glossary'),
    user('keep breathe, it is the best line. add it to the glossary'),
    edit('.prose/terms.txt', 'bucket', 'breathe\nbucket'),
    bash('npm run lint:prose', '142 files, no findings'),
    bash('git add -A && git commit -qm "runbook: edge deploy fails"'),
    say('The runbook is in, and breathing is now an approved term.'),
  ]),

  session('question-adr', on('main', 18, '16:05'), 'What belongs in a decision record?', [
    user('Quick question, no changes: what belongs in an architecture decision record and what does not?'),
    say(`
      What was decided and when, which forces were at play, what was turned down and why, and what will hurt because of
      it. Not the design itself: that changes, a decision record does not. It is only ever replaced by a new one.`),
    user('and how long?'),
    say('A page at most. If it takes longer, it is two decisions.'),
  ]),
]
