import fc from 'fast-check'
import { Subject } from 'rxjs'
import t from 'tap'
import * as z from 'zod'
import { applyMergePatch } from '../../../apiserver/patch/merge-patch.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { resourceOf } from '../../engine/cluster/definition.js'
import { jsonEqual } from '../../engine/kube/json.js'
import type { JsonObject } from '../../engine/kube/json-object.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { stripAbsent } from '../apply/strip-absent.js'
import { key } from '../backups.fixture.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { statusPatch } from './status-patch.js'

void t.test('a patch turns one status into another', async (t) => {
  const patched = (live: JsonObject, wanted: JsonObject) => applyMergePatch(live, statusPatch(live, wanted))
  const cases: [live: JsonObject, wanted: JsonObject][] = [
    [{ zones: { a: 1, b: 2 } }, { zones: { a: 1 } }],
    [{ zones: { a: { x: 1 }, b: 2 } }, { zones: { a: {} } }],
    [{ zones: 1 }, { zones: { a: {} } }],
    [{ zones: { a: 1 } }, { zones: 1 }],
    [{ zones: { a: 1 } }, { zones: ['a'] }],
    [{ zones: [1, 2] }, { zones: [2] }],
    [{ zones: 2, other: { a: 1 } }, { other: { b: 1 } }],
    [{}, { zones: {} }],
  ]
  for (const [live, wanted] of cases) t.same(patched(live, wanted), wanted, JSON.stringify(wanted))
  const name = fc.constantFrom('a', 'b', '__proto__')
  const { object } = fc.letrec((tie) => ({
    object: fc.dictionary(
      name,
      fc.oneof({ maxDepth: 4 }, fc.integer(), fc.constant(null), fc.array(fc.integer()), tie('object')),
      { noNullPrototype: true },
    ),
  }))
  fc.assert(
    fc.property(object, object, (...statuses) => {
      const [live, wanted] = stripAbsent(statuses) as [JsonObject, JsonObject]
      return jsonEqual(patched(live, wanted), wanted)
    }),
  )
})

const regions = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Region',
  spec: z.object({}),
  status: z.object({
    zones: z.record(z.string(), z.int()).optional(),
    owner: z.object({ since: z.string().nullable() }).optional(),
  }),
})
type Region = KubeObject & {
  spec: object
  status?: { zones?: Record<string, number>; observedGeneration?: number; owner?: { since: null } }
}

void t.test('a run removes members below an object from the status of any kind', async (t) => {
  const resource = resourceOf(crdOf(regions)) as Resource<Region>
  const again = new Subject<Key>()
  let zones: Record<string, number> = { a: 1, b: 2 }
  let patches = 0
  const test = await testOperator(
    (operator) =>
      operator.register(
        controller(resource, {
          triggers$: again,
          reconcile: (ctx) => {
            ctx.status.zones = zones
          },
        }),
      ),
    {
      definitions: [crdOf(regions)],
      logger: silentLogger,
      wrap: (transport) => ({
        ...transport,
        stream: (request) => transport.stream(request),
        close: () => transport.close(),
        request(request) {
          if (request.method === 'PATCH') patches++
          return transport.request(request)
        },
      }),
    },
  )
  t.teardown(() => test.stop())
  await test.client.create(resource, { metadata: { ...key }, spec: {} })
  await test.settled()
  t.same((await test.client.get(resource, key)).status, { zones: { a: 1, b: 2 } })
  zones = { a: 1 }
  again.next(key)
  await test.settled()
  t.same((await test.client.get(resource, key)).status, { zones: { a: 1 } })
  const before = patches
  again.next(key)
  await test.settled()
  t.equal(patches, before, 'a run that changes nothing writes nothing')
  // Another program keeps these.
  const body = { status: { observedGeneration: 1, owner: { since: null } } }
  const region = await test.client.get(resource, key)
  await test.client.update(
    resource,
    { ...region, status: { ...region.status, ...body.status } },
    { subresource: 'status' },
  )
  const written = patches
  again.next(key)
  await test.settled()
  t.equal(patches, written, 'nor if another program keeps null, and the generation that it has observed')
  t.match((await test.client.get(resource, key)).status, { observedGeneration: 1, owner: { since: null } })
})
