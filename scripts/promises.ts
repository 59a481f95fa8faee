// The pages of promises. `npm run promises` writes them from scripts/promises/*.yaml, which name each promise,
// its tests and their titles. test/docs.test.ts fails if a page is not current or a test is missing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import * as z from 'zod'

const folder = new URL('./promises/', import.meta.url)

const promiseSchema = z.strictObject({
  /** A text for readers. */
  promise: z.string(),
  /** The test files, each with the exact titles of its tests. */
  tests: z.record(z.string(), z.array(z.string()).nonempty()),
  /** Test files in which a real API server, node or helm program decides the same; may repeat those of `tests`. */
  real: z.array(z.string()).default([]),
})

const pageSchema = z.strictObject({
  heading: z.string(),
  introduction: z.string(),
  /** Sections with their promises, in the order of the page. */
  promises: z.record(z.string(), z.array(promiseSchema)),
  notProven: z.array(z.string()).default([]),
})

/** A promise with its tests. */
export type TestedPromise = z.infer<typeof promiseSchema>

/** A page of promises: the file, the text that it should have, and what it promises. */
export interface PromisePage {
  path: string
  text: string
  promises: TestedPromise[]
}

/** The pages as they should be. */
export function promisePages(): PromisePage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const page = pageSchema.parse(parse(readFileSync(new URL(file, folder), 'utf8')))
      const path = `docs/${file.replace(/yaml$/, 'md')}`
      return { path, text: textOf(page, file), promises: Object.values(page.promises).flat() }
    })
}

function textOf(page: z.infer<typeof pageSchema>, file: string): string {
  const sections = Object.entries(page.promises).map(([name, promises]) =>
    section(name, promises.map(itemOf)),
  )
  if (page.notProven.length > 0) sections.push(section('Not proven yet', page.notProven))
  return `# ${page.heading}

<!-- Written by npm run promises from scripts/promises/${file}. -->

${page.introduction.trim()}

${sections.join('\n')}`
}

const section = (name: string, items: readonly string[]) =>
  `## ${name}\n\n${items.map((item) => `${wrapped(`* ${item}`)}\n`).join('')}`

function itemOf({ promise, tests, real }: TestedPromise): string {
  const others = Object.keys(tests).filter((file) => !real.includes(file))
  const links = [...others.map((file) => `[test](../${file})`), ...real.map((file) => `[real](../${file})`)]
  return `${promise} (${links.join(', ')})`
}

/** The text in lines of at most 120 characters, as an item of a list. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= 120) lines[lines.length - 1] = longer
    else lines.push(lines.length > 0 ? `  ${word}` : word)
  }
  return lines.join('\n')
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href)
  for (const { path, text } of promisePages())
    writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text)
