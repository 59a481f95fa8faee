import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const source = 'k8s.io/apiserver pkg/endpoints/handlers/delete.go @ v0.36.3'

async function configMap({ make }: CaseClient, name = 'a'): Promise<void> {
  await make('configmaps', { metadata: { name } })
}

/** Options of a delete in its query; they are ignored if there is a body. */
export const deleteQuery: CaseGroup = {
  name: 'delete-query',
  cases: [
    {
      name: 'resourceVersion and uid are preconditions',
      source,
      async run(client) {
        const { delete: remove, expect } = client
        await configMap(client)
        for (const query of ['resourceVersion=1', 'resourceVersion=0', 'uid=other'])
          expect.answer(await remove(`configmaps/a?${query}`), 409, { reason: 'Conflict' })
        expect.answer(await remove('configmaps/a'), 200, { status: 'Success' })
      },
    },
    {
      name: 'with a body the query is ignored',
      source,
      async run(client) {
        const { delete: remove, expect } = client
        await configMap(client)
        const query = 'resourceVersion=1&dryRun=All&propagationPolicy=Nope&gracePeriodSeconds=x'
        const options = { kind: 'DeleteOptions', apiVersion: 'v1' }
        expect.answer(await remove(`configmaps/a?${query}`, options), 200, { status: 'Success' })
        expect.answer(await client.get('configmaps/a'), 404)
      },
    },
    {
      name: 'a grace period that is not an integer is rejected',
      source,
      async run(client) {
        const { delete: remove, expect } = client
        await configMap(client)
        for (const text of ['x', '1.5'])
          expect.refused(await remove(`configmaps/a?gracePeriodSeconds=${text}`), {
            code: 400,
            reason: 'BadRequest',
            message: `strconv.ParseInt: parsing "${text}": invalid syntax`,
          })
      },
    },
    {
      name: 'orphanDependents orphans with any value except false',
      source,
      async run(client) {
        const { delete: remove, expect } = client
        for (const [name, value] of [
          ['a', 'true'],
          ['b', 'maybe'],
        ] as const) {
          await configMap(client, name)
          const { body } = await remove(`configmaps/${name}?orphanDependents=${value}`)
          expect.has(body, { metadata: { finalizers: ['orphan'] } })
        }
        await configMap(client, 'c')
        expect.answer(await remove('configmaps/c?orphanDependents=false'), 200, { status: 'Success' })
        await configMap(client, 'd')
        expect.invalid(await remove('configmaps/d?orphanDependents=true&propagationPolicy=Orphan'), {
          kind: 'DeleteOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
          ],
        })
      },
    },
  ],
}
