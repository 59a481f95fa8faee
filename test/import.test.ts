// Tests that importing an entry point of the package changes nothing in the process, and loads only the
// packages that it needs.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import * as z from 'zod'
import { root } from './dev-run.js'

t.setTimeout(600_000)

const { exports } = z
  .object({ exports: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
// The preload changes the process by design; test/bundle.test.ts covers it.
const entryPoints = Object.keys(exports)
  .filter((path) => path !== './package.json' && path !== './preload')
  .map((path) => path.replace(/^\./, 'vcluster-plugin-sdk'))

/** The variables that select the mode; see docs/guides/modes.md. */
const environments: Record<string, Record<string, string>> = {
  standalone: {},
  'next to a vcluster': { VCLUSTER_PLUGIN_NAME: 'mine', VCLUSTER_PLUGIN_ADDRESS: 'localhost:14000' },
  'inside a vcluster': {
    VCLUSTER_PLUGIN: 'vcluster',
    PLUGIN_PROTOCOL_VERSIONS: '1',
    PLUGIN_UNIX_SOCKET_DIR: '/tmp',
  },
  'asked to describe itself': { VCLUSTER_PLUGIN: 'vcluster', VCLUSTER_PLUGIN_DESCRIBE: '1' },
}

/** Runs a program in `test/import` with these modules and returns its result. */
async function ask(program: string, modules: readonly string[], env: Record<string, string> = {}) {
  const args = [
    '--conditions=vcluster-plugin-sdk:source',
    '--import=./scripts/load-typescript.mjs',
    `test/import/${program}.ts`,
    ...modules,
  ]
  const options = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.parse(stdout)
}

const names = z.array(z.string())

const loads = z.object({ packages: names, sources: names })

/**
 * The packages and sources that a process loads which imports only this module. The first process that imports a source
 * compiles it by esbuild, so that a second one is asked then.
 */
async function loadsOf(module: string): Promise<z.infer<typeof loads>> {
  const found = loads.parse(await ask('packages', [module]))
  return found.packages.includes('esbuild') ? loads.parse(await ask('packages', [module])) : found
}

/** The changes of a process that imports these modules one after the other, by module. */
const changesBy = async (modules: readonly string[], env?: Record<string, string>) =>
  z.record(z.string(), names).parse(await ask('changes', modules, env))

/** The module that opens clusters, which `init` imports. */
const transport = new URL('../sdk/engine/transport/create-transport.ts', import.meta.url).href

// The first process that imports a source compiles it, and that changes the process: these come first.
const loadsBy = new Map(
  await Promise.all(
    [...entryPoints, 'vcluster-plugin-sdk/preload', transport].map(
      async (module) => [module, await loadsOf(module)] as const,
    ),
  ),
)

/** zod, which validates a plugin's configuration, keeps its registries there for all its copies. */
const ofZod = ['globalThis.__zod_globalConfig', 'globalThis.__zod_globalRegistry']

for (const [where, env] of Object.entries(environments)) {
  void t.test(`${where}, importing the entry points changes nothing in the process`, async (t) => {
    const changes = await changesBy(entryPoints, env)
    t.same(Object.keys(changes), entryPoints)
    for (const [entryPoint, changed] of Object.entries(changes))
      t.same(
        changed.filter((name) => !ofZod.includes(name)),
        [],
        entryPoint,
      )
  })
}

void t.test('a change to the process is noticed', async (t) => {
  const modules = ['vcluster-plugin-sdk', 'vcluster-plugin-sdk/preload', './sets-dispatcher.ts']
  const [, preload, dispatcher] = Object.values(await changesBy(modules, environments['inside a vcluster']))
  const expected = ['stdout.write', 'stderr.write', 'process on unhandledRejection']
  t.same(
    expected.filter((name) => !preload?.includes(name)),
    [],
  )
  t.ok(dispatcher?.some((name) => name.includes('globalDispatcher')))
})

void t.test('the preload changes nothing outside of a vcluster', async (t) => {
  const preload = 'vcluster-plugin-sdk/preload'
  for (const env of [environments.standalone, environments['next to a vcluster']])
    t.same(await changesBy([preload], env), { [preload]: [] })
})

void t.test('opening clusters does not change the connections of fetch', async (t) => {
  t.same(await changesBy([transport]), { [transport]: [] })
})

const logging = [
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
]
/** The packages of each entry point, including their dependencies. */
const loaded: Record<string, readonly string[]> = {
  'vcluster-plugin-sdk': [...logging, 'leven', 'lodash', 'rxjs'],
  'vcluster-plugin-sdk/operator': [
    ...logging,
    '@opentelemetry/api',
    'bintrees',
    'leven',
    'lodash',
    'prom-client',
    'rxjs',
    'tdigest',
    'zod',
  ],
  'vcluster-plugin-sdk/helm': ['leven', 'lodash', 'rxjs'],
  'vcluster-plugin-sdk/modules': ['croner', 'leven', 'lodash', 're2js', 'rxjs', 'zod'],
  'vcluster-plugin-sdk/cnpg': [
    ...logging,
    '@bufbuild/protobuf',
    '@opentelemetry/api',
    'bintrees',
    'leven',
    'prom-client',
    'tdigest',
    'zod',
  ],
  'vcluster-plugin-sdk/kubernetes': [],
  'vcluster-plugin-sdk/cnpg/testing': [...logging, '@bufbuild/protobuf', 'leven', 'zod'],
  'vcluster-plugin-sdk/testing': [...logging, '@bufbuild/protobuf', 'leven', 'lodash', 'rxjs', 'yaml', 'zod'],
  'vcluster-plugin-sdk/preload': [],
}

/** The sources of these rooms that entry points import before the inspector is served, in addition to types. */
const light: ReadonlySet<string> = new Set([
  'sdk/engine/inspector/fact-view.ts',
  'sdk/cnpg/inspection/cnpg-inspector.ts',
])

void t.test('opening clusters loads no authentication package that no kubeconfig needs', async (t) => {
  t.same(loadsBy.get(transport)?.packages, ['lodash'])
})

for (const [entryPoint, packages] of Object.entries(loaded)) {
  void t.test(`importing ${entryPoint} loads only the packages that it needs`, async (t) => {
    t.same(loadsBy.get(entryPoint)?.packages, [...packages].sort())
  })
}

void t.test('importing an entry point loads neither the inspector nor its page', async (t) => {
  const isOfInspector = (source: string) => /\/(inspector|inspection)\//.test(source) && !light.has(source)
  for (const entryPoint of Object.keys(loaded).filter((one) => !one.endsWith('/testing'))) {
    const { sources = [] } = loadsBy.get(entryPoint) ?? {}
    t.same(sources.filter(isOfInspector), [], entryPoint)
  }
  t.ok((loadsBy.get('vcluster-plugin-sdk')?.sources.length ?? 0) > 100, 'sources are seen')
})

void t.test('every entry point is in the table of packages', async (t) => {
  t.same(Object.keys(loaded).sort(), [...entryPoints, 'vcluster-plugin-sdk/preload'].sort())
})
