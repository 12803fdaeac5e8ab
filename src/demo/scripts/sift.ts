import { bash, edit, fails, grep, interrupt, on, read, say, session, shell, think } from '../script.ts'
import { unread, user, write, type Session } from '../script.ts'

export const sift = (): readonly Session[] => [
  session('char-boundary', on('fix/char-boundary', 4, '09:45'), '日本語のログで panic する問題を直す', [
    user(`
      日本語を含むログを検索すると sift が panic します。
      長い行を切り詰めるところが怪しいです。原因を調べて直してください。`),
    shell(`
      $ cargo run -q -- エラー fixtures/ja.log
      thread 'main' panicked at src/render.rs:52:24:
      byte index 80 is not a char boundary; it is inside 'バ' (bytes 78..81)
      [101]`),
    read('src/render.rs', 'fn clip(line: &str) -> &str {\n    &line[..line.len().min(80)]\n}'),
    think('バイト数で切っているので、3 バイト文字の途中に当たると panic する。'),
    edit('src/render.rs', 'line.len().min(80)', 'line.floor_char_boundary(80)'),
    bash('cargo test', 'test result: ok. 58 passed; 0 failed; finished in 0.42s'),
    say(`
      原因は \`clip\` がバイト位置 80 で文字列を切っていたことです。
      文字の境界まで戻ってから切るようにしました。テストはすべて通っています。`),
  ]),

  session('follow-flag', on('feat/follow', 10, '11:10'), 'Add --follow to sift', [
    user('Add --follow like tail -f. It has to survive log rotation.'),
    unread('src/main.rs', 'let reader = open(&args.path)?;', 'let mut reader = Follow::open(&args.path)?;'),
    read('src/main.rs', 'let reader = open(&args.path)?;\nfor line in reader.lines() { emit(line?); }'),
    edit('src/main.rs', 'let reader = open(&args.path)?;', 'let mut reader = Follow::open(&args.path)?;'),
    write('src/follow.rs', 'pub struct Follow { path: PathBuf, file: File, inode: u64 }'),
    shell(`
      $ cargo build
      error[E0502]: cannot borrow \`self.buf\` as mutable because it is also borrowed as immutable
        --> src/follow.rs:31:13
      error: could not compile \`sift\` (bin "sift") due to 1 previous error
      [101]`),
    think('The line returned borrows the buffer that the next read refills. Hand out owned lines.'),
    edit('src/follow.rs', 'fn next(&mut self) -> Option<&str>', 'fn next(&mut self) -> Option<String>'),
    bash('cargo test', 'test result: ok. 61 passed; 0 failed; finished in 0.51s'),
    bash('git status --short', ' M src/main.rs\n?? src/follow.rs'),
    say('When the inode behind the path changes it reads the old file to its end first, so rotation loses nothing.'),
  ]),

  session('async-given-up', on('try/async', 17, '13:05', 'large'), 'Rewrite the reader on tokio (given up)', [
    user('Try moving the reader to tokio so that we can search many files at once. If it gets ugly we stop.'),
    bash('cargo add tokio --features full', '      Adding tokio v1.47 to dependencies'),
    edit('src/reader.rs', 'pub fn lines(&self) -> impl Iterator', 'pub async fn lines(&self) -> impl Stream'),
    fails('cargo test', 'error[E0277]: `Rc<Matcher>` cannot be sent between threads safely'),
    edit('src/matcher.rs', 'use std::rc::Rc;', 'use std::sync::Arc;'),
    fails('cargo test', 'error[E0277]: `RefCell<Cache>` cannot be shared between threads safely'),
    say('Next comes the cache, then every caller of `lines`. This will touch about thirty files.'),
    interrupt(),
    user('ok this is ugly. what would rayon cost us instead?'),
    think('The work is bound by disk and CPU, there is no socket to wait for. A thread per file does it.'),
    say('Three lines: `files.par_iter().for_each(search)`. Each file gets its own matcher, nothing else changes.'),
    user('then drop the branch, we do rayon some other day'),
    bash('git restore . && git switch main && git branch -D try/async', 'Deleted branch try/async (was 20c4b11).'),
    say('Gone. For next time: `Rc<Matcher>` and the `RefCell` cache are what stands in the way of threads.'),
  ]),

  session('ci-cache', on('ci/cache', 12, '14:50'), 'Make CI faster by caching the cargo build', [
    user('CI takes 14 minutes, nearly all of it compiling dependencies. The cache step is there but it never hits.'),
    read('.github/workflows/ci.yml', 'path: target\nkey: cargo-${{ github.sha }}'),
    bash('gh run view 8841 --log | grep -i cache', 'Cache not found for input keys: cargo-5e1d90c'),
    think('The key has the commit in it, so every commit writes a new cache and reads none.'),
    edit('.github/workflows/ci.yml', 'github.sha', "hashFiles('Cargo.lock', 'rust-toolchain.toml')"),
    bash('git commit -qam "ci: key the cache by Cargo.lock" && git push -q'),
    bash('gh run watch 8846 --exit-status', '✓ test in 4m12s\n  Cache restored from key: cargo-7be0'),
    say('From 14 minutes to 4. With the commit hash in its key, no run could ever find the cache of another.'),
  ]),

  session('slow-search', on('perf/literals', 8, '09:20'), 'Why is a literal search slower than grep?', [
    user('sift "timeout" takes 2.1 s on the 3 GB log, grep 0.4 s. Where is the time going?'),
    shell(`
      $ perf record -q target/release/sift timeout big.log > /dev/null && perf report --stdio | head -2
        61.2%  sift  core::str::from_utf8
        22.7%  sift  regex_automata::meta`),
    grep('from_utf8', 'src/reader.rs:19:        let line = str::from_utf8(&buf)?;'),
    say('Every line is checked to be UTF-8 before it is searched. Search bytes, check only the lines that match.'),
    edit('src/reader.rs', 'let line = str::from_utf8(&buf)?;', 'if !re.is_match(&buf) { continue }'),
    bash('cargo test', 'test result: ok. 61 passed; 0 failed; finished in 0.47s'),
    bash('hyperfine "target/release/sift timeout big.log"', 'Time (mean ± σ):     482.3 ms ±  11.0 ms'),
    say('2.1 s → 0.48 s. 61% of the time went into UTF-8 validation of lines that did not match.'),
  ]),
]
