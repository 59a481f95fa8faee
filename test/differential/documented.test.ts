// Every difference that the random tests leave out is on the page about the embedded server, in the words that the list
// names.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { expected } from './fuzz/expected-differences.js'
import { excludedSteps } from './known-differences.js'

void t.test('docs/embedded-apiserver.md has every known difference', async (t) => {
  const page = await readFile(new URL('../../docs/embedded-apiserver.md', import.meta.url), 'utf8')
  const text = page.replaceAll(/\s+/g, ' ')
  for (const { docs, why } of [...expected, ...excludedSteps]) t.ok(text.includes(docs), why)
})
