import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const source = 'k8s.io/apimachinery pkg/util/managedfields/internal/lastappliedmanager.go @ v0.36.3'
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const kind = { apiVersion: 'v1', kind: 'ConfigMap' }

/** Creates a ConfigMap as kubectl's client-side apply does, but with this text in the annotation. */
const make = ({ post }: CaseClient, text: string, data: object = { k: 'v' }) =>
  post('configmaps?fieldManager=kubectl-client-side-apply', {
    metadata: { name: 'a', annotations: { [lastApplied]: text } },
    data,
  })
const apply = ({ patch }: CaseClient, data: object) =>
  patch('configmaps/a?fieldManager=kubectl', 'apply', { ...kind, metadata: { name: 'a' }, data })
const textOf = (members: object) =>
  JSON.stringify({ ...kind, metadata: { annotations: {}, name: 'a' }, ...members })
const owner = '"kubectl-client-side-apply" using v1'
const conflictAt = (field: string) => ({
  code: 409,
  reason: 'Conflict',
  message: `Apply failed with 1 conflict: conflict with ${owner}: ${field}`,
  details: { causes: [{ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field }] },
})

/** Server-side apply by kubectl of objects that its client-side apply wrote. */
export const applyKubectl: CaseGroup = {
  name: 'apply-kubectl',
  cases: [
    {
      name: 'fields that client-side apply wrote are taken over',
      source,
      async run(client) {
        await make(client, textOf({ data: { k: 'v' } }))
        const answer = await apply(client, { k: 'w' })
        client.expect.answer(answer, 200, {
          data: { k: 'w' },
          metadata: { annotations: { [lastApplied]: /"data":\{"k":"w"\}/ } },
        })
      },
    },
    {
      name: 'fields of a workload that client-side apply wrote are taken over',
      source,
      async run({ post, patch, expect }) {
        const deployment = (image: string) => ({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'a' },
          spec: {
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image }] } },
          },
        })
        const first = deployment('one')
        const annotations = { [lastApplied]: JSON.stringify(first) }
        const metadata = { ...first.metadata, annotations }
        await post('deployments?fieldManager=kubectl-client-side-apply', { ...first, metadata })
        const answer = await patch('deployments/a?fieldManager=kubectl', 'apply', deployment('two'))
        expect.answer(answer, 200, { spec: { template: { spec: { containers: [{ image: 'two' }] } } } })
      },
    },
    {
      name: 'an annotation that is not JSON takes over nothing',
      source,
      async run(client) {
        const { expect } = client
        await make(client, 'x')
        expect.refused(await apply(client, { k: 'w' }), conflictAt('.data.k'))
        expect.answer(await apply(client, { k: 'v' }), 200)
      },
    },
    {
      name: 'an annotation of another version or another type takes over nothing',
      source,
      async run(client) {
        const { expect } = client
        const texts = [
          textOf({ apiVersion: 'v2', data: { k: 'v' } }),
          textOf({ kind: '', data: { k: 'v' } }),
          textOf({ data: { k: 'v' }, other: 1 }),
          textOf({ data: { k: 1 } }),
          '[]',
        ]
        for (const text of texts) {
          await make(client, text)
          expect.refused(await apply(client, { k: 'w' }), conflictAt('.data.k'))
          await client.delete('configmaps/a')
        }
      },
    },
    {
      name: 'only the conflicts that remain are reported',
      source,
      async run(client) {
        await make(client, textOf({ data: { a: '1', b: '1' } }), { a: '1', b: '2' })
        client.expect.refused(await apply(client, { a: '3', b: '3' }), conflictAt('.data.b'))
      },
    },
  ],
}
