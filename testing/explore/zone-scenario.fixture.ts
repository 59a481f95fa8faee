import { z } from 'zod'
import { controller } from '../../sdk/operator/engine/controller.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { operatorScenario } from '../scenario/operator-scenario.js'

const zones = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Zone',
  spec: z.object({ hosts: z.array(z.string()) }),
  effects: ['record'],
})

/** Zones with a record for each of their hosts, outside of the cluster, which is new for each run. */
export function zoneScenario() {
  let made = new Map<string, { id: string }>()
  const zoneKey = { namespace: 'default', name: 'shop' }
  const ask = (hosts: string[]) => ({ type: 'merge' as const, body: { spec: { hosts } } })
  return operatorScenario({
    register: (operator) =>
      operator.register(
        controller(zones, {
          effects: {
            record: {
              keyed: true,
              find: async (_ctx, token) => made.get(token),
              create: async (ctx, token) => {
                const thing = { id: `${ctx.key} ${token}` }
                made.set(token, thing)
                return thing
              },
              remove: async (_ctx, id) => void made.delete(id.split(' ')[1] ?? ''),
            },
          },
          reconcile: async (ctx, { spec }) => void (await ctx.effects('record', spec.hosts)),
        }),
      ),
    definitions: [crdOf(zones)],
    before: async () => {
      made = new Map()
    },
    steps: {
      'a zone is created': ({ client }) =>
        client.create(zones, { metadata: zoneKey, spec: { hosts: ['a.example', 'b.example'] } }),
      'it has other hosts': ({ client }) => client.patch(zones, zoneKey, ask(['b.example', 'c.example'])),
      'the status is lost': ({ client }) =>
        client.patch(zones, zoneKey, { type: 'merge', subresource: 'status', body: { status: null } }),
      'it is deleted': ({ client }) => client.delete(zones, zoneKey),
    },
    // The finalizer, and for each key the note, the journal before and after the call, and the call; then the status.
    writesPerChange: 10,
  })
}
