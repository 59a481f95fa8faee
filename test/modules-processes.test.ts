// Tests Modules whose programs are loaded from ConfigMaps and run in processes of their own.
import t, { type Test } from 'tap'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import type { Module } from '../sdk/modules/kinds/module.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import {
  isInstalled,
  type ModulesTest,
  moduleOf,
  startModules,
} from '../sdk/modules/module/modules.fixture.js'
import { digestOf } from '../sdk/modules/program/digest.js'

const rules = "[{ group: '', resource: 'configmaps', verbs: ['*'], namespace: 'default' }]"

/** A program that installs a ConfigMap with its version in it. `install` comes before that. */
const programText = (version: string, install = '') => `
const newManager = ({ cluster, module }) => {
  const object = {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: module.name + '-installed', namespace: 'default' },
    data: { version: '${version}' },
  }
  return {
    async install(ctx, metaData) {
      ${install}
      await cluster.apply([object], { signal: ctx.signal })
      metaData.set('pid', process.pid)
    },
    async uninstall(ctx) { await cluster.delete([object], { signal: ctx.signal }) },
    sleep(ctx, metaData) { metaData.set('slept', true) },
    resume(ctx, metaData) { metaData.delete('slept') },
  }
}
export default { name: 'shop', version: '${version}', sdk: '*', permissions: ${rules}, newManager }
`

const start = (t: Test) => startModules(t, { modules: { programs: { allow: [], cacheFolder: t.testdir() } } })

/** Creates a Module with a program in a ConfigMap of the Module's name. */
async function create(
  { client }: ModulesTest,
  text: string,
  { name = 'shop', digest = digestOf(Buffer.from(text)) } = {},
) {
  const at = { name: `${name}-program`, namespace: 'default' }
  await client.create(configMaps, { metadata: at, data: { plugin: text } })
  const program = { configMap: { ...at, key: 'plugin' }, digest }
  await client.create(modules, moduleOf({ source: undefined, custom: { program } }, { name }))
}

type Status = NonNullable<Module['status']>

/** Waits until the status of a Module has a field with a value. */
async function reaches(test: ModulesTest, found: (status: Status) => boolean, name?: string) {
  for (;;) {
    const { status } = await test.live(name)
    if (status && found(status)) return status
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const isPhase = (phase: string) => (status: Status) => status.phase === phase

void t.test('a program in a ConfigMap installs, sleeps, wakes and uninstalls', async (t) => {
  const test = await start(t)
  const text = programText('1.0.0')
  await create(test, text)
  const status = await reaches(test, isPhase('ready'))
  t.strictSame(status.program, {
    name: 'shop',
    version: '1.0.0',
    digest: digestOf(Buffer.from(text)),
    permissions: [{ group: '', resource: 'configmaps', verbs: ['*'], namespace: 'default' }],
  })
  t.ok(await isInstalled(test.client))
  await test.change({ hibernated: true })
  await reaches(test, isPhase('sleeped'))
  await test.change({ hibernated: false })
  await reaches(test, isPhase('ready'))
  await test.client.delete(configMaps, { namespace: 'default', name: 'shop-program' })
  await test.client.delete(modules, { namespace: 'default', name: 'shop' })
  while (await isInstalled(test.client)) await new Promise((resolve) => setTimeout(resolve, 20))
})

void t.test(
  'two versions of a program run at a time, and one that ends does not disturb the other',
  async (t) => {
    const test = await start(t)
    const first =
      "metaData.set('seen', ctx.attempt); await metaData.save(); if (ctx.attempt === 1) process.exit(9)"
    await create(test, programText('1.0.0'))
    await create(test, programText('2.0.0', first), { name: 'fragile' })
    await reaches(test, isPhase('ready'))
    const failed = await reaches(
      test,
      ({ operation }) => Object(operation).lastError !== undefined,
      'fragile',
    )
    t.match(failed, {
      operation: {
        kind: 'install',
        lastError: /the process of program shop 2\.0\.0 ended during install: it exited with 9/,
      },
    })
    await reaches(test, isPhase('ready'), 'fragile')
    const versions = ['shop', 'fragile'].map(async (name) => {
      const { data } = await test.client.get(configMaps, { namespace: 'default', name: `${name}-installed` })
      return data?.version
    })
    t.strictSame(await Promise.all(versions), ['1.0.0', '2.0.0'])
  },
)

void t.test(
  'a wrong digest, a wrong configuration and a missing permission are said by the Module',
  async (t) => {
    const test = await start(t)
    const typed = `{ parse: () => { throw Object.assign(new Error('[{...}]'), { issues: [
    { path: ['name'], message: 'expected string' }, { path: ['list', 0], message: 'expected int' }] }) } }`
    await create(test, programText('1.0.0').replace('newManager }', `newManager, config: ${typed} }`), {
      name: 'typed',
    })
    const refused = await reaches(test, isPhase('failed'), 'typed')
    t.match(refused, {
      operation: { permanent: true, reason: 'InvalidConfig' },
      message:
        'the configuration does not fit program shop: spec.config.name: expected string; spec.config.list.0: expected int',
    })
    const beyond =
      "await cluster.get({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'default' } })"
    await create(test, programText('1.0.0', beyond))
    await create(test, programText('1.0.0'), { name: 'changed', digest: digestOf(Buffer.from('other')) })
    const { operation } = await reaches(test, (status) => Object(status.operation).lastError !== undefined)
    t.match(operation, {
      lastError:
        /program shop 1\.0\.0 may not get secrets in namespace default: add .* to permissions in its defineProgram/,
    })
    const changed = await reaches(
      test,
      ({ message }) => message !== undefined && /digest/.test(String(message)),
      'changed',
    )
    t.match(changed.message, /the digest is sha256-/)
    t.notOk(await isInstalled(test.client, 'changed'))
  },
)
