// Tests the error messages about a plugin's own code for its developer: in a test, in `dev`, and of a failing
// test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import t from 'tap'
import { type ConfigMap, configMaps, type Pod, pods } from '../sdk/engine/kube/builtin.js'
import { noMetrics } from '../sdk/engine/observe/metrics.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import type { RegisterContext } from '../sdk/vcluster/context/register-context.js'
import type { SyncContext } from '../sdk/vcluster/context/sync-context.js'
import { ClientHook, type HookContext } from '../sdk/vcluster/hook/client-hook.js'
import { HookChain } from '../sdk/vcluster/hook/hook-chain.js'
import { mirrorDown } from '../sdk/vcluster/syncer/translator/mirror.js'
import { NamespacedTranslator } from '../sdk/vcluster/syncer/translator/namespaced-translator.js'
import { testPlugin } from '../testing/plugin/test-plugin.js'
import { warningLogger } from '../testing/plugin/warning-logger.js'
import { DevRun, root } from './dev-run.js'

t.setTimeout(600_000)

const greeting = (name = 'greeting') => ({ metadata: { namespace: 'default', name }, data: { text: 'hi' } })
const here = 'test/user-errors\\.test\\.ts:\\d+:\\d+'

void t.test('a test shows each distinct error once with its place and its number', async (t) => {
  const written = t.capture(process.stderr, 'write')
  const transform = (virtual: ConfigMap): ConfigMap => {
    if (virtual.metadata.name?.startsWith('greeting')) throw new Error('no greetings')
    return virtual
  }
  const test = await testPlugin((plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps, { transform })))
  for (let i = 0; i < 12; i++) await test.virtual.create(configMaps, greeting(`greeting-${i}`))
  await test.settled()
  await test.stop()
  const said = written().map(({ args: [line] }) => String(line))
  t.match(
    said[0],
    /^error reconciling failed, trying again {2}controller=configmap-down key=default\/greeting-\d+ .*"no greetings"\n$/,
  )
  t.match(said[1], new RegExp(`^  at .*transform \\(${here}\\)\n$`))
  const again = said.slice(2).filter((line) => line.startsWith('error'))
  t.match(again, [/\(10 times so far\)\n$/])
  // Objects that continue to fail are also reported once.
  t.ok(said.length <= 6, said.join(''))
})

/** Writes to the object that it received. */
class ScribblingSyncer extends NamespacedTranslator<ConfigMap> {
  constructor(ctx: RegisterContext) {
    super(ctx, 'scribbler', configMaps)
  }

  override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
    Object.assign(virtual.metadata, { labels: { copied: 'yes' } })
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override async sync() {}
}

void t.test(
  'a write to an input fails with an error that says that inputs are frozen, and how to copy',
  async (t) => {
    const said: string[] = []
    const logger = warningLogger((line) => said.push(line))
    const test = await testPlugin((plugin, ctx) => plugin.register(new ScribblingSyncer(ctx)), { logger })
    await test.virtual.create(configMaps, greeting())
    await test.settled()
    await test.stop()
    t.match(
      said[0],
      /controller=scribbler key=(default|kube-system)\/[\w.-]+ retryInMs=\d+ error="Cannot add property labels/,
    )
    t.match(said[0], /object is not extensible\. In controller scribbler: /)
    t.match(said[0], /frozen.*structuredClone\(object\), or \{ \.\.\.object/)
    t.match(said.slice(1).join('\n'), new RegExp(`at ScribblingSyncer\\.syncDown \\(${here}\\)`))
  },
)

/** Writes to the Pod that it received. */
class ScribblingHook extends ClientHook<Pod> {
  constructor() {
    super('scribbler', pods)
  }

  override mutateCreatePhysical(_ctx: HookContext, pod: Pod): Pod {
    pod.metadata.name = 'other'
    return pod
  }
}

void t.test('the error of a hook is in the log of the plugin', async (t) => {
  const said: string[] = []
  const logger = warningLogger((line) => said.push(line))
  const hooks = new HookChain({
    hooks: [new ScribblingHook()],
    logger,
    metrics: noMetrics,
    clock: systemClock,
  })
  const object = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } })
  const call = { apiVersion: 'v1', kind: 'Pod', type: 'CreatePhysical', object }
  const asked = hooks.mutate(call, { signal: new AbortController().signal })
  await t.rejects(asked, /^hook scribbler failed on CreatePhysical of Pod web; the plugin's log says why$/)
  t.match(said.join('\n'), /'name'.*In hook scribbler, mutateCreatePhysical: .*frozen/)
  t.match(said.join('\n'), new RegExp(`at ScribblingHook\\.mutateCreatePhysical \\(${here}\\)`))
})

const pluginFiles = {
  'main.ts': `import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init()
register(plugin, ctx)
await plugin.start()
`,
  'register.ts': `import { configMaps, mirrorDown, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'

interface Settings {
  data: { color: string }
}

export function register(plugin: Plugin, ctx: RegisterContext): void {
  const settings = {} as Settings
  plugin.register(
    mirrorDown(ctx, configMaps, { transform: (map) => ({ ...map, data: { color: settings.data.color } }) }),
  )
}
`,
  'samples.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: greeting, namespace: default }\n',
  'plugin.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'

interface Longer {
  text: string
}

test('a test that fails', () => {
  const one: Longer = { text: 'one' }
  assert.equal(one.text, 'two')
})
`,
}

void t.test('dev shows an error of the plugin once, with its place', async (t) => {
  const dir = t.testdir({ plugin: pluginFiles })
  const dev = new DevRun(['dev', join(dir, 'plugin'), '--dir', join(dir, 'clusters'), '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  const place = join(relative(root, dir), 'plugin/register.ts:10:')
  await dev.line(/error reconciling failed.*reading 'color'/)
  const [at] = await dev.line(/ {2}at /)
  t.match(at.length && dev.lines.find((line) => line.includes('  at ')), place)
  // Two ConfigMaps fail, the sample and kube-root-ca.crt, and each is retried several times.
  await dev.line(/reading 'color'.*\(10 times so far\)/)
  const told = dev.lines.filter((line) => line.includes("reading 'color'"))
  t.equal(told.length, 2, told.join('\n'))
  dev.signal('SIGTERM')
  await dev.ended
})

void t.test('a failing test is reported with its line', async (t) => {
  const dir = t.testdir({ plugin: pluginFiles })
  const run = spawn(process.execPath, ['bin/vcluster-plugin.js', 'test', join(dir, 'plugin')], {
    cwd: root,
    // Without this, Node's test runner does not start another one from within a test.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  run.stdout.on('data', (text) => {
    said += text
  })
  await once(run, 'close')
  t.match(said, /location: '.*plugin\.test\.ts:8:1'|at .*plugin\.test\.ts:8:1/)
})
