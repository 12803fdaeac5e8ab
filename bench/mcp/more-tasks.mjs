/**
 * Twenty more about the demo's sessions, written without a look at what the tools answer; run with --more. Each: how it
 * is asked, in what words, and words that only the answer holds.
 */
export const MORE_TASKS = [
  ['search', 'terraform could not get its lock this morning, what was holding it?', 'left the lock behind'],
  ['search', 'where do the service names in the dashboards come from?', 'the collector sets from the name'],
  ['search', 'why was reading from a network share so slow?', 'every page fault'],
  ['search', 'what did local files and network files do differently after the fix in sift?', 'blocks of 1 MiB'],
  ['search', 'how many tile requests were saved on the map?', '25 requests became 16'],
  ['search', 'the docs search finds nothing in production, why?', 'production lives under /handbook'],
  ['search', 'why was the tide one hour off after the clocks changed?', 'of *today* was added'],
  ['search', 'which places in the code request map tiles?', 'prefetch.ts:12'],
  ['search', 'does building the offline pack go through prefetch?', 'lists its tiles itself'],
  ['search', 'how do preview deployments authenticate without a stored key?', 'no long-lived key is left'],
  ['search', 'what happens to invalid UTF-8 in the JSON output?', 'U+FFFD'],
  ['search', 'does the new release change the plain output that scripts parse?', 'keep working'],
  ['search', 'how big is the nightly import file?', '6 GB unpacked'],
  ['search', 'do old bookmarks still work after the guides moved?', 'Anchors survive a redirect'],
  ['search', 'what could replace the chart package that wants the old React?', 'forty lines of SVG'],
  ['error', 'Error: Error acquiring the state lock', 'force-unlock'],
  ['error', 'npm error code ERESOLVE\nnpm error peer react@"^18" from react-chartist@4.2.0', 'release candidate'],
  ['file', 'src/tides/format.ts', 'an hour late'],
  ['file', 'src/map/prefetch.ts', 'map tile shows up twice'],
  ['similar', 'pods evicted because nothing asks for ephemeral storage', 'evicted every night'],
].map(([how, question, answer], i) => ({ id: `more-${i + 1}`, how, question, answers: [answer] }))
