const program = (extra: string) => `
import { configMaps, secrets } from 'vcluster-plugin-sdk'
import { controller, createOperator, defineKind, owned } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const kindOf = (kind: string) =>
  defineKind({ group: 'shops.my.domain', version: 'v1', kind, spec: z.object({}), conditions: ['Ready'] })
const operator = createOperator({
  name: 'shops',
  clusters: { main: {}, edge: { kubeconfig: '/nowhere/edge.kubeconfig' } },
})
operator.register(
  controller(kindOf('Shop'), {
    cluster: 'main',
    owns: [owned(configMaps, { cluster: 'edge' })],
    async reconcile(ctx, { metadata }) {
      ${extra}
      await ctx.cluster('edge').apply(configMaps, { metadata: { name: 'of-' + metadata.name } })
      ctx.condition('Ready', true, 'Done')
    },
  }),
)
operator.register(
  controller(kindOf('Node'), { cluster: 'edge', reconcile: (ctx) => ctx.condition('Ready', true, 'Done') }),
)
await operator.start()
`

const sampleOf = (kind: string) => `
apiVersion: shops.my.domain/v1
kind: ${kind}
metadata: { name: one, namespace: default }
spec: {}
`

/** The files of an operator of the clusters main and edge. `extra` is code of a run of a Shop. */
export const spreadOperator = (extra = '') => ({
  'main.ts': program(extra),
  'samples.yaml': sampleOf('Shop'),
  'edge-samples.yaml': sampleOf('Node'),
})
