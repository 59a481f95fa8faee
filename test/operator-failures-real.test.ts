// The status of an object whose runs fail, for tools that wait for it: kubectl wait, and the rules of kstatus. And
// mistakes of authors that API servers answer with 500.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import * as z from 'zod'
import { apps } from '../examples/recipes/apps.js'
import { register as runOnce } from '../examples/recipes/run-once-to-completion.js'
import { deployments, pods } from '../sdk/engine/kube/builtin.js'
import { newEvents } from '../sdk/engine/kube/builtin-events.js'
import { jobs } from '../sdk/engine/kube/builtin-workloads.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { defineKind } from '../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { kstatus } from './kstatus.js'
import { openControlPlane } from './real/open-control-plane.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager', 'kubectl')
const run = promisify(execFile)

const reports = defineKind({
  group: 'failures.my.domain',
  version: 'v1',
  kind: 'Report',
  spec: z.object({ case: z.string() }),
  status: z.object({ at: z.string().optional() }),
  conditions: ['Done'],
})

/** Mistakes of authors. Each ends the first run. */
const mistakes: Record<string, KubeObject> = {
  'an unknown field': deployment({ spec: { replica: 2 } }),
  'a wrong type': deployment({ spec: { replicas: 'two' } }),
  'two equal ports': deployment({}, [80, 80]),
  'a Date': deployment({ metadata: { annotations: { at: new Date() } } }),
}

function deployment(more: { spec?: object; metadata?: object }, ports: number[] = []): KubeObject {
  const container = { name: 'c', image: 'c', ports: ports.map((containerPort) => ({ containerPort })) }
  const labels = { app: 'one' }
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
    ...more.spec,
  }
  return { metadata: { name: 'one', ...more.metadata }, spec } as KubeObject
}

void t.test('the status of an object whose runs fail', { skip, timeout: 600_000 }, async (t) => {
  const plane = await openControlPlane(t, [crdOf(apps), crdOf(reports)])
  const { client, cluster } = plane
  const at = (name: string) => ({ namespace: 'default', name })
  const kubectl = (...args: string[]) =>
    run(join(process.env.KUBEBUILDER_ASSETS ?? '', 'kubectl'), [
      ...['--kubeconfig', cluster.kubeconfigFile, ...args],
    ]).then(
      () => true,
      () => false,
    )
  const waits = (object: string, condition: string) =>
    kubectl('wait', object, '--for', `condition=${condition}`, '--timeout', '1s')
  const eventsOf = async (name: string) =>
    (await client.list(newEvents, { namespace: 'default' })).items.filter(
      ({ regarding }) => regarding?.name === name,
    )
  const runs: string[] = []
  let isBroken = false
  await plane.startOperator({
    name: 'failures',
    register: (operator) => {
      runOnce(operator)
      operator.register(
        controller(reports, {
          owns: [deployments],
          async reconcile(ctx, { metadata, spec }) {
            runs.push(metadata.name ?? '')
            const mistake = mistakes[spec.case]
            if (mistake) await ctx.apply(deployments, mistake as never)
            if (spec.case === 'a Date in the status') ctx.status.at = new Date() as never
            if (spec.case === 'a wrong type in the status') ctx.status.at = 5 as never
            if (isBroken) throw new Error(`attempt ${runs.length}`)
            ctx.condition('Done', true, 'Done')
          },
        }),
      )
    },
  })

  await t.test('a change that an API server rejects is not reported as done', async (t) => {
    await client.create(apps, { metadata: at('once'), spec: { image: 'one' } })
    await until(async () => (await client.get(jobs, at('once'))).metadata.uid !== undefined)
    await until(async () => {
      const labelSelector = 'batch.kubernetes.io/job-name=once'
      const { items } = await client.list(pods, { namespace: 'default', labelSelector })
      const body = { status: { phase: 'Succeeded' } }
      for (const { metadata } of items)
        await client.patch(pods, at(metadata.name ?? ''), { type: 'merge', subresource: 'status', body })
      return items.length > 0
    })
    await until(() => waits('apps.recipes.my.domain/once', 'Ready'))
    await until(async () => kstatus(await client.get(apps, at('once'))) === 'Current')

    await client.patch(apps, at('once'), { type: 'merge', body: { spec: { image: 'two' } } })
    await until(async () => kstatus(await client.get(apps, at('once'))) !== 'InProgress')
    const failed = await client.get(apps, at('once'))
    t.equal(kstatus(failed), 'Failed')
    t.match(
      failed.status?.conditions?.find(({ type }) => type === 'Stalled'),
      {
        status: 'True',
        reason: 'Rejected',
        observedGeneration: 2,
        message: 'the API server rejects Job.batch once: spec.template: field is immutable',
      },
    )
    t.notOk(await waits('apps.recipes.my.domain/once', 'Ready'), 'kubectl does not take the former Ready')
    t.ok(await waits('apps.recipes.my.domain/once', 'Stalled'))
    t.ok(
      (await eventsOf('once')).some(({ reason }) => reason === 'Rejected'),
      'an Event at once',
    )

    await client.delete(jobs, at('once'), { propagationPolicy: 'Background' })
    await until(async () => kstatus(await client.get(apps, at('once'))) === 'Current')
    const { conditions } = (await client.get(apps, at('once'))).status ?? {}
    t.notOk(conditions?.some(({ type }) => type === 'Stalled'))
  })

  await t.test('a run that is tried again does not claim the generation', async (t) => {
    await client.create(reports, { metadata: at('flaky'), spec: { case: 'none' } })
    await until(() => waits('reports.failures.my.domain/flaky', 'Done'))
    const change = (value: string) =>
      client.patch(reports, at('flaky'), { type: 'merge', body: { spec: { case: value } } })
    isBroken = true
    await change('other')
    await client.create(reports, { metadata: at('first'), spec: { case: 'none' } })
    for (const name of ['flaky', 'first']) {
      const failing = async () => {
        const { metadata, status } = await client.get(reports, at(name))
        const hasFailed = status?.conditions?.some(({ reason }) => reason === 'ReconcileFailed')
        return hasFailed
          ? [kstatus({ metadata, status } as KubeObject), status?.observedGeneration]
          : undefined
      }
      await until(async () => (await failing()) !== undefined, { everyMs: 5 })
      t.same(await failing(), ['InProgress', name === 'flaky' ? 1 : undefined], name)
    }
    isBroken = false
    for (const name of ['flaky', 'first']) {
      await until(() => waits(`reports.failures.my.domain/${name}`, 'Done'))
      const { status } = await client.get(reports, at(name))
      t.same(
        status?.conditions?.map(({ type }) => type),
        ['Done'],
      )
    }
    isBroken = true
    await change('another')
    await until(async () => kstatus(await client.get(reports, at('flaky'))) === 'Failed')
    const { status } = await client.get(reports, at('flaky'))
    t.ok(
      status?.conditions?.some(({ reason }) => reason === 'Quarantined'),
      'after ten attempts',
    )
    t.notOk(await waits('reports.failures.my.domain/flaky', 'Done'))
    isBroken = false
  })

  await t.test('a mistake of the author is reported at once, and is not tried again', async (t) => {
    const cases = [...Object.keys(mistakes), 'a Date in the status', 'a wrong type in the status']
    for (const [n, mistake] of cases.entries()) {
      const name = `mistake-${n}`
      await client.create(reports, { metadata: at(name), spec: { case: mistake } })
      await until(async () => kstatus(await client.get(reports, at(name))) === 'Failed')
      const { status } = await client.get(reports, at(name))
      const stalled = status?.conditions?.find(({ type }) => type === 'Stalled')
      t.comment(stalled?.message)
      t.match(stalled, { reason: 'Rejected', observedGeneration: 1 }, mistake)
      t.notMatch(stalled?.message, /valueUnstructured|got /, 'no value is quoted')
      await until(async () => (await eventsOf(name)).some(({ reason }) => reason === 'Rejected'))
      t.equal(runs.filter((one) => one === name).length, 1, `${mistake}: one run`)
    }
  })
})
