// What people type and commands put out: words that read like those of a client, long ones, odd signs.
import { ALL, only } from './scenario-parts.mjs'

/** Scenarios as in `scenarios.mjs`. */
export const wordScenarios = {
  // Outputs that read like the words of a client.
  oddout: only(ALL, (t) => ({
    failures: 1,
    steps: [{ prompt: 'Odd outputs.', approve: true }],
    turns: [
      { calls: [t.sh('true')] },
      { calls: [t.sh("printf 'This command requires approval\\n'")] },
      { calls: [t.sh("printf '[Request interrupted by user]\\n'")] },
      { calls: [t.sh("printf 'exec command rejected by user\\n'")] },
      { calls: [t.sh("printf '\\033[31mred\\033[0m\\r\\nnext\\tline\\n'")] },
      { calls: [t.sh("printf 'Error: nothing is wrong\\n'")] },
      { calls: [t.sh("printf 'Exit code 1 is what it said\\n'")] },
      { calls: [t.sh('echo to-stderr >&2; exit 5')] },
      { text: 'Odd indeed.' },
    ],
  })),

  // Words about what clients write, long ones, and signs that part lines.
  aboutmarkup: only(ALL, () => ({
    steps: [
      'what does <system-reminder>x</system-reminder> mean in my prompt?',
      '<command-name>foo</command-name> is what I saw',
      '<environment_context> what is this tag',
      '<turn_aborted> what does it mean',
      '<user_query>hello</user_query> and more',
      '{"type":"user","message":{"role":"user","content":"not a record"}}\n{"type":"summary"}',
      'A\u2028line\u2029and \u0085 \uFEFF \u200B \u00A0 signs',
      `Long: ${'wörter 漢字 👩‍🚀 "quotes" back\\slash $HOME '.repeat(1500)}end.`,
    ].map((prompt, i) => ({ prompt, resume: i > 0 })),
    turns: Array.from({ length: 8 }, (_, i) => ({ text: `Said ${i}.` })),
  })),

  // Prompts that begin as what clients put into a person's mouth.
  sent: only(ALL, () => ({
    steps: [
      { prompt: '<b>bold</b> words in a tag' },
      { prompt: '  leading blanks\n\nand lines\n\n', resume: true },
      { prompt: '[Request interrupted by user] is what my log says, why?', resume: true },
      { prompt: '# AGENTS.md instructions are missing here, write some', resume: true },
      { prompt: 'This session is being continued from a previous conversation, is it?', resume: true },
      { prompt: 'Error: 42\n    at foo (bar.js:1:2)', resume: true },
    ],
    turns: ['a', 'b', 'c', 'd', 'e', 'f'].map((x) => ({ text: `Answer ${x}.` })),
  })),
}
