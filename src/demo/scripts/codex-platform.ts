import { bash, denied, edit, fails, interrupt, on, read, say, session, shell, think } from '../script.ts'
import { user, write, type Session } from '../script.ts'

export const codexPlatform = (): readonly Session[] => [
  session('pods-evicted', on('fix/requests', 2, '11:40', 'large'), 'Workers are evicted at night', [
    user('The import workers are evicted every night around two. Read only, please: nothing in the cluster changes.'),
    shell(`
      $ kubectl get events -n imports --field-selector reason=Evicted | tail -2
      2m   Warning   Evicted   pod/import-7d9   The node was low on resource: ephemeral-storage
      2m   Warning   Evicted   pod/import-k2x   The node was low on resource: ephemeral-storage`),
    bash('kubectl get pods -n imports', 'NAME         READY   STATUS    RESTARTS\nimport-9xq   1/1     Running   0'),
    read('deploy/imports.yaml', 'resources:\n  requests:\n    memory: 512Mi\n  limits:\n    memory: 1Gi'),
    think(
      '**Disk, not memory**\n\nNothing asks for ephemeral storage. The nightly file is unpacked into /tmp and the pod is the first to go.',
    ),
    denied('kubectl exec -n imports import-9xq -- du -sh /tmp'),
    user('no exec into pods. the file is 6 GB unpacked, take that as given'),
    edit('deploy/imports.yaml', '    memory: 512Mi', '    memory: 512Mi\n    ephemeral-storage: 8Gi'),
    bash('kubectl diff -f deploy/imports.yaml', '+        ephemeral-storage: 8Gi'),
    say(
      'It is disk, not memory: the nightly file is unpacked into `/tmp`, and a pod that asks for no disk is evicted first. The manifest now asks for 8 GiB; I have not applied it.',
    ),
  ]),

  session('lock-held', on('main', 9, '15:20'), 'Terraform says the state is locked', [
    user('terraform plan fails in CI since this morning. What holds the lock?'),
    fails(
      'terraform plan -input=false',
      'Error: Error acquiring the state lock\n  ID:   4f1e…\n  Who:  ci@runner-12\n  Created: 07:58',
    ),
    bash(
      'gh run list --workflow infra.yml --limit 2',
      'cancelled  infra  main  push  07:57\nfailure    infra  main  push  08:31',
    ),
    think('**A cancelled run**\n\nThe run of 07:57 was cancelled while it held the lock, and nobody released it.'),
    say(
      'The run of 07:57 was cancelled in the middle of a plan and left the lock behind. Nothing is being applied. Shall I release it with `terraform force-unlock`?',
    ),
    interrupt(),
    user('i released it by hand. make sure it cannot happen again'),
    write(
      '.github/actions/plan/action.yml',
      'runs:\n  using: composite\n  steps:\n    - run: terraform plan -input=false -lock-timeout=5m',
    ),
    bash('git diff --stat', ' .github/actions/plan/action.yml | 4 ++++'),
    say(
      'Plans now wait up to five minutes for a lock instead of failing. A cancelled run still needs someone to look, and the message says who.',
    ),
  ]),

  session('naming', on('main', 14, '16:10'), 'Where do service names come from', [
    user('Short question: where does the name of a service in the dashboards come from, the chart or the label?'),
    bash(
      "rg -n 'service_name' dashboards | head -2",
      'dashboards/api.json:88: "expr": "sum by (service_name) …"\ndashboards/db.json:12: "legend": "{{service_name}}"',
    ),
    say(
      'From the label `service_name`, which the collector sets from the name of the deployment. The chart has no say in it.',
    ),
  ]),
]
