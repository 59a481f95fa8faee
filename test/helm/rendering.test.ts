// Tests that a chart and its values render alike in `helm template`, in the template engine, and by a helm program.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import memoize from 'lodash/memoize.js'
import sortBy from 'lodash/sortBy.js'
import t from 'tap'
import type { FileChart } from '../../sdk/helm/chart/chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { packChart } from '../../sdk/helm/chart/pack-chart.js'
import { engineRenderer } from '../../sdk/helm/render/engine/engine-renderer.js'
import { helmRenderer } from '../../sdk/helm/render/program/helm-renderer.js'
import { runHelm } from '../../sdk/helm/render/program/run-helm.js'
import type { ChartRenderer, RenderRequest } from '../../sdk/helm/render/renderer.js'
import { templateProblem } from '../../sdk/helm/render/template-problem.js'
import { valuesProblem } from '../../sdk/helm/render/values-problem.js'
import { chartFolder, engine, isNightly, missingEngine, missingPrograms, programs } from './charts.js'

const signal = new AbortController().signal
const release = { name: 'demo', namespace: 'ns', revision: 1, isInstall: true }
const apiVersions = [
  'v1',
  'apps/v1',
  'autoscaling/v2',
  'networking.k8s.io/v1',
  'example.com/v1',
  'gateway.networking.k8s.io/v1',
]
const capabilities = { kubeVersion: 'v1.36.3', apiVersions }

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }
/** Values for each chart; some of them are wrong. */
const cases: Record<string, readonly Record<string, unknown>[]> = {
  starter: [{}, { ingress: { enabled: true }, autoscaling: { enabled: true }, replicaCount: 3 }],
  umbrella: [
    { owner: 'me' },
    { owner: 'me', removed: { by: null }, tags: { caches: true }, store: { enabled: false }, ports: [8080] },
    { owner: 'me', extra: { object: namespace } },
    {},
    { owner: 7 },
    { owner: 'me', text: '{{ .Values.nothing.at.all }}' },
  ],
  hooked: [{}, { count: 3, message: 'a "quoted" text' }],
  files: [
    {},
    { keep: { one: null, nested: null }, list: null, text: 'fail' },
    { keep: { one: null, nested: null } },
  ],
  old: [{}, { db: { enabled: false } }, { db: { password: null } }],
  numbers: [{}, { million: 12345678, half: 1e18 }],
}

/** A file of the chart `files` that UTF-8 cannot hold. */
const notText = Buffer.from([0x62, 0x69, 0x6e, 0x00, 0xff])

/** The charts, made once for each program. */
const chartsOf = memoize(async (program: string): Promise<Map<string, FileChart>> => {
  const folder = temporaryFolder()
  await promisify(execFile)(program, ['create', 'starter'], { cwd: folder })
  const names = Object.keys(cases)
  for (const name of names)
    if (name !== 'starter') cpSync(chartFolder(name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'files/config/binary.bin'), notText)
  const paths = names.map((name) => join(folder, name))
  return new Map(
    await Promise.all(paths.map(async (path, at) => [names[at] ?? '', await loadChart(path)] as const)),
  )
})

/** A folder for the time of this file. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helm-rendering-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The output of helm for a chart at a path, or its error. Helm runs once for the same arguments. */
const printed = memoize(print, (...args) => JSON.stringify(args))

async function print(program: string, path: string, values: object): Promise<string> {
  const args = ['template', 'demo', path, '-n', 'ns', '-f', '-', '--include-crds']
  const versions = ['--kube-version', 'v1.36.3', '-a', 'example.com/v1,gateway.networking.k8s.io/v1']
  const call = {
    path: program,
    args: [...args, ...versions],
    input: JSON.stringify(values),
    home: temporaryFolder(),
  }
  return runHelm({ ...call, timeoutMs: 30_000, signal }).then(
    ({ stdout }) => stdout,
    (error: Error) => error.message,
  )
}

/** The same text from a rendered chart. */
async function printable(renderer: ChartRenderer, request: RenderRequest): Promise<string> {
  const rendered = await renderer.render(request, signal)
  const crds = request.chart && 'files' in request.chart ? crdText(request.chart) : ''
  const hooks = rendered.hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}\n`)
  return `${crds}${rendered.manifest}${hooks.join('')}`
}

function crdText({ metadata, files }: FileChart): string {
  const found = files.filter(({ name }) => name.startsWith('crds/'))
  return found.map(({ name, data }) => `---\n# Source: ${metadata.name}/${name}\n${String(data)}\n`).join('')
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

/** Helm 3.18 alone prints whole numbers with all digits, and says violations of a schema in other words. */
const isComparable = (at: number, chart: string, values: Record<string, unknown>) =>
  at > 0 || (chart !== 'numbers' && typeof values.owner !== 'number')

/** An error of helm as the renderer words it: violations of a schema and unset values are in plain words. */
const inPlainWords = (printedError: string) =>
  templateProblem(valuesProblem(printedError.replace(/^Error: /, '')))

for (const [at, program] of (missingPrograms ? [''] : programs).entries()) {
  const skip = missingPrograms || missingEngine || isNightly(at)
  void t.test(`the engine renders what helm ${at + 3} prints`, { skip }, async (t) => {
    const renderer = await engineRenderer({ engine })
    t.teardown(() => renderer.close())
    for (const [name, chart] of await chartsOf(program)) {
      for (const values of cases[name] ?? []) {
        if (!isComparable(at, name, values)) continue
        const theirs = await printed(program, chart.source, values)
        const ours = await printable(renderer, { chart, values, release, capabilities }).catch(
          (error: Error) => error.message,
        )
        const about = `${name} ${JSON.stringify(values)}`
        if (!theirs.startsWith('Error: ')) t.equal(ours, theirs, about)
        else {
          t.not(lastLine(ours), '', about)
          t.match(inPlainWords(theirs), lastLine(ours), about)
        }
      }
    }
  })

  void t.test(
    `a program of helm ${at + 3} renders the same objects, hooks and definitions as the engine`,
    { skip },
    async (t) => {
      const renderers = [await engineRenderer({ engine }), await helmRenderer({ bin: program })]
      t.teardown(() => Promise.all(renderers.map((renderer) => renderer.close())))
      for (const [name, chart] of await chartsOf(program)) {
        for (const values of cases[name] ?? []) {
          if (!isComparable(at, name, values)) continue
          const request = { chart, values, release: { ...release, isInstall: false }, capabilities }
          const [ours, theirs] = await Promise.all(
            renderers.map((renderer) =>
              renderer.render(request, signal).then(
                ({ objects, hooks, crds, leftOut = [] }) => ({
                  objects,
                  leftOut: leftOut.map((one) => /\(.*\)$/.exec(one)?.[0]),
                  hooks: hooks.map(withoutDefaults),
                  crds: crds.map(({ object }) => object),
                }),
                (error: Error & { reason: string }) => ({
                  reason: error.reason,
                  line: lastLine(error.message),
                }),
              ),
            ),
          )
          t.strictSame(theirs, ours, `${name} ${JSON.stringify(values)}`)
        }
      }
    },
  )

  void t.test(
    `helm ${at + 3} prints the same for an archive of ours as for the folder`,
    { skip: missingPrograms || isNightly(at) },
    async (t) => {
      for (const [name, chart] of await chartsOf(program)) {
        const [values = {}] = cases[name] ?? []
        const path = join(temporaryFolder(), `${name}.tgz`)
        writeFileSync(path, await packChart(name, chart.files))
        t.equal(await printed(program, path, values), await printed(program, chart.source, values), name)
      }
    },
  )
}

void t.test('an archive of helm is loaded as its folder', { skip: missingPrograms }, async (t) => {
  for (const [at, program] of programs.entries()) {
    const folder = t.testdir({ [at]: {} })
    for (const [name, chart] of await chartsOf(program)) {
      const { stdout } = await promisify(execFile)(program, ['package', chart.source, '-d', folder])
      const packed = await loadChart(stdout.trim().replace(/^.*: /, ''))
      t.strictSame(comparable(packed), comparable(chart), `helm ${at + 3}: ${name}`)
    }
  }
})

/**
 * Everything but where a chart is, and its `Chart.yaml`, which helm writes again, with empty texts;
 * it packs no `.helmignore`, and in another order.
 */
const comparable = ({ source: _, files, templates, otherFiles, subcharts, ...chart }: FileChart): object => ({
  ...chart,
  metadata: JSON.parse(JSON.stringify(chart.metadata, (_, value) => (value === '' ? undefined : value))),
  files: textsOf(files),
  otherFiles: textsOf(otherFiles),
  templates: textsOf(templates),
  subcharts: sortBy(subcharts, 'metadata.name').map(comparable),
})

const textsOf = (files: FileChart['files']) =>
  files
    .filter(({ name }) => !/(^|\/)(Chart.yaml|.helmignore)$/.test(name))
    .map(({ name, data }) => `${name} ${Buffer.from(data).toString('base64')}`)
    .sort()

const withoutDefaults = (hook: object) => JSON.parse(JSON.stringify(hook)) as object
