// What people type at a terminal while the agent is at work or asks: `live` gets the screen, `spoken` is what was said
// by both, in its order.
import { ALL, only as playedBy } from './scenario-parts.mjs'

const only = (agents, scenario) => Object.assign(playedBy(agents, scenario), { live: true })

const WAIT = 'sleep 6 && echo boiled'

/** Scenarios as in `scenarios.mjs`. */
export const liveScenarios = {
  // Typed while a command runs: Claude Code and Codex hand it over with the result, Grok when the turn is over.
  livequeue: only(ALL, (t, { agent }) => {
    const said = ['Wait for the kettle, please.', 'And mind the blue cup.']
    const [first, ...rest] = ['I wait.', ...(agent === 'grok' ? ['It boils.'] : []), 'I mind it.']
    return {
      steps: [
        {
          prompt: said[0],
          spoken: agent === 'grok' ? [said[0], first, rest[0], said[1], rest[1]] : [said[0], first, said[1], rest[0]],
          live: async (screen) => {
            await screen.say(said[0])
            await screen.until(first)
            await screen.say(said[1])
            await screen.until(rest.at(-1))
          },
        },
      ],
      turns: [{ text: first, calls: [t.sh(WAIT)] }, ...rest.map((text) => ({ text }))],
    }
  }),

  // A no to a call, with words.
  liveno: only(['claude', 'grok'], (t, { agent }) => ({
    failures: 0,
    steps: [
      {
        prompt: 'Put a copy beside the project.',
        spoken: ['Put a copy beside the project.', 'I copy it.', 'rather into the shed', 'As you wish.'],
        live: async (screen) => {
          await screen.say('Put a copy beside the project.')
          await screen.until(agent === 'claude' ? 'Do you want to proceed?' : 'No, reject')
          if (agent === 'claude') await screen.reach(/❯ \d\. No/, 'Down')
          else await screen.reach(/\(●\) No, reject/, 'Tab')
          if (agent === 'claude') await screen.press('Tab')
          await screen.say('rather into the shed')
          await screen.until('As you wish.')
        },
      },
    ],
    turns: [{ text: 'I copy it.', calls: [t.sh('cp README.md ../beside-live.md')] }, { text: 'As you wish.' }],
  })),

  // A yes to a call, with words.
  liveyes: only('claude', (t) => ({
    failures: 0,
    steps: [
      {
        prompt: 'Another copy beside it.',
        spoken: ['Another copy beside it.', 'I copy it once.', 'only this once though', 'Only once.'],
        live: async (screen) => {
          await screen.say('Another copy beside it.')
          await screen.until('Do you want to proceed?')
          await screen.press('Tab')
          await screen.say('only this once though')
          await screen.until('Only once.')
        },
      },
    ],
    turns: [{ text: 'I copy it once.', calls: [t.sh('cp README.md ../beside-yes.md')] }, { text: 'Only once.' }],
  })),

  // Typed while an answer comes, sent after it; typed and taken back; typed before a stop, and sent after it.
  livequeues: only('claude', (t) => {
    const herons = 'A heron stood by the water. '.repeat(60).trim()
    return {
      steps: [
        {
          prompt: 'Tell me of herons.',
          interrupted: true,
          spoken: [
            'Tell me of herons.',
            herons,
            'And of storks.',
            'Storks nest on roofs.',
            'Wait a while.',
            'I wait a while.',
            'I waited.',
            'Wait for long.',
            'I wait for long.',
            'Said before the stop.',
            'Heard after the stop.',
          ],
          live: async (screen) => {
            await screen.say('Tell me of herons.')
            await screen.until('A heron stood')
            await screen.say('And of storks.')
            await screen.until('Storks nest on roofs.')
            await screen.say('Wait a while.')
            await screen.until('I wait a while.')
            await screen.say('This is taken back.')
            await screen.press('Up')
            await screen.press('C-u')
            await screen.until('I waited.')
            await screen.say('Wait for long.')
            await screen.until('I wait for long.')
            await screen.say('Said before the stop.')
            await screen.press('Escape')
            await screen.until('Heard after the stop.')
          },
        },
      ],
      turns: [
        { text: herons, slow: 100 },
        { text: 'Storks nest on roofs.' },
        { text: 'I wait a while.', calls: [t.sh(WAIT)] },
        { text: 'I waited.' },
        { text: 'I wait for long.', calls: [t.sh("node -e 'setTimeout(() => {}, 60000)'")] },
        { text: 'Heard after the stop.' },
      ],
    }
  }),
}
