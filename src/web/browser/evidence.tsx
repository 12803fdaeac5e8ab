import { plural } from './format.ts'
import { sessionAddress } from './session-row.tsx'

/** `uid#seq` as a link to that place. */
export function evidenceAddress(evidence: string): string {
  const at = evidence.lastIndexOf('#')
  return at === -1 ? sessionAddress(evidence) : sessionAddress(evidence.slice(0, at), evidence.slice(at))
}

const MOST = 4

/** Links to the places that something was counted from. */
export function Evidence({ places }: { places: readonly string[] }) {
  return (
    <span title={plural(places.length, 'place')}>
      {places.slice(0, MOST).map((place, i) => (
        <a key={place} class="evidence" href={evidenceAddress(place)}>
          {i + 1}
        </a>
      ))}
      {places.length > MOST ? <span class="dim"> of {places.length}</span> : null}
    </span>
  )
}
