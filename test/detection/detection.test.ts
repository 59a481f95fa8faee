// Puts known bugs into a mirror and checks that the crash kit finds each. docs/detection-matrix.md is the
// result; after a change `UPDATE=1 npm test -- test/detection` writes it again. Random findings are not
// checked.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { configMaps } from 'vcluster-plugin-sdk'
import { exhaust, perturb, replay, type Scenario, ScenarioFailure } from 'vcluster-plugin-sdk/testing'
import { bugs } from './bugs.js'
import { Mirror } from './mirror.js'

// Some thousand runs take seconds on an idle machine, but more than the default limit on a busy one.
t.setTimeout(900_000)
// The limit that tap reads for the file.
t.comment('timeout=900000')

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const brief = { namespace: 'default', name: 'brief' }
const last = { namespace: 'default', name: 'last' }
const lastHost = { namespace: 'vcluster-vc', name: 'last-x-default-x-vc' }
const change = (body: object) => ({ type: 'merge', body }) as const

const scenarioOf = (syncer: typeof Mirror): Scenario => ({
  register: (plugin, ctx) => plugin.register(new syncer(ctx)),
  maxFailures: 1,
  before: async ({ virtual, host }) => {
    await host.create(configMaps, {
      metadata: { namespace: hostKey.namespace, name: 'taken-x-default-x-vc' },
      data: { of: 'another' },
    })
    await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'counter' } })
  },
  steps: {
    'a ConfigMap is created': ({ virtual }) =>
      virtual.create(configMaps, { metadata: key, data: { text: 'hello' } }),
    'its text changes': ({ virtual }) => virtual.patch(configMaps, key, change({ data: { text: 'bye' } })),
    'a user edits the copy': ({ host }) =>
      host.patch(configMaps, hostKey, change({ data: { text: 'edited' } })),
    'a user deletes the copy': ({ host }) => host.delete(configMaps, hostKey),
    'it is deleted': ({ virtual }) => virtual.delete(configMaps, key),
    'it is recreated': ({ virtual }) =>
      virtual.create(configMaps, { metadata: key, data: { text: 'again' } }),
    'one is created whose copy has a name conflict': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'taken' } }),
    'one is created and soon deleted': ({ virtual }) => virtual.create(configMaps, { metadata: brief }),
    'it goes': ({ virtual }) => virtual.delete(configMaps, brief),
    'another is created': ({ virtual }) =>
      virtual.create(configMaps, { metadata: last, data: { text: 'last' } }),
    'a user edits its copy': ({ host }) =>
      host.patch(configMaps, lastHost, change({ data: { text: 'edited' } })),
  },
})

const exhaustive = ['crashes', 'late-events', 'lost-events', 'refusals'] as const
const explore = (fault: (typeof exhaustive)[number]) => (scenario: Scenario) =>
  exhaust(scenario, { faults: [fault] })
const methods = [...exhaustive.map(explore), (scenario: Scenario) => perturb(scenario, { seed: 1, runs: 40 })]

/**
 * The result of each method for a syncer: nothing, a failure without faults, or the schedule of a failure.
 */
async function verdicts(syncer: typeof Mirror): Promise<string[]> {
  const said: string[] = []
  for (const method of methods) said.push(await verdict(method, scenarioOf(syncer)))
  return said
}

async function verdict(
  method: (scenario: Scenario) => Promise<unknown>,
  scenario: Scenario,
): Promise<string> {
  try {
    await method(scenario)
    return ''
  } catch (error) {
    if (!(error instanceof ScenarioFailure)) return 'always'
    const schedule = /replay\(scenario, '(.*?)'\)/.exec(error.message)?.[1]
    return schedule === undefined ? 'always' : `\`${schedule}\``
  }
}

void t.test('the mirror without bugs passes', async (t) => {
  t.same(
    await verdicts(Mirror),
    methods.map(() => ''),
  )
})

const document = new URL('../../docs/detection-matrix.md', import.meta.url)

if (process.env.UPDATE) {
  const rows: string[] = []
  for (const [kind, known] of Object.entries(bugs)) {
    for (const { does, syncer } of known)
      rows.push(`| ${kind} | ${does} | ${(await verdicts(syncer)).map((one) => one || '–').join(' | ')} |`)
  }
  writeFileSync(document, page(rows))
}

/** The cells of a bug in the table, by method. */
const cells = new Map(
  readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , does = '', ...said]) => [does, said]),
)

const found = (cell: string | undefined) => cell !== undefined && cell !== '–' && cell !== ''

/** The kinds of faults that each exhaustive method injects, in the table's order. */
const tried = [/^(crash|restart|down):/, /^late:/, /^(lost|repeated):/, /^(refuse|drop):/]

const scheduleIn = (cell: string | undefined) => /`(.*)`/.exec(cell ?? '')?.[1]

/** Whether a scenario fails with a schedule, by a failure of the syncer. */
async function failsWith(scenario: Scenario, schedule: string): Promise<boolean> {
  try {
    await replay(scenario, schedule)
    return false
  } catch (error) {
    if (error instanceof ScenarioFailure) return true
    throw error
  }
}

for (const [kind, known] of Object.entries(bugs)) {
  void t.test(
    `the table in the docs is correct for a syncer that ${kind}`,
    { timeout: 840_000 },
    async (t) => {
      for (const { does, syncer } of known) {
        const scenario = scenarioOf(syncer)
        const said = (cells.get(does) ?? []).slice(0, exhaustive.length)
        const first = Math.max(said.findIndex(found), 0)
        for (const [i, cell] of said.entries()) {
          const schedule = scheduleIn(cell)
          if (schedule) t.match(schedule, tried[i], `${does}: ${schedule} is a schedule of the method`)
          // A method that tries a failing schedule finds the bug, so the search is not repeated.
          const isFound = schedule !== undefined && (await failsWith(scenario, schedule))
          if (i !== first)
            t.equal(isFound, schedule !== undefined, `${does}: ${schedule ?? 'not searched for'}`)
          else
            t.ok(
              isFound || (await verdict(explore(exhaustive[i] ?? 'crashes'), scenario)) !== '',
              `${does}: found`,
            )
        }
      }
    },
  )
}

void t.test('the table has all bugs and no others', async (t) => {
  const names = Object.values(bugs).flatMap((known) => known.map(({ does }) => does))
  t.ok(names.length >= 16, `${names.length} bugs`)
  t.same([...cells.keys()].slice(2), names)
})

function page(rows: readonly string[]): string {
  return `# Detection matrix

The table lists known bugs of syncers, each in an otherwise correct mirror of ConfigMaps (\`test/detection/bugs.ts\`), and the
results of [the crash kit](guides/testing-with-crashes.md). A cell names the first schedule that fails (for \`perturb\` the
smallest that it found, of 40 runs from seed 1). "always" means that the scenario fails without faults, too, and a dash that the
method does not find the bug. \`test/detection/detection.test.ts\` generates this table. It fails if the first exhaustive call of a
row no longer finds the bug, or if another schedule of it no longer fails.

| the syncer | bug | ${Object.keys(methods)
    .map((name) => `\`${name}\``)
    .join(' | ')} |
|---|---|${Object.keys(methods)
    .map(() => '---|')
    .join('')}
${rows.join('\n')}
`
}
