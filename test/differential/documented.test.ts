// The page about the embedded server has every difference that the random tests leave out, in the words that their
// lists name. Each line of its list "What differs", and each difference of random requests, has a case or an entry
// there.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { knownDifferences } from '../conformance/known-differences.js'
import { expected } from './fuzz/expected-differences.js'
import { excludedSteps } from './known-differences.js'

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

async function readPage(): Promise<string> {
  return readFile(new URL('../../docs/embedded-apiserver.md', import.meta.url), 'utf8')
}

/** The text of a section, without those after it. */
function sectionOf(page: string, title: string): string {
  const [, after = ''] = page.split(`\n## ${title}\n`)
  return after.split('\n## ', 1)[0] ?? ''
}

/** The lines of a list, each in one line. */
function linesOf(list: string, mark: RegExp): string[] {
  return list
    .split(mark)
    .slice(1)
    .map((text) => inOneLine(text.split('\n\n', 1)[0] ?? ''))
}

void t.test('docs/embedded-apiserver.md has every known difference', async (t) => {
  const text = inOneLine(await readPage())
  for (const { docs, why } of [...expected, ...excludedSteps]) t.ok(text.includes(docs), why)
  const list = inOneLine(sectionOf(await readPage(), 'What differs'))
  for (const { docs, why } of Object.values(knownDifferences)) t.ok(list.includes(docs), why)
})

void t.test('each line of the list has a case that is known to differ', async (t) => {
  const lines = linesOf(sectionOf(await readPage(), 'What differs'), /\n\d+\. /)
  const named = Object.values(knownDifferences).map(({ docs }) => docs)
  t.ok(lines.length >= 8, 'the list was found')
  for (const line of lines)
    t.ok(
      named.some((docs) => line.includes(docs)),
      line,
    )
})

void t.test('each known difference of random requests is one that they meet', async (t) => {
  const [, list = ''] = sectionOf(await readPage(), 'Random requests').split('Known differences:\n')
  const lines = linesOf(list, /\n\* /)
  t.ok(lines.length >= 8, 'the list was found')
  const named = [...expected, ...excludedSteps].map(({ docs }) => docs)
  for (const line of lines)
    t.ok(
      named.some((docs) => line.includes(docs)),
      line,
    )
})
