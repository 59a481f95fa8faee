import t from 'tap'
import { type ConfigMap, configMaps, services } from '../../sdk/engine/kube/builtin.js'
import { mirrorDown } from '../../sdk/vcluster/syncer/translator/mirror.js'
import { type SyncTest, syncTest } from './sync-test.js'
import type { Register } from './test-plugin.js'

const register: Register = (plugin, ctx) => {
  plugin.register(mirrorDown(ctx, configMaps))
  plugin.register(mirrorDown(ctx, services, { excludeFields: ['spec.clusterIP', 'spec.clusterIPs'] }))
}
const of = (namespace: string, name: string, text: string): ConfigMap => ({
  metadata: { namespace, name, labels: { app: 'web' } },
  data: { text },
})
const copy = (name: string, text: string) => of('vcluster-vc', name, text)
const host = (...objects: ConfigMap[]) => ({ host: [{ resource: configMaps, objects }] })
const virtual = (...objects: ConfigMap[]) => ({ virtual: [{ resource: configMaps, objects }] })

void t.test('the objects after an action are compared with the expected ones', async (t) => {
  await t.resolves(
    syncTest({
      register,
      initial: { ...virtual(of('team', 'a', 'hi'), of('default', 'b', 'hi')), ...host(copy('mine', 'mine')) },
      run: ({ virtual }) => virtual.delete(configMaps, { namespace: 'default', name: 'b' }),
      expected: {
        ...virtual(of('team', 'a', 'hi')),
        ...host(copy('a-x-team-x-vc', 'hi'), copy('mine', 'mine')),
      },
    }),
  )
})

void t.test('defaults and allocated values of the API server may be left out', async (t) => {
  const service = (namespace: string, name: string) => ({
    metadata: { namespace, name },
    spec: { ports: [{ port: 80 }], externalName: undefined },
  })
  await t.resolves(
    syncTest({
      register,
      options: { hasService: false },
      initial: { virtual: [{ resource: services, objects: [service('default', 'web')] }] },
      expected: { host: [{ resource: services, objects: [service('vcluster-vc', 'web-x-default-x-vc')] }] },
    }),
  )
})

void t.test('a missing, different or unexpected object is named', async (t) => {
  const test: SyncTest = { register, initial: virtual(of('default', 'a', 'hi')), expected: {} }
  const ends = (expected: SyncTest['expected']) => syncTest({ ...test, expected })
  await t.rejects(ends(host()), { message: /configmaps vcluster-vc\/a-x-default-x-vc should not exist/ })
  await t.rejects(ends(host(copy('a-x-default-x-vc', 'ho'))), { message: /a-x-default-x-vc differs: .*hi/ })
  const more = host(copy('a-x-default-x-vc', 'hi'), copy('b', 'hi'))
  await t.rejects(ends(more), { message: /configmaps vcluster-vc\/b is missing/ })
  await t.resolves(ends(host(copy('a-x-default-x-vc', 'hi'))))
})
