// Puts known bugs into a mirror and holds the kit to finding each. docs/detection-matrix.md is what came out; after a
// change `UPDATE=1 npm test -- test/detection` writes it anew. What is found by chance is not held to.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { configMaps } from 'vcluster-plugin-sdk'
import {
  exhaustCrashes,
  exhaustLostEvents,
  exhaustRefusals,
  exhaustStaleness,
  perturb,
  replay,
  type Scenario,
  ScenarioFailure,
} from 'vcluster-plugin-sdk/testing'
import { bugs } from './bugs.js'
import { Mirror } from './mirror.js'

// Some thousand runs: seconds on a machine at rest, but more than the usual limit on a busy one.
t.setTimeout(900_000)
// What tap itself allows a file, whatever the file says otherwise.
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
    'a ConfigMap is made': ({ virtual }) =>
      virtual.create(configMaps, { metadata: key, data: { text: 'hello' } }),
    'its text changes': ({ virtual }) => virtual.patch(configMaps, key, change({ data: { text: 'bye' } })),
    'someone edits the copy': ({ host }) =>
      host.patch(configMaps, hostKey, change({ data: { text: 'edited' } })),
    'someone deletes the copy': ({ host }) => host.delete(configMaps, hostKey),
    'it is deleted': ({ virtual }) => virtual.delete(configMaps, key),
    'it is made anew': ({ virtual }) =>
      virtual.create(configMaps, { metadata: key, data: { text: 'again' } }),
    'one is made whose copy finds its name taken': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'taken' } }),
    'one is made for a while': ({ virtual }) => virtual.create(configMaps, { metadata: brief }),
    'it goes': ({ virtual }) => virtual.delete(configMaps, brief),
    'another is made': ({ virtual }) =>
      virtual.create(configMaps, { metadata: last, data: { text: 'last' } }),
    'someone edits its copy': ({ host }) =>
      host.patch(configMaps, lastHost, change({ data: { text: 'edited' } })),
  },
})

const exhaustive = [exhaustCrashes, exhaustStaleness, exhaustLostEvents, exhaustRefusals]
const methods = {
  exhaustCrashes,
  exhaustStaleness,
  exhaustLostEvents,
  exhaustRefusals,
  perturb: (scenario: Scenario) => perturb(scenario, { seed: 1, runs: 40 }),
}

/** What each method says of a syncer: nothing, that it is wrong undisturbed, or with which schedule. */
async function verdicts(syncer: typeof Mirror): Promise<string[]> {
  const said: string[] = []
  for (const method of Object.values(methods)) said.push(await verdict(method, scenarioOf(syncer)))
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
    if (!(error instanceof ScenarioFailure)) return 'undisturbed'
    const schedule = /replay\(scenario, '(.*?)'\)/.exec(error.message)?.[1]
    return schedule === undefined ? 'undisturbed' : `\`${schedule}\``
  }
}

void t.test('the mirror that the bugs are put into is found right', async (t) => {
  t.same(
    await verdicts(Mirror),
    Object.keys(methods).map(() => ''),
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

/** What the table says of a bug, method by method. */
const cells = new Map(
  readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , does = '', ...said]) => [does, said]),
)

const found = (cell: string | undefined) => cell !== undefined && cell !== '–' && cell !== ''

/** The kinds of disturbance that each exhaustive method tries, in the table's order. */
const tried = [/^(crash|restart|down):/, /^late:/, /^(lost|repeated):/, /^(refuse|drop):/]

const scheduleIn = (cell: string | undefined) => /`(.*)`/.exec(cell ?? '')?.[1]

/** Whether a scenario fails with a schedule, in the way that a wrong syncer makes it fail. */
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
    `the table in the docs says rightly what finds a syncer that ${kind}`,
    { timeout: 840_000 },
    async (t) => {
      for (const { does, syncer } of known) {
        const scenario = scenarioOf(syncer)
        const said = (cells.get(does) ?? []).slice(0, exhaustive.length)
        const first = Math.max(said.findIndex(found), 0)
        for (const [i, cell] of said.entries()) {
          const schedule = scheduleIn(cell)
          if (schedule) t.match(schedule, tried[i], `${does}: ${schedule} is one that the method tries`)
          // A method that tries a schedule that fails finds the bug. It need not be searched for again.
          const isFound = schedule !== undefined && (await failsWith(scenario, schedule))
          if (i !== first)
            t.equal(isFound, schedule !== undefined, `${does}: ${schedule ?? 'not searched for'}`)
          else
            t.ok(
              isFound || (await verdict(exhaustive[i] ?? exhaustCrashes, scenario)) !== '',
              `${does}: found`,
            )
        }
      }
    },
  )
}

void t.test('the table has every bug, and no other', async (t) => {
  const names = Object.values(bugs).flatMap((known) => known.map(({ does }) => does))
  t.ok(names.length >= 16, `${names.length} bugs`)
  t.same([...cells.keys()].slice(2), names)
})

function page(rows: readonly string[]): string {
  return `# Detection matrix

Known ways for a syncer to be wrong, each put into a mirror of ConfigMaps that is right otherwise
(\`test/detection/bugs.ts\`), and what [the crash kit](guides/testing-with-crashes.md) says of it. A cell names the first
schedule that fails (for \`perturb\` the smallest it found, of 40 runs from seed 1), "undisturbed" means that the scenario
fails with nothing going wrong, and a dash that the method does not see the bug. \`test/detection/detection.test.ts\` makes
this table and fails when the first exhaustive call of a row no longer finds the bug, or another schedule of it no longer fails.

| the syncer | bug: it | ${Object.keys(methods)
    .map((name) => `\`${name}\``)
    .join(' | ')} |
|---|---|${Object.keys(methods)
    .map(() => '---|')
    .join('')}
${rows.join('\n')}
`
}
