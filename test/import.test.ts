// Tests that importing an entry point of the package changes nothing in the process, and loads only the
// packages that it needs.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { z } from 'zod'
import { root } from './dev-run.js'

t.setTimeout(240_000)

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

/** The result of a program in `test/import` for an entry point. */
async function ask(program: string, entryPoint: string, env: Record<string, string> = {}): Promise<string[]> {
  const args = [
    '--conditions=vcluster-plugin-sdk:source',
    '--import=./scripts/load-typescript.mjs',
    `test/import/${program}.ts`,
    entryPoint,
  ]
  const options = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return z.array(z.string()).parse(JSON.parse(stdout))
}

/** The module that opens clusters, which `init` imports. */
const transport = new URL('../sdk/transport/create-transport.ts', import.meta.url).href

/** The module that the first call over HTTP/1.1 imports. */
const http1 = new URL('../sdk/transport/connections.ts', import.meta.url).href

// The first process that imports a source compiles it, and that changes the process.
await Promise.all([...entryPoints, transport, http1].map((module) => ask('packages', module)))

/** zod, which validates a plugin's configuration, keeps its registries there for all its copies. */
const ofZod = ['globalThis.__zod_globalConfig', 'globalThis.__zod_globalRegistry']

for (const [where, env] of Object.entries(environments)) {
  for (const entryPoint of entryPoints) {
    void t.test(`${where}, importing ${entryPoint} changes nothing in the process`, async (t) => {
      const changed = await ask('changes', entryPoint, env)
      t.same(
        changed.filter((name) => !ofZod.includes(name)),
        [],
      )
    })
  }
}

void t.test('a change to the process is noticed', async (t) => {
  const changed = await ask('changes', 'vcluster-plugin-sdk/preload', environments['inside a vcluster'])
  const expected = ['stdout.write', 'stderr.write', 'process on unhandledRejection']
  t.same(
    expected.filter((name) => !changed.includes(name)),
    [],
  )
  t.ok((await ask('changes', './sets-dispatcher.ts')).some((name) => name.includes('globalDispatcher')))
})

void t.test('the preload changes nothing outside of a vcluster', async (t) => {
  for (const env of [environments.standalone, environments['next to a vcluster']])
    t.same(await ask('changes', 'vcluster-plugin-sdk/preload', env), [])
})

void t.test('opening clusters does not change the connections of fetch', async (t) => {
  t.same(await ask('changes', transport), [])
  t.same(await ask('changes', http1), [])
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
const grpc = ['@bufbuild/protobuf', '@grpc/grpc-js', '@js-sdsl/ordered-map']
/** The packages of each entry point, including their dependencies. */
const loaded: Record<string, readonly string[]> = {
  'vcluster-plugin-sdk': [...logging, 'lodash', 'rxjs'],
  'vcluster-plugin-sdk/operator': [
    ...logging,
    '@opentelemetry/api',
    'bintrees',
    'lodash',
    'prom-client',
    'rxjs',
    'tdigest',
    'zod',
  ],
  'vcluster-plugin-sdk/helm': ['lodash', 'rxjs'],
  'vcluster-plugin-sdk/modules': ['lodash', 're2js', 'rxjs', 'zod'],
  'vcluster-plugin-sdk/cnpg': [
    ...logging,
    ...grpc,
    '@opentelemetry/api',
    'bintrees',
    'prom-client',
    'tdigest',
    'zod',
  ],
  'vcluster-plugin-sdk/cnpg/testing': [...logging, ...grpc, 'zod'],
  'vcluster-plugin-sdk/testing': [...logging, ...grpc, 'lodash', 'rxjs', 'yaml', 'zod'],
  'vcluster-plugin-sdk/preload': [],
}

void t.test('opening clusters loads no authentication package that no kubeconfig needs', async (t) => {
  t.same(await ask('packages', transport), ['lodash'])
})

for (const [entryPoint, packages] of Object.entries(loaded)) {
  void t.test(`importing ${entryPoint} loads only the packages that it needs`, async (t) => {
    t.same(await ask('packages', entryPoint), [...packages].sort())
  })
}

void t.test('every entry point is in the table of packages', async (t) => {
  t.same(Object.keys(loaded).sort(), [...entryPoints, 'vcluster-plugin-sdk/preload'].sort())
})
