// The Helm charts and the kustomize layouts of `vcluster-plugin manifest`, as Helm and kubectl read them: they yield
// the objects that `manifest` prints.
import { execFile, execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import type { ChartDesign } from '../cli/manifest/chart/chart-files.js'
import { operatorValues } from '../cli/manifest/chart/chart-values.js'
import { operatorChart } from '../cli/manifest/chart/operator-chart.js'
import { tokens } from '../cli/manifest/chart/tokens.js'
import { writeChart } from '../cli/manifest/chart/write-chart.js'
import { operatorObjects } from '../cli/manifest/operator/operator-objects.js'
import type { OperatorManifestOptions } from '../cli/manifest/operator/operator-options.js'
import type { PodOptions } from '../cli/manifest/pod-options.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { describeOperator } from '../sdk/operator/describe/describe-operator.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf, type OperatorOptions } from '../sdk/operator/index.js'
import { caches } from '../sdk/operator/webhook/caches.fixture.js'
import { root } from './dev-run.js'
import { missingPrograms, programs } from './helm/charts.js'

const namespace = 'my-space'
const defaults: OperatorManifestOptions = {
  image: 'mine:v1',
  replicas: 2,
  memoryMiB: 400,
  createsNamespace: false,
  secureMetrics: true,
  serviceMonitor: false,
  networkPolicy: true,
}

/** An operator with webhooks and conversion, whose objects name their namespace in many ways. */
const describe = (ownNamespace: string, options: Pick<OperatorOptions, 'webhooks'> = {}) =>
  describeOperator({ name: 'mine', env: { POD_NAMESPACE: ownNamespace }, ...options }, [
    controller(caches, { reconcile: () => {} }) as never,
  ])

async function written(t: Test, design: ChartDesign): Promise<string> {
  const folder = join(t.testdir(), 'chart')
  await writeChart(folder, design)
  return folder
}

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd: root, maxBuffer: 1e8 })
  return stdout
}

/** By kind and name, without what only a release of Helm has. */
function byName(objects: readonly KubeObject[]): Record<string, unknown> {
  const plain = objects.map((object) => {
    const { annotations, ...metadata } = object.metadata
    const { 'helm.sh/resource-policy': _, ...own } = annotations ?? {}
    const found = {
      ...object,
      metadata: { ...metadata, ...(Object.keys(own).length > 0 && { annotations: own }) },
    }
    return [`${object.kind} ${metadata.name}`, JSON.parse(JSON.stringify(found))] as const
  })
  return Object.fromEntries(plain.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const parsed = (yaml: string): KubeObject[] =>
  parseAllDocuments(yaml)
    .map((document) => document.toJS())
    .filter(Boolean)

const settings = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])

void t.test(
  'the chart of an operator yields its manifest, for any values',
  { skip: missingPrograms },
  async (t) => {
    const chart = await written(t, operatorChart(describe(tokens.namespace), defaults, '1.2.3'))
    const rendered = async (helm: string, values: Readonly<Record<string, unknown>>) =>
      byName(
        parsed(await run(helm, 'template', 'release', chart, '--namespace', namespace, ...settings(values))),
      )
    const expected = (options: Partial<OperatorManifestOptions>) =>
      byName(Object.values(operatorObjects(describe(namespace), { ...defaults, ...options })).flat())
    for (const helm of programs) {
      t.strictSame(await rendered(helm, {}), expected({}))
      const other = { replicas: 3, memoryMiB: 513, serviceMonitor: true, networkPolicy: false }
      t.strictSame(
        await rendered(helm, { ...other, priorityClassName: 'high', image: 'registry.example.com/mine:v2' }),
        expected({ ...other, priorityClass: 'high', image: 'registry.example.com/mine:v2' }),
      )
      const one = await rendered(helm, { replicas: 1 })
      t.notOk(one['PodDisruptionBudget mine'], 'which would block drains')
      t.match(await run(helm, 'lint', '--strict', chart), '0 chart(s) failed')
    }
  },
)

const pod: PodOptions = {
  env: [{ name: 'LOG_LEVEL', value: 'debug' }],
  envFrom: [{ secretRef: { name: 'cloud' } }, { configMapRef: { name: 'settings' } }],
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { 'example.com/pool': 'infra' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'infra', effect: 'NoSchedule' }],
}
const podFlags = [
  ...['--env', 'LOG_LEVEL=debug', '--env-from', 'secret/cloud', '--env-from', 'configmap/settings'],
  ...['--image-pull-secret', 'registry', '--node-selector', 'example.com/pool=infra'],
  ...['--toleration', 'dedicated=infra:NoSchedule'],
]

void t.test(
  'variables, pull secrets, node selectors and tolerations are values of each chart, and flags',
  { skip: missingPrograms },
  async (t) => {
    const chart = await written(t, operatorChart(describe(tokens.namespace), defaults, '1.2.3'))
    const values = join(t.testdirName, 'values.json')
    await writeFile(values, JSON.stringify(pod))
    const preset = join(t.testdirName, 'preset')
    await writeChart(preset, operatorChart(describe(tokens.namespace), { ...defaults, pod }, '1.2.3'))
    const expected = byName(Object.values(operatorObjects(describe(namespace), { ...defaults, pod })).flat())
    t.match(expected['Deployment mine'], { spec: { template: { spec: { nodeSelector: pod.nodeSelector } } } })
    const standalone = join(t.testdirName, 'standalone')
    const manifest = ['bin/vcluster-plugin.js', 'manifest', 'examples/sync-all-configmaps']
    const flags = [...manifest, '--mode', 'standalone', ...podFlags]
    await run(process.execPath, ...flags, '--chart', standalone)
    const printed = byName(parsed(await run(process.execPath, ...flags, '--namespace', namespace)))
    t.match(printed['Deployment sync-all-configmaps'], { spec: { template: { spec: { ...members(pod) } } } })
    for (const helm of programs) {
      const template = async (folder: string, ...args: readonly string[]) =>
        byName(parsed(await run(helm, 'template', 'a', folder, '-n', namespace, ...args)))
      t.strictSame(await template(chart, '-f', values), expected)
      t.strictSame(await template(preset), expected)
      t.strictSame(await template(standalone), printed)
      t.match(await run(helm, 'lint', '--strict', preset), '0 chart(s) failed')
      const own = ['template', 'a', chart, '--set', 'env[0].name=METRICS_ADDRESS', '--set', 'env[0].value=x']
      await t.rejects(run(helm, ...own), /schema/, 'a variable of the program itself')
    }
  },
)

const members = ({ env: _, envFrom: __, ...others }: PodOptions) => others

void t.test('a plugin for CloudNativePG has them, and flags that cannot be are refused', async (t) => {
  const manifest = (...args: readonly string[]) =>
    run(process.execPath, 'bin/vcluster-plugin.js', 'manifest', ...args)
  const objects = parsed(await manifest('examples/cnpg-hello-world', ...podFlags))
  const deployment = objects.find(({ kind }) => kind === 'Deployment')
  t.match(deployment, {
    spec: { template: { spec: { ...members(pod), containers: [{ envFrom: pod.envFrom }] } } },
  })
  const refused: [RegExp, string[]][] = [
    [/--env "LOG_LEVEL" has no value/, ['--env', 'LOG_LEVEL']],
    [/--env METRICS_ADDRESS: the program needs this variable/, ['--env', 'METRICS_ADDRESS=:1']],
    [/--env-from "cloud" is not secret\/NAME/, ['--env-from', 'cloud']],
    [/--toleration "a:Never" is not KEY/, ['--toleration', 'a:Never']],
    [/--node-selector "a b" is not a valid value of disk: a valid label/, ['--node-selector', 'disk=a b']],
    [/--node-selector "disk-" is not a valid key: name part must/, ['--node-selector', 'disk-=a']],
    [
      /--toleration "x{64}" is not a valid value of a: must be no more/,
      ['--toleration', `a=${'x'.repeat(64)}`],
    ],
    [/--image-pull-secret "A B" is not a valid name/, ['--image-pull-secret', 'A B']],
  ]
  for (const [stderr, flags] of refused)
    await t.rejects(manifest('examples/memcached', ...flags), { code: 2, stderr })
  const inVcluster = manifest('examples/sync-all-configmaps', '--env', 'A=b')
  await t.rejects(inVcluster, { code: 2, stderr: /the Pod of this plugin is that of its vcluster/ })
})

void t.test('values that the chart does not know are refused', { skip: missingPrograms }, async (t) => {
  const chart = await written(t, operatorChart(describe(tokens.namespace), defaults, '1.2.3'))
  for (const helm of programs)
    for (const value of ['replicas=0', 'memoryMiB=much', 'imagee=mine', 'networkPolicy=3'])
      await t.rejects(run(helm, 'template', 'release', chart, '--set', value), /schema/, value)
})

void t.test('braces in objects stay what they are', { skip: missingPrograms }, async (t) => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { text: '{{ .Values.x }} }}' },
  }
  const design = {
    name: 'mine',
    version: '1.0.0',
    description: 'x',
    annotations: {},
    values: [],
    templates: { a: [{ object }] },
  }
  const chart = await written(t, design)
  for (const helm of programs) t.strictSame(parsed(await run(helm, 'template', 'a', chart)), [object])
})

void t.test('Artifact Hub finds the kinds, the image and the values of a chart', async (t) => {
  const chart = await written(t, operatorChart(describe(tokens.namespace), defaults, '1.2.3'))
  const { name, version, annotations } = parse(await readFile(join(chart, 'Chart.yaml'), 'utf8'))
  t.strictSame([name, version, annotations['artifacthub.io/operator']], ['mine', '1.2.3', 'true'])
  t.strictSame(parse(annotations['artifacthub.io/images']), [{ name: 'mine', image: 'mine:v1' }])
  const [definition, ...others] = parse(annotations['artifacthub.io/crds'])
  t.strictSame(Object.keys(definition), ['kind', 'version', 'name', 'displayName', 'description'])
  t.match(definition, { kind: 'Cache', name: crdOf(caches).metadata.name, description: /./ })
  t.strictSame(others, [])
  const readme = await readFile(join(chart, 'README.md'), 'utf8')
  t.match(readme, '| `memoryMiB` | `400` | The memory limit of a Pod, in MiB. |')
  for (const value of operatorValues(defaults)) t.match(readme, `| \`${value.name}\` |`)
})

void t.test('definitions stay when the release goes', async (t) => {
  const { templates } = operatorChart(describe(tokens.namespace), defaults, '1.2.3')
  t.ok(templates.crd?.length)
  for (const { object } of templates.crd ?? [])
    t.equal(object.metadata.annotations?.['helm.sh/resource-policy'], 'keep')
})

void t.test('the chart of a standalone plugin yields its manifest', { skip: missingPrograms }, async (t) => {
  const folder = join(t.testdir(), 'chart')
  const standalone = [
    'bin/vcluster-plugin.js',
    'manifest',
    'examples/sync-all-configmaps',
    '--mode',
    'standalone',
  ]
  const [, printed] = await Promise.all([
    run(process.execPath, ...standalone, '--chart', folder),
    run(process.execPath, ...standalone, '--namespace', namespace, '--vcluster-name', 'theirs'),
  ])
  for (const helm of programs) {
    const made = await run(helm, 'template', 'a', folder, '-n', namespace, '--set', 'vclusterName=theirs')
    t.strictSame(byName(parsed(made)), byName(parsed(printed)))
  }
})

void t.test('a chart that is written again has no templates of removed objects', async (t) => {
  const design = (options?: Parameters<typeof describe>[1]) =>
    operatorChart(describe(tokens.namespace, options), defaults, '1.2.3')
  const folder = await written(t, design({ webhooks: { kinds: [caches] } }))
  t.match(await readFile(join(folder, 'templates/webhook.yaml'), 'utf8'), /kind: ValidatingWebhook/)
  await writeFile(join(folder, 'templates/mine.yaml'), '')
  const other = await readFile(join(folder, 'templates/crd.yaml'))
  await writeFile(join(folder, 'templates/plugin.yaml'), other)
  const templates = async () => (await readdir(join(folder, 'templates'))).sort()
  const used = ['crd', 'manager', 'metrics', 'mine', 'network-policy', 'rbac'].map((name) => `${name}.yaml`)
  await writeChart(folder, design())
  t.strictSame(await templates(), used, 'the files of users stay')
  await writeFile(join(folder, 'templates/webhook.yaml'), '# mine')
  await writeChart(folder, design())
  t.strictSame(await templates(), [...used, 'webhook.yaml'], 'also with the name of a template')
})

void t.test('other programs have no chart', async (t) => {
  const refused = (...args: readonly string[]) =>
    t.rejects(
      run(process.execPath, 'bin/vcluster-plugin.js', 'manifest', ...args, '--chart', t.testdirName),
      {
        code: 2,
        stderr: /--chart (is for operators and standalone plugins|does not go with)/,
      },
    )
  await refused('examples/sync-all-configmaps')
  await refused('examples/memcached', '--namespace', 'x')
})

void t.test('the kustomize layout yields the manifest', { skip: missingKubectl() }, async (t) => {
  const root = t.testdir()
  for (const program of [
    ['examples/memcached'],
    ['examples/sync-all-configmaps', '--mode', 'standalone'],
    ['examples/cnpg-hello-world'],
  ]) {
    const folder = join(root, String(program[0]))
    const manifest = ['bin/vcluster-plugin.js', 'manifest', ...program]
    const [printed] = await Promise.all([
      run(process.execPath, ...manifest),
      run(process.execPath, ...manifest, '--kustomize', folder),
    ])
    t.strictSame(byName(parsed(await run('kubectl', 'kustomize', folder))), byName(parsed(printed)))
  }
})

void t.test('values of the chart of vcluster, and private keys, have no kustomize layout', async (t) => {
  const refused = (stderr: RegExp, ...args: readonly string[]) =>
    t.rejects(
      run(process.execPath, 'bin/vcluster-plugin.js', 'manifest', ...args, '--kustomize', t.testdirName),
      { code: 2, stderr },
    )
  await refused(/add --mode standalone/, 'examples/sync-all-configmaps')
  await refused(/which print private keys/, 'examples/cnpg-hello-world', '--self-signed')
})

void t.test('an operator and a CloudNativePG plugin have no mode', async (t) => {
  for (const example of ['memcached', 'cnpg-hello-world']) {
    const args = ['bin/vcluster-plugin.js', 'manifest', `examples/${example}`, '--mode', 'standalone']
    await t.rejects(run(process.execPath, ...args), {
      code: 2,
      stderr: /--mode is for plugins of a vcluster/,
    })
  }
})

function missingKubectl(): string | false {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' })
    return false
  } catch {
    return 'kubectl is not installed'
  }
}
