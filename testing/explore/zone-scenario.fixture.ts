import * as z from 'zod'
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

/** The records of hosts outside of the cluster, by the token of their effect. */
type DnsRecords = Map<string, { id: string }>

/** A controller of Zones, which has a record for each host of a Zone. */
const zoneController = (records: DnsRecords) =>
  controller(zones, {
    effects: {
      record: {
        keyed: true,
        find: async (_ctx, token) => records.get(token),
        create: async (ctx, token) => {
          const record = { id: `${ctx.key} ${token}` }
          records.set(token, record)
          return record
        },
        remove: async (_ctx, id) => void records.delete(id.split(' ')[1] ?? ''),
      },
    },
    reconcile: async (ctx, { spec }) => void (await ctx.effects('record', spec.hosts)),
  })

/** Zones with a record for each of their hosts, outside of the cluster, where each run begins without any. */
export function zoneScenario() {
  const records: DnsRecords = new Map()
  const zoneKey = { namespace: 'default', name: 'shop' }
  const setHosts = (hosts: string[]) => ({ type: 'merge' as const, body: { spec: { hosts } } })
  return operatorScenario({
    register: (operator) => operator.register(zoneController(records)),
    definitions: [crdOf(zones)],
    before: async () => records.clear(),
    steps: {
      'a zone is created': ({ client }) =>
        client.create(zones, { metadata: zoneKey, spec: { hosts: ['a.example', 'b.example'] } }),
      'it has other hosts': ({ client }) =>
        client.patch(zones, zoneKey, setHosts(['b.example', 'c.example'])),
      'the status is lost': ({ client }) =>
        client.patch(zones, zoneKey, { type: 'merge', subresource: 'status', body: { status: null } }),
      'it is deleted': ({ client }) => client.delete(zones, zoneKey),
    },
    // The finalizer, and for each key the note, the journal before and after the call, and the call; then the status.
    writesPerChange: 10,
  })
}
