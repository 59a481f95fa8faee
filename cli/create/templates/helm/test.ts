import type { HelmApi } from '../../chart/chart-content.js'
import { literal } from '../literal.js'

/** src/KIND.test.ts: the release of a sample, and crashes at every write. */
export const testFile = ({
  group,
  version,
  kind,
  plural,
  spec,
}: HelmApi) => `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { KubeObject, Resource } from 'vcluster-plugin-sdk'
import { defaultRenderer, loadWatches } from 'vcluster-plugin-sdk/helm'
import { exhaust, operatorScenario, testOperator } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

/** The fields that the tests read. */
type ${kind} = KubeObject & {
  spec: object
  status?: { conditions?: { type: string; status: string; message?: string }[]; deployedRelease?: { revision: number } }
}
const ${plural}: Resource<${kind}> = {
  group: '${group}',
  version: '${version}',
  kind: '${kind}',
  plural: '${plural}',
  namespaced: true,
}
const key = { namespace: 'default', name: 'sample' }
/** Values that fit the chart and the schema of the kind. After a change of either, correct this and samples.yaml. */
const spec = ${literal(spec)}
const watches = await loadWatches(new URL('../watches.yaml', import.meta.url))
const definitions = watches.flatMap(({ definition }) => definition ?? [])
// One for all tests, because its start takes a moment.
const renderer = await defaultRenderer()
after(() => renderer.close())

test('a ${kind} gets a release, with the permissions that \`npm run rbac\` prints', async (t) => {
  const run = await testOperator((operator) => register(operator, { renderer }), {
    definitions,
    permissions: 'declared',
    // Jobs of hooks succeed, and Deployments become ready.
    runWorkloads: true,
  })
  t.after(() => run.stop())
  await run.client.create(${plural}, { metadata: key, spec })
  await run.settled()
  const { status } = await run.client.get(${plural}, key)
  const problems = status?.conditions?.filter(({ type }) => type === 'Irreconcilable' || type === 'ReleaseFailed')
  const problem = problems?.find((condition) => condition.status === 'True')
  assert.equal(status?.deployedRelease?.revision, 1, problem?.message)
  await run.client.delete(${plural}, key)
  await run.settled()
  assert.deepEqual((await run.client.list(${plural})).items, [])
})

test('it survives a crash at every write', async () => {
  const scenario = operatorScenario({
    register: (operator) => register(operator, { renderer }),
    definitions,
    steps: {
      'it is installed': ({ client }) => client.create(${plural}, { metadata: key, spec }),
      'it is uninstalled': ({ client }) => client.delete(${plural}, key),
    },
    simulate: ({ setAllReady }) => setAllReady(),
    writesPerChange: 100,
  })
  const { missed } = await exhaust(scenario, { faults: ['crashes'] })
  assert.deepEqual(missed, [], 'every crash happened')
})
`
