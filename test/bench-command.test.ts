// Tests of `vcluster-plugin bench` as a program.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { spreadOperator } from './spread-operator.js'

t.setTimeout(600_000)

const bench = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/vcluster-plugin.js', 'bench', ...args])
  return stdout
}

void t.test('a plugin is measured with objects of its own kind', async (t) => {
  const args = ['examples/crd-sync', '--objects', '30', '--changes', '4', '-o', 'json']
  const { kind, objects, cold, latenciesMs } = JSON.parse(await bench(...args))
  t.strictSame([kind, objects, cold.writes], ['Car', 30, 30], 'one write for each object')
  t.ok(cold.ms > 0)
  t.equal(latenciesMs.length, 4)
  t.ok(latenciesMs.every((ms: number) => ms > 0))
})

void t.test('an operator is measured with objects of its own kind', async (t) => {
  const args = ['examples/memcached', '--objects', '20', '--changes', '3', '-o', 'json']
  const { program, kind, objects, cold, latenciesMs } = JSON.parse(await bench(...args))
  t.strictSame([program, kind, objects], ['operator', 'MemcachedBackup', 20])
  t.ok(cold.writes >= 20 && cold.writes <= 80, `${cold.writes} writes`)
  t.equal(latenciesMs.length, 3)
})

void t.test('an operator is measured with all its clusters', async (t) => {
  const args = ['--objects', '10', '--changes', '2', '-o', 'json']
  const { kind, objects, cold, latenciesMs } = JSON.parse(await bench(t.testdir(spreadOperator()), ...args))
  t.strictSame([kind, objects, latenciesMs.length], ['Shop', 10, 2])
  t.equal(cold.writes, 30, 'the finalizer, the status, and a ConfigMap in the other cluster')
})

const checked = `
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'
const spec = z.object({})
const cars = defineKind({ group: 'acme.io', version: 'v1', kind: 'Car', spec, validate: () => [] })
const webhooks = { kinds: [cars], certificate: 'selfSigned' }
const operator = createOperator({ name: 'checked', webhooks })
operator.register(controller(cars, { reconcile() {} }))
await operator.start()
`

void t.test('programs that bench cannot measure are refused with the reason', async (t) => {
  await t.rejects(bench('examples/cnpg-hello-world'), {
    code: 2,
    stderr: /bench measures plugins of a vcluster and operators; /,
  })
  const folder = t.testdir({ 'main.ts': checked })
  await t.rejects(bench(folder), {
    code: 2,
    stderr:
      /bench measures operators without webhooks, and checked has webhooks, which bench does not call\. Measure a program/,
  })
})

const services = `
import { mirrorDown, plugin, type Service, services } from 'vcluster-plugin-sdk'
const ctx = await plugin.init({ name: 'services' })
const transform = ({ spec, ...rest }: Service) => ({ ...rest, spec: { ports: spec?.ports ?? [] } })
plugin.register(mirrorDown(ctx, services, { transform }))
await plugin.start()
`
const service = `
{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { PLACE ports: [{ port: 80 }] } }
`

void t.test(
  'fields that a server adds to a sample are not repeated, and unique fields are rejected',
  async (t) => {
    const plugin = (place: string) =>
      t.testdir({ 'main.ts': services, 'samples.yaml': service.replace('PLACE', place) })
    const args = ['--objects', '3', '--changes', '1', '-o', 'json']
    t.match(JSON.parse(await bench(plugin(''), ...args)), { kind: 'Service', objects: 3 })
    await t.rejects(bench(plugin('clusterIP: 10.96.0.77,'), ...args), {
      code: 1,
      stderr: /cannot create more objects from Service default\/web: .*; remove fields that must be unique/,
    })
  },
)

void t.test(
  'mistakes are reported before anything runs, and a program that exits is reported with its own error',
  async (t) => {
    await t.rejects(bench('.', '--changes', '0'), {
      code: 2,
      stderr: /--changes must be an integer of at least 1, got 0/,
    })
    await t.rejects(bench('nowhere'), { code: 1, stderr: /there is no folder nowhere/ })
    const folder = t.testdir({ 'main.ts': "throw new Error('no config')" })
    await t.rejects(bench(folder), {
      code: 1,
      stderr: /failed before start\(\): no config/,
    })
  },
)
