import { bash, compact, edit, grep, interrupt, on, read, rest, say, session, shell, think } from '../script.ts'
import { user, write, type Session } from '../script.ts'

export const grokSift = (): readonly Session[] => [
  session('json-output', on('feat/json', 6, '09:30'), 'Print matches as JSON lines', [
    user('Add --json: one object a line with file, line number and the matched text.'),
    read('src/print.rs', 'pub fn print(hit: &Hit) { println!("{}:{}: {}", hit.file, hit.line, hit.text) }'),
    think('serde_json is already in the tree through the config. No new dependency.'),
    write('src/json.rs', 'pub fn print(hit: &Hit) { println!("{}", serde_json::to_string(hit).unwrap()) }'),
    edit('src/main.rs', 'print::print(&hit)', 'if args.json { json::print(&hit) } else { print::print(&hit) }'),
    shell(`
      $ cargo test
      error[E0277]: the trait bound \`Hit: Serialize\` is not satisfied
      [101]`),
    edit('src/hit.rs', '#[derive(Debug)]', '#[derive(Debug, Serialize)]'),
    bash('cargo test', 'test result: ok. 63 passed; 0 failed; finished in 0.55s'),
    say('`sift --json error app.log` prints one object a line. Bytes that are no UTF-8 become U+FFFD.'),
  ]),

  session('mmap-slow', on('perf/read', 11, '13:40', 'large'), 'Why is sift slower on the network drive?', [
    user('On the network drive sift takes 40 s for a file that cat reads in 3. Why?'),
    shell(`
      $ strace -c sift error /mnt/share/app.log
      % time     calls  syscall
       98.1     812344  page faults
        0.4         12  mmap`),
    think('Each page fault of the mapped file is a round trip. A plain read with a large buffer avoids them.'),
    say('It maps the file, and over the network every page fault is a round trip. I read in blocks instead.'),
    edit('src/reader.rs', 'Mmap::map(&file)?', 'BufReader::with_capacity(1 << 20, file)'),
    interrupt(),
    user('keep mmap for local disks, it is faster there'),
    grep('statfs', 'src/fs.rs:7: pub fn is_local(path: &Path) -> bool'),
    edit('src/reader.rs', 'BufReader::with_capacity(1 << 20, file)', 'if is_local(path) { mapped } else { buffered }'),
    bash('cargo bench', 'network: 3.4 s (was 40.1 s)\nlocal:   0.21 s (was 0.21 s)'),
    say('Local files are mapped as before; others are read in blocks of 1 MiB. 3.4 s instead of 40.'),
  ]),

  session('release-notes', on('main', 2, '16:05'), 'Release notes for sift 0.9', [
    user('Write the release notes for 0.9 from the log since 0.8.'),
    bash(
      'git log --oneline v0.8..',
      '3f0c1de json: one object a line\n91be0aa reader: no mmap on network drives\n77d2c10 follow: survive rotation',
    ),
    say('Three things: `--json`, faster reading from network drives, and `--follow` that survives log rotation.'),
    rest(25),
    compact('Release notes for 0.9 were drafted: --json, network drives, --follow.'),
    user('add a line for people who parse our output today'),
    edit('CHANGELOG.md', '## 0.9', '## 0.9\n\nThe plain output is unchanged; scripts that parse it keep working.'),
    say('Added under 0.9, first, so that nobody has to look for it.'),
  ]),
]
