import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { entrypoint } from '../cli/create/templates/entrypoint.js'
import { missingPrograms, programs } from './helm/charts.js'

const name = 'sync-all-configmaps'
const fileBefore020 = `examples/${name}/plugin.v0.19.yaml`

const rule = z.strictObject({
  apiGroups: z.array(z.string()),
  resources: z.array(z.string()),
  verbs: z.array(z.string()),
})

/** The members of a sidecar in the charts; others are rejected here because charts do not render them. */
const sidecar = z.strictObject({
  image: z.string(),
  imagePullPolicy: z.literal('IfNotPresent'),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  rbac: z.strictObject({ role: z.strictObject({ extraRules: z.array(rule) }) }),
})

const values = z.strictObject({
  plugin: z.strictObject({ [name]: sidecar }),
  sync: z.strictObject({
    toHost: z.strictObject({ configMaps: z.strictObject({ enabled: z.literal(false) }) }),
  }),
})

const valuesBefore020 = z.strictObject({
  plugin: z.strictObject({ [name]: sidecar }),
  syncer: z.strictObject({ extraArgs: z.tuple([z.literal('--sync=-configmaps')]) }),
})

const devspace = z.object({
  version: z.literal('v2beta1'),
  name: z.literal(name),
  vars: z.record(z.string(), z.strictObject({ source: z.literal('env'), default: z.string() })),
  images: z.object({ plugin: z.object({ image: z.literal(variable('PLUGIN_IMAGE')), target: z.string() }) }),
  deployments: z.object({
    vcluster: z.object({
      helm: z.object({
        releaseName: z.literal(variable('VCLUSTER_NAME')),
        valuesFiles: z.tuple([z.literal('plugin.yaml')]),
        values: z.object({
          plugin: z.strictObject({
            [name]: z.object({
              image: z.literal(variable('runtime.images.plugin')),
              command: z.array(z.string()),
            }),
          }),
          controlPlane: z.object({
            statefulSet: z.object({ probes: z.record(z.string(), z.object({ enabled: z.literal(false) })) }),
          }),
        }),
      }),
    }),
  }),
  dev: z.object({
    plugin: z.object({
      labelSelector: z.strictObject({
        app: z.literal('vcluster'),
        release: z.literal(variable('VCLUSTER_NAME')),
      }),
      container: z.literal(name),
      sync: z.tuple([z.object({ path: z.literal('./:/app'), excludePaths: z.array(z.string()) })]),
      terminal: z.object({ disableReplace: z.literal(true), workDir: z.literal('/app') }),
    }),
  }),
})

void t.test('plugin.yaml installs a sidecar in the format of charts since 0.20', async (t) => {
  const { plugin } = values.parse(yaml('plugin.yaml'))
  t.equal(plugin[name].image, `${name}:dev`)
})

const { VCLUSTER_CHART = '' } = process.env
const skip =
  (VCLUSTER_CHART === '' &&
    'VCLUSTER_CHART is not set: export VCLUSTER_CHART=$(test/vcluster-chart/fetch)') ||
  missingPrograms

void t.test(
  'the chart of vcluster takes the values, and its Pod has the restricted container that they describe',
  { skip },
  async (t) => {
    for (const helm of programs) {
      const args = ['template', 'vc', VCLUSTER_CHART, '--values', 'plugin.yaml']
      const objects = parseAllDocuments(execFileSync(helm, args, { encoding: 'utf8' }))
      const set = objects.map((one) => one.toJS()).find((object) => object?.kind === 'StatefulSet')
      const containers: { name: string; securityContext: object }[] = set.spec.template.spec.containers
      const { securityContext } = values.parse(yaml('plugin.yaml')).plugin[name]
      t.same(containers.find((container) => container.name === name)?.securityContext, securityContext)
    }
  },
)

void t.test(
  'the example’s plugin.v0.19.yaml installs the same sidecar in the format of older charts',
  async (t) => {
    const { plugin } = valuesBefore020.parse(yaml(fileBefore020))
    t.same(plugin[name], values.parse(yaml('plugin.yaml')).plugin[name])
  },
)

void t.test('both equal the output of vcluster-plugin manifest for the example', async (t) => {
  const [since020, before020] = await Promise.all([
    manifest(`examples/${name}`),
    manifest(`examples/${name}`, '--vcluster-version', '0.19.10'),
  ])
  t.equal(since020, read('plugin.yaml'))
  t.equal(before020, read(fileBefore020))
})

void t.test('neither has an in-syncer plugin, or a plugin that vcluster does not wait for', async (t) => {
  for (const file of ['plugin.yaml', fileBefore020]) {
    const text = read(file).replace(/^\s*#.*$/gm, '')
    t.notMatch(text, /^\s+version:/m, file)
    t.notMatch(text, /^\s+optional:/m, file)
    t.notMatch(text, /^plugins:/m, file)
  }
})

void t.test(
  'devspace.yaml runs the example from its sources in the container that plugin.yaml creates',
  async (t) => {
    const { vars, images, dev } = devspace.parse(yaml('devspace.yaml'))
    t.same(Object.keys(vars), ['PLUGIN_IMAGE', 'VCLUSTER_NAME', 'VCLUSTER_VERSION'])
    t.match(stages(), { [images.plugin.target]: 'packages' })
    t.ok(dev.plugin.sync[0].excludePaths.includes('node_modules/'), 'packages in the container are kept')
    t.match(scripts().plugin, new RegExp(`^exec node .* examples/${name}/main.ts$`))
  },
)

void t.test(
  'the Dockerfile builds the bundle of the example, without root and without a shell',
  async (t) => {
    const dockerfile = read('Dockerfile')
    t.equal(Object.keys(stages()).at(-1), 'sidecar', 'the default target is the last stage')
    const entry = /^ARG PLUGIN_ENTRY=(.*)$/m.exec(dockerfile)?.[1] ?? ''
    t.match(entry, `examples/${name}/`)
    t.ok(existsSync(entry))
    t.match(
      dockerfile,
      /^RUN node bin\/vcluster-plugin.js bundle "\$PLUGIN_ENTRY" \/plugin\/main.mjs --require-engine --compile-cache 1000$/m,
    )
    t.match(dockerfile, /^ENV NODE_COMPILE_CACHE=\/plugin\/parts\/main\/compile-cache$/m)
    t.match(dockerfile, /^USER 1000:1000$/m, 'the user of the compile cache')
    t.match(dockerfile, `\n${entrypoint('/plugin/main.mjs')}\n`)
  },
)

function manifest(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['bin/vcluster-plugin.js', 'manifest', ...args], (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    )
  })
}

/** The stages of the Dockerfile in order, each with its base stage or image. */
function stages(): Record<string, string> {
  const lines = read('Dockerfile').matchAll(/^FROM (\S+) AS (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, from = '', stage = '']) => [stage, from]))
}

function scripts(): Record<string, string> {
  return z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
    .scripts
}

function variable(path: string): string {
  return `\${${path}}`
}

function yaml(file: string): unknown {
  return parse(read(file), { strict: true, uniqueKeys: true })
}

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}
