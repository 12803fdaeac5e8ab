import { RECORD_VERSION } from '../model/records.ts'
import type { SessionPages } from './session-pages.ts'

/** One JSON document a session: its record, and its events without what only a store needs. */
export function jsonPages(): SessionPages {
  let count = 0
  return {
    ending: 'json',
    begin(out, session) {
      count = 0
      const { v: _, record: __, lanes: ___, ...rest } = session
      out.write(`{"schema_version":${RECORD_VERSION},"session":${JSON.stringify(rest)},"events":[`)
    },
    event(out, event) {
      const { v: _, record: __, session_uid: ___, place, ...rest } = event
      const { call, summary } = place
      out.write(
        `${count++ === 0 ? '' : ','}\n${JSON.stringify({ ...rest, call, summary, superseded: (place.flags & 2) !== 0 })}`,
      )
    },
    end: (out) => out.write('\n]}\n'),
  }
}
