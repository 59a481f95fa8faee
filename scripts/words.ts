// `npm run words` fails if a retired word is used. scripts/words/rules.json has the words, their replacements
// and the permitted places. scripts/words/baseline.json has the number of remaining places of each word,
// which may only shrink.
//
//   npm run words                  checks
//   npm run words -- WORD          lists every place of the rules whose name has WORD in it
//   npm run words -- --lower       lowers the baseline to what is left
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Finding, type Rule, WordFinder } from './words/find-words.js'

interface RuleBook {
  skipped: readonly { in: string; why: string }[]
  rules: readonly Rule[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const baselineFile = join(root, 'scripts/words/baseline.json')
const { skipped, rules }: RuleBook = JSON.parse(read('scripts/words/rules.json'))
const baseline: Record<string, number> = JSON.parse(readFileSync(baselineFile, 'utf8'))

const folders = [
  'sdk',
  'apiserver',
  'simulator',
  'testing',
  'cli',
  'examples',
  'docs',
  'test',
  'bench',
  'scripts',
  'bin',
]
const maxShown = 30

const finder = new WordFinder(rules)
const places = filesToRead().flatMap((file) => finder.find(file, read(file)))
const byRule = new Map(rules.map((rule) => [rule.word, places.filter((place) => place.rule === rule)]))

const [asked] = argv.slice(2)
if (asked === '--lower') lowerBaseline()
else if (asked !== undefined) list(asked)
else check()

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Sources and documents in the order of their paths, without generated ones. */
function filesToRead(): string[] {
  const within = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  return [...readdirSync(root), ...within]
    .filter(
      (file) => /\.(?:[cm]?[jt]sx?|md|go)$/.test(file) && !/(?:^|\/)(?:node_modules|\.tap)\//.test(file),
    )
    .filter((file) => !skipped.some((one) => file.startsWith(one.in)))
    .sort()
}

function check(): void {
  const problems = [...byRule].flatMap(([word, found]) => {
    const known = baseline[word] ?? 0
    if (found.length <= known) return []
    return [`${word}: ${found.length} places, but the baseline has ${known}`, ...shown(found)]
  })
  for (const { why } of finder.unused()) problems.push(`this permission is not needed any more: ${why}`)
  const left = Object.values(baseline).reduce((sum, count) => sum + count, 0)
  const gone = left - places.length
  stdout.write(`${places.length} places of retired words are left\n`)
  if (problems.length > 0) stdout.write(`${problems.join('\n')}\n`)
  else if (gone > 0) stdout.write(`${gone} fewer than the baseline: npm run words -- --lower\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** Changed files come first, because a new place is most likely there. */
function shown(found: readonly Finding[]): string[] {
  const changed = new Set(changedFiles())
  const isNew = ({ file }: Finding) => changed.has(file)
  const sorted = [...found.filter(isNew), ...found.filter((place) => !isNew(place))]
  const more = sorted.length > maxShown ? [`  … and ${sorted.length - maxShown} more`] : []
  return [...sorted.slice(0, maxShown).map(lineOf), ...more]
}

function changedFiles(): string[] {
  try {
    const args = ['-C', root, 'diff', '--name-only', 'HEAD']
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  } catch {
    // Without git, or outside a clone, the places are in the order of their files.
    return []
  }
}

function lineOf({ file, line, text, rule }: Finding): string {
  return `  ${file}:${line}: "${text}": say ${rule.say}`
}

function list(word: string): void {
  for (const [name, found] of byRule) {
    if (name.toLowerCase().includes(word.toLowerCase()))
      stdout.write(`${[`${name}: ${found.length}`, ...found.map(lineOf)].join('\n')}\n`)
  }
}

function lowerBaseline(): void {
  const counts = [...byRule].map(
    ([word, found]) => [word, Math.min(found.length, baseline[word] ?? 0)] as const,
  )
  const left = Object.fromEntries(counts.filter(([, count]) => count > 0))
  writeFileSync(baselineFile, `${JSON.stringify(left, null, 2)}\n`)
}
