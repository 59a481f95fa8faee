// The objects that an operator owns, on a real API server with the controllers of a control plane.
import { Subject } from 'rxjs'
import t from 'tap'
import * as z from 'zod'
import {
  configMaps,
  customResourceDefinitions,
  type Deployment,
  deployments,
  events,
  namespaces,
} from '../sdk/engine/kube/builtin.js'
import type { Key } from '../sdk/engine/kube/key.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { watchResource } from '../sdk/engine/watch/watch-resource.js'
import { mutatingWebhookConfigurations } from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import {
  type Backup,
  backup,
  backups,
  deploymentFor,
  memcached,
  key as other,
} from '../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../sdk/operator/controller/definition.js'
import { owned } from '../sdk/operator/controller/owned.js'
import { dyingAt, dyingPhases } from '../sdk/operator/dying-transport.fixture.js'
import { defineKind } from '../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { listenForReviews } from './conformance/webhook-server.js'
import { makePodsReady, openBackups, type StartedOperator } from './real/open-backups.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const merge = (body: object) => ({ type: 'merge', body }) as const
const named = (name: string): Key => ({ ...other, name })
const backupNamed = (name: string, size: number): Backup => ({ ...backup(size), metadata: named(name) })
const statusOf = ({ status }: Backup, type: string) => status?.conditions?.find((one) => one.type === type)

/** A kind of another program. */
const routes = defineKind({
  group: 'net.my.domain',
  version: 'v1',
  kind: 'Route',
  spec: z.object({ to: z.string() }),
})

/** The Deployment without its number of replicas, for an autoscaler. */
function withoutReplicas(object: Backup): Deployment {
  const { spec, ...deployment } = deploymentFor(object)
  const { replicas: _, ...others } = spec ?? {}
  return { ...deployment, spec: others as NonNullable<Deployment['spec']> }
}

void t.test('owned objects on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  const { client, transport, get, gone, start } = await openBackups(t, [crdOf(routes)])
  const replicasOf = async (at: Key) => (await get(deployments, at))?.spec?.replicas
  const ownersOf = async <T extends KubeObject>(resource: Resource<T>, at: Key) =>
    (await get(resource, at))?.metadata.ownerReferences?.map(({ uid }) => uid)

  /** The different values that something of an object takes, in their order, until the watch is closed. */
  const watched = <T extends KubeObject, V>(resource: Resource<T>, at: Key, of: (object: T) => V) => {
    const seen: V[] = []
    const watch = watchResource({ transport, resource }).subscribe((event) => {
      if (!('object' in event) || event.object.metadata.name !== at.name) return
      const value = of(event.object)
      if (seen.length === 0 || seen.at(-1) !== value) seen.push(value)
    })
    t.teardown(() => watch.unsubscribe())
    return { seen, close: () => watch.unsubscribe() }
  }

  let operator = await start(memcached)
  const restart = async (...args: Parameters<typeof start>): Promise<StartedOperator> => {
    await operator.stop()
    operator = await start(...args)
    return operator
  }

  await t.test('the Deployment follows, and Available moves once per change', async (t) => {
    const at = named('sized')
    const available = watched(backups, at, (object) => statusOf(object, 'Available')?.status)
    const expected: (string | undefined)[] = [undefined]
    for (const size of [3, 5, 0]) {
      const { metadata } = (await get(backups, at))
        ? await client.patch(backups, at, merge({ spec: { size } }))
        : await client.create(backups, backupNamed('sized', size))
      await until(async () => (await replicasOf(at)) === size)
      expected.push('False', 'True')
      await until(async () => {
        await makePodsReady(client, 'backup=sized')
        const { status } = await client.get(backups, at)
        const isHandled = status?.observedGeneration === metadata.generation
        return isHandled && available.seen.length === expected.length && available.seen.at(-1) === 'True'
      })
      await operator.quiet()
      t.same(available.seen, expected, `${size} nodes`)
    }
    available.close()
    await client.delete(backups, at)
    await gone(deployments, at)
  })

  await t.test('fields of another manager stay, and one write puts the own fields right', async (t) => {
    const at = named('edited')
    await client.create(backups, backupNamed('edited', 3))
    await until(async () => (await get(deployments, at))?.status?.observedGeneration === 1)
    await operator.quiet()
    operator.writes.length = 0
    const spec = {
      replicas: 9,
      minReadySeconds: 7,
      template: { spec: { terminationGracePeriodSeconds: 11 } },
    }
    const metadata = { ...at, annotations: { mine: 'yes' } }
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }
    await client.patch(deployments, at, { type: 'apply', fieldManager: 'person', force: true, body })
    await until(async () => (await replicasOf(at)) === 3)
    await operator.quiet()
    t.equal(operator.writes.filter((write) => write.includes('deployments/')).length, 1)
    const live = await client.get(deployments, at)
    t.match(live, {
      metadata: { annotations: { mine: 'yes' } },
      spec: { minReadySeconds: 7, template: { spec: { terminationGracePeriodSeconds: 11 } } },
    })
    const managers = live.metadata.managedFields as { manager: string; fieldsV1: object }[]
    const theirs = JSON.stringify(managers.find(({ manager }) => manager === 'person')?.fieldsV1)
    t.match(theirs, /f:minReadySeconds.*f:terminationGracePeriodSeconds/)
    t.notMatch(theirs, 'f:replicas', 'the controller has it back')
  })

  await t.test('a Deployment that is deleted is created once, for the same owner', async (t) => {
    const at = named('edited')
    const before = await client.get(deployments, at)
    operator.writes.length = 0
    await client.delete(deployments, at, { propagationPolicy: 'Background' })
    await until(
      async () => ![undefined, before.metadata.uid].includes((await get(deployments, at))?.metadata.uid),
    )
    await operator.quiet()
    const owner = await client.get(backups, at)
    t.same(await ownersOf(deployments, at), [owner.metadata.uid])
    t.equal(operator.writes.filter((write) => write.includes('deployments/')).length, 1)
  })

  await t.test('an object that is created again within a run leaves nothing of the former one', async (t) => {
    for (const order of ['before', 'after'] as const) {
      const at = named(`again-${order}`)
      let first: string | undefined
      await restart({
        owns: [deployments],
        async reconcile(ctx, object) {
          if (object.metadata.name !== at.name) return
          first ??= object.metadata.uid
          const isFirst = object.metadata.uid === first
          const again = async () => {
            await client.delete(backups, at, { propagationPolicy: 'Background' })
            await client.create(backups, backupNamed(at.name, 2))
          }
          if (isFirst && order === 'before') await again()
          await ctx.apply(deployments, deploymentFor(object as Backup))
          if (isFirst && order === 'after') await again()
          if (isFirst) ctx.status.nodes = ['of-the-first']
        },
      })
      await client.create(backups, backupNamed(at.name, 3))
      await until(async () => {
        const { metadata, status } = await client.get(backups, at)
        const owners = await ownersOf(deployments, at)
        return metadata.uid !== first && owners?.[0] === metadata.uid && status?.observedGeneration === 1
      })
      await operator.quiet()
      t.equal(await replicasOf(at), 2)
      t.equal((await client.get(backups, at)).status?.nodes, undefined)
      const { items } = await client.list(deployments, { namespace: 'default' })
      t.notOk(items.some(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === first)))
    }
    await restart(memcached)
  })

  await t.test('a foreign object is left as it is and reported, and the key runs when it goes', async (t) => {
    const at = named('foreign')
    const foreign = { ...deploymentFor(backupNamed('foreign', 1)), metadata: at }
    await client.create(deployments, foreign)
    await until(async () => (await get(deployments, at))?.status?.unavailableReplicas === 1)
    const before = await client.get(deployments, at)
    operator.writes.length = 0
    await client.create(backups, backupNamed('foreign', 3))
    await until(async () => statusOf(await client.get(backups, at), 'Stalled')?.reason === 'NameConflict')
    await operator.quiet()
    const after = await client.get(deployments, at)
    // The controller of Deployments goes on with its status and its annotation.
    const { uid, generation, labels, ownerReferences } = before.metadata
    t.same(after.spec, before.spec)
    t.match(after.metadata, { uid, generation, labels, ownerReferences })
    t.notMatch(JSON.stringify(after.metadata.managedFields), 'memcached-operator')
    t.notOk(operator.writes.some((write) => write.includes('deployments/')))
    const { items } = await client.list(events, { namespace: 'default' })
    const told = items.filter(
      ({ involvedObject }) => involvedObject.name === at.name && involvedObject.kind === 'Backup',
    )
    t.match(told, [{ type: 'Warning', reason: 'NameConflict' }])
    t.equal(told.length, 1)
    await client.delete(deployments, at)
    await until(async () => (await replicasOf(at)) === 3)
    await until(async () => statusOf(await client.get(backups, at), 'Stalled') === undefined)
  })

  await t.test('after a restore every object is adopted, and none is deleted or duplicated', async (t) => {
    const names = ['restored-a', 'restored-b', 'restored-c']
    const options: ControllerOptions<Backup> = {
      owns: [owned(deployments, { adopt: 'by-label' }), owned(configMaps, { adopt: 'by-label' })],
      async reconcile(ctx, object) {
        const { name = '' } = object.metadata
        if (!names.includes(name)) return
        await ctx.apply(deployments, deploymentFor(object as Backup))
        await ctx.apply(configMaps, { metadata: { name }, data: { size: `${object.spec.size}` } })
      },
    }
    await restart(options)
    for (const name of names) await client.create(backups, backupNamed(name, 2))
    const kinds: readonly Resource<KubeObject>[] = [deployments, configMaps]
    for (const name of names)
      for (const kind of kinds) await until(async () => (await get(kind, named(name))) !== undefined)
    await operator.stop()
    const saved = await Promise.all(
      kinds.flatMap((kind) =>
        names.map(async (name) => ({ kind, object: await client.get(kind, named(name)) })),
      ),
    )
    for (const name of names) {
      await client.delete(backups, named(name), { propagationPolicy: 'Background' })
      for (const kind of kinds) await gone(kind, named(name))
    }
    const uids = new Map<string, string | undefined>()
    for (const { kind, object } of saved) {
      const { name = '', labels = {}, annotations = {} } = object.metadata
      const { status: _, ...content } = object as KubeObject & { status?: object }
      const stripped = { ...content, metadata: { ...named(name), labels, annotations } }
      uids.set(`${kind.plural} ${name}`, (await client.create(kind, stripped)).metadata.uid)
    }
    const owners = new Map<string, string | undefined>()
    for (const name of names)
      owners.set(name, (await client.create(backups, backupNamed(name, 2))).metadata.uid)
    operator = await start(options)
    for (const kind of kinds)
      for (const name of names) {
        await until(async () => (await ownersOf(kind, named(name)))?.[0] === owners.get(name))
        t.equal((await get(kind, named(name)))?.metadata.uid, uids.get(`${kind.plural} ${name}`))
      }
    await operator.quiet()
    t.notOk(operator.writes.some((write) => write.startsWith('DELETE')))
    for (const kind of kinds) {
      const { items } = await client.list(kind, { namespace: 'default' })
      const ours = items
        .map(({ metadata }) => metadata.name ?? '')
        .filter((name) => name.startsWith('restored-'))
      t.same(ours.sort(), names)
    }
  })

  await t.test('another operator that writes the same status is reported', async (t) => {
    const at = named('rivals')
    await restart(memcached)
    await client.create(backups, backupNamed('rivals', 1))
    await until(async () => (await client.get(backups, at)).status?.observedGeneration === 1)
    await restart(memcached, { name: 'second-operator' })
    await client.patch(backups, at, merge({ spec: { size: 2 } }))
    await until(async () => (await client.get(backups, at)).status?.observedGeneration === 2)
    const isReported = () => operator.warnings.some((text) => text.includes('another field manager'))
    await until(isReported)
    await operator.quiet()
    t.match(
      operator.warnings.filter((text) => text.includes('another field manager')),
      [
        /writes the status of Backup objects, too: "memcached-operator\.backups"\. If it is an operator, stop/,
      ],
    )
    await operator.stop()
    await client.delete(backups, at)
    await gone(deployments, at)
  })

  await t.test('objects that no reference may own have labels, and are pruned at the deletion', async (t) => {
    const at = named('owner-elsewhere')
    const elsewhere = { namespace: 'elsewhere', name: 'of-owner' }
    const clusterScoped = { namespace: '', name: 'of-owner-elsewhere' }
    await client.create(namespaces, { metadata: { name: 'elsewhere' } })
    operator = await start({
      owns: [configMaps, namespaces],
      async reconcile(ctx, object) {
        if (object.metadata.name !== at.name) return
        await ctx.apply(configMaps, { metadata: { ...elsewhere } })
        await ctx.apply(namespaces, { metadata: { name: clusterScoped.name } })
      },
    })
    const { metadata } = await client.create(backups, backupNamed(at.name, 1))
    const made = [
      [configMaps, elsewhere],
      [namespaces, clusterScoped],
    ] as const
    for (const [kind, place] of made) {
      await until(async () => (await get(kind as Resource, place)) !== undefined)
      const live = await client.get(kind as Resource, place)
      t.equal(live.metadata.ownerReferences, undefined)
      t.match(live.metadata.labels, { 'cache.my.domain/owner-uid': metadata.uid })
    }
    t.same((await client.get(backups, at)).metadata.finalizers, ['cache.my.domain/backups'])
    await operator.quiet()
    await client.delete(backups, at)
    await gone(backups, at)
    t.equal(await get(configMaps, elsewhere), undefined)
    t.equal(await get(namespaces, clusterScoped), undefined)
    const { items } = await client.listAll(events)
    t.notOk(items.some(({ reason }) => reason === 'OwnerRefInvalidNamespace'))
  })

  await t.test('objects of a kind that a release does not own any more go with it', async (t) => {
    const at = named('forgetful')
    const first: ControllerOptions<Backup> = {
      owns: [configMaps, routes],
      ownedKindsHint: true,
      async reconcile(ctx, object) {
        if (object.metadata.name !== at.name) return
        await ctx.apply(configMaps, { metadata: { name: at.name } })
        await ctx.apply(routes, { metadata: { name: at.name }, spec: { to: 'a' } })
      },
    }
    const next: ControllerOptions<Backup> = {
      ownedKindsHint: true,
      reconcile: (ctx) => {
        ctx.status.nodes = ['next']
      },
    }
    const hint = async () =>
      (await client.get(backups, at)).metadata.annotations?.['cache.my.domain/owned-kinds']
    await restart(first)
    await client.create(backups, backupNamed(at.name, 1))
    await until(async () => (await get(routes, at)) !== undefined)
    t.equal(await hint(), '{"memcached-operator.backups":["ConfigMap","Route.net.my.domain"]}')
    await operator.quiet()
    await restart(next)
    await until(async () => (await hint()) === undefined)
    t.equal(await get(configMaps, at), undefined)
    t.equal(await get(routes, at), undefined)

    await restart(first)
    await until(async () => (await get(routes, at)) !== undefined)
    await operator.quiet()
    await operator.stop()
    await client.delete(customResourceDefinitions, { namespace: '', name: 'routes.net.my.domain' })
    await gone(customResourceDefinitions, { namespace: '', name: 'routes.net.my.domain' })
    await client.patch(backups, at, { ...merge({ status: { nodes: [] } }), subresource: 'status' })
    operator = await start(next)
    await until(async () => (await client.get(backups, at)).status?.nodes?.[0] === 'next')
    await until(async () => (await get(configMaps, at)) === undefined)
    await client.delete(backups, at)
    await gone(backups, at)
  })

  await t.test('a released field keeps its value at every crash point', async (t) => {
    await operator.stop()
    for (const phase of dyingPhases)
      for (const write of [0, 1, 2]) {
        const at = named(`released-${phase}-${write}`)
        const of = (
          apply: (...args: Parameters<ControllerOptions<Backup>['reconcile']>) => Promise<unknown>,
        ) => ({
          owns: [deployments],
          reconcile: async (...args: Parameters<ControllerOptions<Backup>['reconcile']>) =>
            args[1].metadata.name === at.name ? void (await apply(...args)) : undefined,
        })
        const older = of((ctx, object) => ctx.apply(deployments, deploymentFor(object as Backup)))
        const newer = of((ctx, object) =>
          ctx.apply(deployments, withoutReplicas(object as Backup), { release: ['spec.replicas'] }),
        )
        await client.create(backups, backupNamed(at.name, 5))
        operator = await start(older)
        await until(async () => (await get(deployments, at))?.status?.unavailableReplicas === 5)
        const replicas = watched(deployments, at, ({ spec }) => spec?.replicas)
        await operator.stop()
        const dying = {
          leaderElection: false,
          wrap: (inner: Parameters<typeof dyingAt>[0]) => dyingAt(inner, write, phase),
        }
        operator = await start(newer, dying)
        const isPast = () => operator.writes.length > write || operator.operator.isIdle()
        await until(isPast)
        await operator.stop()
        operator = await start(newer)
        await operator.quiet()
        await operator.stop()
        t.same(replicas.seen, [5], `${phase} write ${write}`)
        await client.patch(deployments, at, { ...merge({ spec: { replicas: 9 } }), subresource: 'scale' })
        operator = await start(newer)
        await client.patch(backups, at, merge({ spec: { size: 6 } }))
        await operator.quiet()
        await until(async () => replicas.seen.length === 2)
        t.same(replicas.seen, [5, 9], 'it belongs to the autoscaler')
        replicas.close()
        await operator.stop()
        await client.delete(backups, at)
        await gone(deployments, at)
      }
  })

  await t.test('runs write nothing after defaults, quantities and a mutating webhook', async (t) => {
    const patch = [{ op: 'add', path: '/metadata/annotations/policy.example.com~1checked', value: 'true' }]
    const limit = '/spec/template/spec/containers/0/resources/limits/memory'
    const webhook = await listenForReviews((_path, review) => {
      const { request } = review as { request: { uid: string; object: KubeObject } }
      const whole = request.object.metadata.annotations
        ? patch
        : [{ op: 'add', path: '/metadata/annotations', value: {} }, ...patch]
      const operations = [...whole, { op: 'add', path: limit, value: '1Gi' }]
      const response = {
        uid: request.uid,
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
      }
      return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
    })
    t.teardown(() => webhook.close())
    await client.create(mutatingWebhookConfigurations, {
      metadata: { name: 'policy' },
      webhooks: [
        {
          name: 'policy.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: webhook.url, caBundle: webhook.caBundle },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
            },
          ],
        },
      ],
    } as never)
    const at = named('restful')
    await until(async () => {
      const probe = { ...deploymentFor(backupNamed('probe', 1)), metadata: named('probe') }
      const { metadata } = await client.create(deployments, probe, { dryRun: true })
      return metadata.annotations?.['policy.example.com/checked'] === 'true'
    })
    const again = new Subject<Key>()
    let runs = 0
    operator = await start({
      owns: [deployments],
      triggers$: again,
      async reconcile(ctx, object) {
        if (object.metadata.name !== at.name) return
        runs++
        await memcached.reconcile(ctx, object)
      },
    })
    await client.create(backups, backupNamed(at.name, 3))
    await until(async () => (await get(deployments, at))?.status?.unavailableReplicas === 3)
    await operator.quiet()
    t.match((await client.get(deployments, at)).spec?.template.spec?.containers, [
      { imagePullPolicy: 'IfNotPresent', resources: { limits: { cpu: '1', memory: '1Gi' } } },
    ])
    operator.writes.length = 0
    for (const expected = runs + 200; runs < expected; ) {
      const before = runs
      again.next(at)
      await until(() => runs > before && operator.operator.isIdle(), { everyMs: 1 })
    }
    t.same(operator.writes, [])
  })
})
