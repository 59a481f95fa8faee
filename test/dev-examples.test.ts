import { join } from 'node:path'
import { filter, firstValueFrom, map } from 'rxjs'
import t from 'tap'
import { hostCertificates } from '../examples/certificates/host-certificate.js'
import { type Car, cars } from '../examples/crd-sync/car.js'
import { deployments, pods, secrets, services } from '../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { noMetrics } from '../sdk/engine/observe/metrics.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { watchResource } from '../sdk/engine/watch/watch-resource.js'
import { openTransport } from '../sdk/vcluster/plugin/open-transport.js'
import { DevRun } from './dev-run.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }

/** Resolves with the object as soon as it matches. */
async function comes<T extends KubeObject>(
  kubeconfig: string,
  resource: Resource<T>,
  is: (object: T) => boolean,
): Promise<T> {
  const options = { ...observed, pluginName: 'test' }
  const transport = openTransport('virtual', await loadKubeconfig({ file: kubeconfig }), options)
  const seen$ = watchResource<T>({ ...observed, transport, resource, cluster: 'virtual' })
  const found$ = seen$.pipe(
    map((event) => ('object' in event && is(event.object) ? event.object : undefined)),
  )
  const object = await firstValueFrom(found$.pipe(filter((one) => one !== undefined)))
  await transport.close()
  return object
}

const named =
  (namespace: string, name: string) =>
  ({ metadata }: KubeObject) =>
    metadata.namespace === namespace && metadata.name === name

const shown = [
  ['pull-secret-sync', 'default', 'registry'],
  ['import-secrets', 'shop', 'database-login'],
] as const

for (const [example, namespace, name] of shown) {
  void t.test(`the example ${example} copies its host sample to the virtual cluster`, async (t) => {
    const dir = t.testdir()
    const dev = new DevRun(['dev', `examples/${example}`, '--dir', dir, '--no-watch'])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(
      new RegExp(`^Secret vcluster-dev/.+ -> ${namespace}/${name} {2}created in the virtual cluster`),
    )
    await dev.line(/^Try next/)
    await dev.line(/host\.kubeconfig create secret generic hello .* -n vcluster-dev$/)
    await dev.line(/virtual\.kubeconfig get secrets -A -w$/)
    await comes(join(dir, 'virtual.kubeconfig'), secrets, named(namespace, name))
    dev.signal('SIGTERM')
    t.match(await dev.ended, { code: 0 })
  })
}

void t.test('the example bootstrap-with-deployment creates its Deployment', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', 'examples/bootstrap-with-deployment', '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/virtual\.kubeconfig get all -A$/)
  await comes(join(dir, 'virtual.kubeconfig'), deployments, named('mynamespace', 'mydeployment'))
  dev.signal('SIGTERM')
  t.match(await dev.ended, { code: 0 })
})

void t.test('the example hooks changes the copies of the simulated vcluster process', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', 'examples/hooks', '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^\d of 2 samples mirrored/)
  await dev.line(/virtual\.kubeconfig run hello --image=nginx$/)
  await dev.line(/host\.kubeconfig get pods -n vcluster-dev -w$/)
  const host = join(dir, 'host.kubeconfig')
  const on = (name: string) => named('vcluster-dev', `${name}-x-default-x-dev`)
  const pod = await comes(host, pods, on('web'))
  t.equal(pod.metadata.labels?.['created-by-plugin'], 'pod-hook')
  const service = await comes(host, services, on('web'))
  t.same(
    service.spec?.ports?.map(({ port }) => port),
    [80, 19_000],
  )
  await comes(host, secrets, on('test'))
  dev.signal('SIGTERM')
  t.match(await dev.ended, { code: 0 })
})

void t.test('the example crd-sync installs cars in the virtual cluster and copies them', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', 'examples/crd-sync', '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^vcluster /)
  const isCopy = named('vcluster-dev', 'beetle-x-default-x-dev')
  const copy = await comes<Car>(join(dir, 'host.kubeconfig'), cars, isCopy)
  t.same(copy.spec, { type: 'Audi', seats: 4 })
  dev.signal('SIGTERM')
  t.match(await dev.ended, { code: 0 })
})

void t.test('the example certificates asks the host for a certificate', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', 'examples/certificates', '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^vcluster /)
  const isAsked = named('vcluster-dev', 'shop-x-default-x-dev')
  const asked = await comes(join(dir, 'host.kubeconfig'), hostCertificates, isAsked)
  t.match(asked.spec, { dnsNames: ['shop.my.domain'], issuerRef: { kind: 'Issuer', name: 'vcluster' } })
  dev.signal('SIGTERM')
  t.match(await dev.ended, { code: 0 })
})
